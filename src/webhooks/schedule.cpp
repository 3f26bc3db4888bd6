#include "webhooks/schedule.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

#include "core/random.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::webhooks {
namespace {

Millis jittered(Millis pause) {
    std::array<std::uint8_t, 2> bytes{};
    fill_random(bytes);
    std::uint16_t random = 0;
    std::memcpy(&random, bytes.data(), sizeof random);
    const double factor = 0.9 + 0.2 * random / 65535.0;
    return std::chrono::duration_cast<Millis>(pause * factor);
}

}  // namespace

Schedule::Schedule(std::vector<Millis> pauses, Millis longest_pause)
    : pauses_(std::move(pauses)), longest_pause_(longest_pause) {}

std::optional<Millis> Schedule::pause_after(int failures, std::optional<Millis> asked_for) const {
    if (failures < 1 || static_cast<std::size_t>(failures) > pauses_.size()) return std::nullopt;
    const Millis pause = jittered(pauses_[static_cast<std::size_t>(failures) - 1]);
    return std::max(pause, asked_for.value_or(Millis(0)));
}

Millis Schedule::endpoint_pause(int failures_in_a_row) const {
    const Millis first = pauses_.empty() ? longest_pause_ : std::min(pauses_.front(), longest_pause_);
    const int doublings = std::clamp(failures_in_a_row - metadata::webhook_failures_when_away, 0, 30);
    return jittered(std::min(longest_pause_, first * (std::int64_t{1} << doublings)));
}

std::optional<Millis> parse_retry_after(std::string_view text, Timestamp now) {
    std::int64_t seconds = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (fault == std::errc() && end == text.data() + text.size()) {
        if (seconds < 0) return std::nullopt;
        return std::min<Millis>(longest_retry_after, std::chrono::seconds(std::min<std::int64_t>(seconds, 1 << 30)));
    }
    if (text.empty() || text.size() > 64) return std::nullopt;
    const time_t at = curl_getdate(std::string(text).c_str(), nullptr);
    if (at < 0) return std::nullopt;
    const Millis wait = from_unix_millis(std::int64_t{at} * 1000) - now;
    return std::clamp(wait, Millis(0), longest_retry_after);
}

}  // namespace tessera::webhooks
