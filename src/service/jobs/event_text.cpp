#include "service/jobs/event_text.hpp"

#include <algorithm>

namespace tessera::service {
namespace {

struct Gap {
    std::string_view code;
    std::string_view message;
};

Gap describe_gap(GapReason reason) {
    switch (reason) {
        case GapReason::id_unknown: return {"id_unknown", "Last-Event-ID is none that this service gave"};
        case GapReason::too_old: return {"too_old", "what happened after Last-Event-ID is no longer kept"};
        case GapReason::too_many: return {"too_many", "more jobs have changed than are told one by one"};
        case GapReason::slow_reader: return {"slow_reader", "events came faster than they were read"};
    }
    return {};
}

}  // namespace

std::string event_text(const EventPlace& place, std::string_view name, std::string data) {
    // A line break would end the field; in JSON it can only stand between values.
    std::ranges::replace_if(
        data, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    std::string text = "id: " + to_string(place) + "\nevent: ";
    text.append(name).append("\ndata: ").append(data).append("\n\n");
    return text;
}

std::string beginning_text(const EventPlace& place) {
    return "retry: 2000\nid: " + to_string(place) + "\n\n";
}

std::string heartbeat_text(const EventPlace& place) {
    return ": heartbeat\nid: " + to_string(place) + "\n\n";
}

std::string gap_text(const EventPlace& place, GapReason reason) {
    const Gap gap = describe_gap(reason);
    std::string data = R"({"reason":")";
    data.append(gap.code).append(R"(","message":")").append(gap.message);
    data += R"(","hint":"look at your jobs again: GET /v1/jobs lists them, GET /v1/jobs/{id} shows one; )";
    data += R"(this stream goes on from here"})";
    return event_text(place, "gap", std::move(data));
}

}  // namespace tessera::service
