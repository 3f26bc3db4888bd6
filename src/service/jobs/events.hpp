// The use case of event streams: what happens to an account's jobs, told as it happens.
#pragma once

#include <memory>
#include <optional>
#include <string_view>

#include "core/result.hpp"
#include "core/uuid.hpp"
#include "service/access/principal.hpp"
#include "service/jobs/event_stream.hpp"

namespace tessera::service {

class Events {
  public:
    virtual ~Events() = default;
    // From now on, or from behind an event that was seen. To be given back with leave(). May block.
    [[nodiscard]] virtual Result<std::shared_ptr<EventStream>> open(const Principal& principal,
                                                                    std::optional<std::string_view> last_event_id,
                                                                    std::optional<Uuid> only_job) = 0;
    virtual void leave(const std::shared_ptr<EventStream>& stream) = 0;
};

}  // namespace tessera::service
