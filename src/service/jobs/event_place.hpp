// Where an event stands in the order of changes: by the store's clock, so that every node means the same. It is the id
// of the event, and what a client that comes back names.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/uuid.hpp"

namespace tessera::service {

struct EventPlace {
    Timestamp at;
    // None of a place between events, such as where a stream began.
    struct OfJob {
        Uuid id;
        JobStatus status = JobStatus::queued;
        friend bool operator==(const OfJob&, const OfJob&) = default;
    };
    std::optional<OfJob> job{};
    friend bool operator==(const EventPlace&, const EventPlace&) = default;
};

EventPlace place_of(const Job& job);
std::string to_string(const EventPlace& place);
std::optional<EventPlace> parse_event_place(std::string_view text);

}  // namespace tessera::service
