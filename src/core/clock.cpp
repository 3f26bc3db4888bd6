#include "core/clock.hpp"

#include <algorithm>

namespace tessera {
namespace {

// Reads exactly `digits` decimal digits at `at`; -1 when there is anything else.
int number_at(std::string_view text, std::size_t at, std::size_t digits) {
    int value = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
        if (i >= text.size() || text[i] < '0' || text[i] > '9') return -1;
        value = value * 10 + (text[i] - '0');
    }
    return value;
}

bool has_separators(std::string_view text) {
    return text[4] == '-' && text[7] == '-' && text[10] == 'T' && text[13] == ':' && text[16] == ':';
}

}  // namespace

// By hand: every log line and most answers have timestamps, and printf takes longer than the rest of such a line.
std::string to_iso8601(Timestamp time) {
    const auto day = std::chrono::floor<std::chrono::days>(time);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss clock(time - day);
    std::string text = "0000-00-00T00:00:00.000Z";
    const auto put = [&](std::size_t end, unsigned value) {
        for (; value > 0; value /= 10) text[--end] = static_cast<char>('0' + value % 10);
    };
    put(4, static_cast<unsigned>(std::clamp(static_cast<int>(date.year()), 0, 9999)));
    put(7, static_cast<unsigned>(date.month()));
    put(10, static_cast<unsigned>(date.day()));
    put(13, static_cast<unsigned>(clock.hours().count()));
    put(16, static_cast<unsigned>(clock.minutes().count()));
    put(19, static_cast<unsigned>(clock.seconds().count()));
    put(23, static_cast<unsigned>(clock.subseconds().count()));
    return text;
}

std::optional<Timestamp> from_iso8601(std::string_view text) {
    const bool whole_seconds = text.size() == 20;
    const bool with_millis = text.size() == 24 && text[19] == '.';
    if ((!whole_seconds && !with_millis) || text.back() != 'Z' || !has_separators(text)) return std::nullopt;

    const int year = number_at(text, 0, 4);
    const int month = number_at(text, 5, 2);
    const int day = number_at(text, 8, 2);
    const int hour = number_at(text, 11, 2);
    const int minute = number_at(text, 14, 2);
    const int second = number_at(text, 17, 2);
    const int millis = with_millis ? number_at(text, 20, 3) : 0;
    if (year < 0 || month < 0 || day < 0 || millis < 0) return std::nullopt;
    if (hour < 0 || hour > 23 || minute < 0 || minute > 59 || second < 0 || second > 59) return std::nullopt;

    const auto date = std::chrono::year(year) / month / day;
    if (!date.ok()) return std::nullopt;
    return std::chrono::sys_days(date) + std::chrono::hours(hour) + std::chrono::minutes(minute) +
           std::chrono::seconds(second) + Millis(millis);
}

Timestamp SystemClock::now() const {
    return std::chrono::floor<Millis>(std::chrono::system_clock::now());
}

}  // namespace tessera
