// The time that statements are given: none in service, where the database's clock decides for all nodes; a clock's in
// tests.
#pragma once

#include <optional>

#include "core/clock.hpp"

namespace tessera::metadata::postgres {

class GivenTime {
  public:
    explicit GivenTime(const Clock* clock) : clock_(clock) {}
    [[nodiscard]] std::optional<Timestamp> now() const {
        return clock_ == nullptr ? std::nullopt : std::optional(clock_->now());
    }

  private:
    const Clock* clock_;
};

}  // namespace tessera::metadata::postgres
