// What owners delete. A deletion that was done within the last day is done again without a word.
#pragma once

#include <string_view>

#include "core/result.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

class Deletions {
  public:
    virtual ~Deletions() = default;

    [[nodiscard]] virtual Result<void> remove_asset(const Principal& principal, std::string_view id) = 0;
    [[nodiscard]] virtual Result<void> remove_artifact(const Principal& principal, std::string_view id) = 0;
    // All that a job has made. `conflict` while it has not ended.
    [[nodiscard]] virtual Result<void> remove_artifacts_of(const Principal& principal, std::string_view job_id) = 0;
    [[nodiscard]] virtual Result<void> remove_tileset(const Principal& principal, std::string_view id) = 0;
};

}  // namespace tessera::service
