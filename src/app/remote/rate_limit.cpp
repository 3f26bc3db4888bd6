#include "app/remote/rate_limit.hpp"

#include <curl/curl.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "core/text.hpp"

namespace tessera::remote {
namespace {

// Seconds are told whole: a window that is said to have none left may have a part of one.
constexpr Millis told_in_seconds{250};
constexpr Millis longest_way{1'000};

std::optional<std::int64_t> number_in(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failed != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
    return value;
}

// `"uploads";r=29;t=60`: the value of a parameter of the first item.
std::optional<std::int64_t> parameter(std::string_view field, std::string_view name) {
    field = field.substr(0, field.find(','));
    while (!field.empty()) {
        const std::size_t end = field.find(';');
        const std::string_view part = trimmed(field.substr(0, end));
        field = end == std::string_view::npos ? std::string_view() : field.substr(end + 1);
        if (part.size() > name.size() && part.starts_with(name) && part[name.size()] == '=')
            return number_in(part.substr(name.size() + 1));
    }
    return std::nullopt;
}

}  // namespace

std::optional<RateLimit> rate_limit_of(const Answer& answer) {
    const std::string structured = answer.header("ratelimit");
    auto remaining = parameter(structured, "r");
    auto resets = parameter(structured, "t");
    if (!remaining) remaining = number_in(answer.header("ratelimit-remaining"));
    if (!resets) resets = number_in(answer.header("ratelimit-reset"));
    if (!remaining || !resets) return std::nullopt;
    const std::string policy = answer.header("ratelimit-policy");
    auto limit = parameter(policy, "q");
    if (!limit) limit = number_in(answer.header("ratelimit-limit"));
    const std::int64_t window = parameter(policy, "w").value_or(60);
    return RateLimit{*remaining, std::chrono::seconds(*resets), limit.value_or(0), std::chrono::seconds(window)};
}

std::optional<Millis> retry_after(std::string_view value, std::chrono::system_clock::time_point now) {
    if (value.empty()) return std::nullopt;
    if (const auto seconds = number_in(value)) return std::chrono::seconds(std::min<std::int64_t>(*seconds, 86'400));
    const time_t when = curl_getdate(std::string(value).c_str(), nullptr);
    if (when < 0) return std::nullopt;
    const auto left = std::chrono::system_clock::from_time_t(when) - now;
    return std::max(Millis(0), std::chrono::duration_cast<Millis>(left));
}

Instant Pacer::next(Instant now) const {
    Instant when = std::max(now, held_until_);
    const bool window_open = !resets_at_ || now < *resets_at_;
    // Nothing is left: until the window ends or, where that is not known yet, until an answer tells.
    if (left_ && *left_ <= 0 && window_open) when = std::max(when, resets_at_.value_or(now + std::chrono::hours(1)));
    return when;
}

std::uint64_t Pacer::sent(Instant now) {
    if (resets_at_ && now >= *resets_at_) {
        resets_at_.reset();
        left_.reset();
        if (limit_ > 0) left_ = limit_;
    }
    if (left_) --*left_;
    return ++count_;
}

void Pacer::answered(std::uint64_t number, Instant sent_at, Instant now, const RateLimit& told) {
    if (number < informed_by_) return;  // a later one has told already
    informed_by_ = number;
    limit_ = told.limit;
    window_ = told.window;
    // Requests after that one are not in what it tells.
    left_ = told.remaining - static_cast<std::int64_t>(count_ - number);
    // It was counted when it came to the service: later than it was sent, but long before it was answered if it is a
    // slow upload, or waits for a job.
    const Instant counted_at = std::min(now, sent_at + longest_way);
    resets_at_ = counted_at + told.resets_after + told_in_seconds;
}

void Pacer::learned_nothing() {
    if (!resets_at_) left_.reset();  // or nobody would ever tell
}

std::optional<Pacer::Pace> Pacer::pace() const {
    if (limit_ <= 0) return std::nullopt;
    return Pace{limit_, window_};
}

void Pacer::hold_until(Instant when) {
    held_until_ = std::max(held_until_, when);
}

}  // namespace tessera::remote
