#include "service/jobs/event_place.hpp"

#include <charconv>

namespace tessera::service {

EventPlace place_of(const Job& job) {
    return {job.updated_at, EventPlace::OfJob{job.id, job.status}};
}

std::string to_string(const EventPlace& place) {
    std::string text = std::to_string(to_unix_millis(place.at));
    if (place.job) {
        text += '-';
        text += place.job->id.to_string();
        text += '-';
        text += to_string(place.job->status);
    }
    return text;
}

std::optional<EventPlace> parse_event_place(std::string_view text) {
    constexpr std::int64_t latest = 253'402'300'799'999;  // the end of the year 9999
    std::int64_t millis = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), millis);
    if (fault != std::errc() || millis < 0 || millis > latest) return std::nullopt;
    EventPlace place{from_unix_millis(millis)};
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return place;
    constexpr std::size_t id_end = 1 + Uuid::text_length;
    if (text.size() <= id_end || text[0] != '-' || text[id_end] != '-') return std::nullopt;
    const auto id = Uuid::parse(text.substr(1, Uuid::text_length));
    const auto status = job_status_from_string(text.substr(id_end + 1));
    if (!id || !status) return std::nullopt;
    place.job = EventPlace::OfJob{*id, *status};
    return place;
}

}  // namespace tessera::service
