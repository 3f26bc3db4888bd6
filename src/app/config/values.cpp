#include "app/config/values.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/text.hpp"

namespace tessera::app {
namespace {

struct Unit {
    std::string_view name;
    std::int64_t factor;
};

constexpr std::array<Unit, 9> byte_units{{{"TiB", std::int64_t{1} << 40},
                                          {"GiB", std::int64_t{1} << 30},
                                          {"MiB", std::int64_t{1} << 20},
                                          {"KiB", std::int64_t{1} << 10},
                                          {"TB", 1'000'000'000'000},
                                          {"GB", 1'000'000'000},
                                          {"MB", 1'000'000},
                                          {"kB", 1'000},
                                          {"B", 1}}};

constexpr std::array<Unit, 5> duration_units{
    {{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}}};

// Splits "1.5GiB" into 1.5 and "GiB", "1h30m" into 1 and "h30m".
std::size_t number_length(std::string_view text) {
    const auto end = std::find_if(text.begin(), text.end(), [](char c) { return (c < '0' || c > '9') && c != '.'; });
    return static_cast<std::size_t>(end - text.begin());
}

// `number` times `factor`, exact, or nothing when it isn't whole or does not fit.
std::optional<std::int64_t> scaled(std::string_view number, std::int64_t factor) {
    if (number.empty() || number.size() > 20) return std::nullopt;
    const std::size_t point = number.find('.');
    const std::string_view whole_text = number.substr(0, point);
    std::int64_t whole = 0;
    const auto read = std::from_chars(whole_text.data(), whole_text.data() + whole_text.size(), whole);
    if (read.ec != std::errc{} || read.ptr != whole_text.data() + whole_text.size()) return std::nullopt;
    std::int64_t total = 0;
    if (__builtin_mul_overflow(whole, factor, &total)) return std::nullopt;
    if (point == std::string_view::npos) return total;

    const std::string_view fraction_text = number.substr(point + 1);
    if (fraction_text.empty() || fraction_text.size() > 6) return std::nullopt;
    std::int64_t fraction = 0;
    const auto more = std::from_chars(fraction_text.data(), fraction_text.data() + fraction_text.size(), fraction);
    if (more.ec != std::errc{} || more.ptr != fraction_text.data() + fraction_text.size()) return std::nullopt;
    std::int64_t divisor = 1;
    for (std::size_t i = 0; i < fraction_text.size(); ++i) divisor *= 10;
    std::int64_t part = 0;
    if (__builtin_mul_overflow(fraction, factor, &part) || part % divisor != 0) return std::nullopt;
    if (__builtin_add_overflow(total, part / divisor, &total)) return std::nullopt;
    return total;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::optional<bool> parse_flag(std::string_view text) {
    if (text == "true") return true;
    if (text == "false") return false;
    return std::nullopt;
}

std::optional<std::int64_t> parse_count(std::string_view text) {
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool separator = text[i] == '_' && i > 0 && i + 1 < text.size() && text[i - 1] != '_';
        if (!separator) digits += text[i];
    }
    std::int64_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (digits.empty() || read.ec != std::errc{} || read.ptr != digits.data() + digits.size()) return std::nullopt;
    return value;
}

std::optional<std::int64_t> parse_bytes(std::string_view text) {
    if (const auto plain = parse_count(text)) return plain;
    const std::size_t digits = number_length(text);
    const std::string_view unit = trimmed(text.substr(digits));
    for (const Unit& known : byte_units) {
        if (unit == known.name) return scaled(text.substr(0, digits), known.factor);
    }
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
    if (text == "0") return std::chrono::milliseconds(0);
    if (text.empty()) return std::nullopt;
    std::int64_t total = 0;
    std::int64_t previous_factor = std::numeric_limits<std::int64_t>::max();
    while (!text.empty()) {
        const std::size_t digits = number_length(text);
        const std::string_view number = text.substr(0, digits);
        text.remove_prefix(digits);
        const auto letters = static_cast<std::size_t>(
            std::find_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }) - text.begin());
        const std::string_view unit = text.substr(0, letters);
        text.remove_prefix(letters);
        const auto* known =
            std::find_if(duration_units.begin(), duration_units.end(), [&](const Unit& u) { return u.name == unit; });
        if (known == duration_units.end() || known->factor >= previous_factor) return std::nullopt;
        previous_factor = known->factor;
        const auto part = scaled(number, known->factor);
        if (!part || __builtin_add_overflow(total, *part, &total)) return std::nullopt;
    }
    return std::chrono::milliseconds(total);
}

std::vector<std::string> split_list(std::string_view text) {
    std::vector<std::string> items;
    if (trimmed(text).empty()) return items;
    while (true) {
        const std::size_t comma = text.find(',');
        items.emplace_back(trimmed(text.substr(0, comma)));
        if (comma == std::string_view::npos) return items;
        text.remove_prefix(comma + 1);
    }
}

std::string format_bytes(std::int64_t bytes) {
    for (std::size_t i = 0; i < 4 && bytes != 0; ++i) {
        if (bytes % byte_units[i].factor == 0)
            return std::to_string(bytes / byte_units[i].factor) + std::string(byte_units[i].name);
    }
    return std::to_string(bytes);
}

std::string format_duration(std::chrono::milliseconds duration) {
    if (duration.count() == 0) return "0s";
    for (const Unit& unit : duration_units) {
        if (duration.count() % unit.factor == 0)
            return std::to_string(duration.count() / unit.factor) + std::string(unit.name);
    }
    return std::to_string(duration.count()) + "ms";
}

std::optional<std::string_view> closest(std::string_view word, const std::vector<std::string_view>& candidates) {
    std::optional<std::string_view> best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        const std::size_t distance = edit_distance(word, candidate);
        if (distance < best_distance) {
            best_distance = distance;
            best = candidate;
        }
    }
    return best;
}

}  // namespace tessera::app
