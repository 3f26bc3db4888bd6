// Events as text (Server-Sent Events).
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/clock.hpp"
#include "service/jobs/event_place.hpp"

namespace tessera::service {

// `data` is JSON.
std::string event_text(const EventPlace& place, std::string_view name, std::string data);

// Where a stream begins, and how soon to come back when it ends.
std::string beginning_text(const EventPlace& place);

// That the stream lives, and how far it is.
std::string heartbeat_text(const EventPlace& place);

// That changes before `place` were not told.
enum class GapReason { id_unknown, too_old, too_many, slow_reader };
std::string gap_text(const EventPlace& place, GapReason reason);

}  // namespace tessera::service
