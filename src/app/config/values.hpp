// Values as people write them: 20MiB, 15m, true, lists. Each is read from text and written back in one canonical
// form; a value that can't be read says what was expected.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::app {

std::optional<bool> parse_flag(std::string_view text);           // true, false
std::optional<std::int64_t> parse_count(std::string_view text);  // decimal, with optional _ between digits
std::optional<std::int64_t> parse_bytes(std::string_view text);  // 512, 64KiB, 20MiB, 1.5GiB, 2TiB; also kB, MB, GB
// 250ms, 15s, 15m, 2h, 7d, and sums such as 1h30m
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
std::vector<std::string> split_list(std::string_view text);  // a,b,c; blanks around items are dropped

std::string format_bytes(std::int64_t bytes);  // the largest unit that is exact: 20MiB, 1000
std::string format_duration(std::chrono::milliseconds duration);

// The nearest of `candidates`, when it is near enough to have been meant.
std::optional<std::string_view> closest(std::string_view word, const std::vector<std::string_view>& candidates);

}  // namespace tessera::app
