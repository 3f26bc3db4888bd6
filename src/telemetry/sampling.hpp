// Which requests are traced. A caller's wish costs us nothing that we did not agree to: it counts where the
// configuration says so, and never beyond the bound of each second.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>

#include "telemetry/config.hpp"

namespace tessera::telemetry {

class Sampling {
  public:
    explicit Sampling(const TracesConfig& config);

    // `wish` is the caller's, where it sent one. Requests that make something are counted apart, so that no flood of
    // reads takes their place.
    [[nodiscard]] bool takes(std::optional<bool> wish, bool makes_something);

  private:
    // So many in each second.
    class Bound {
      public:
        explicit Bound(std::uint32_t most) : most_(most) {}
        [[nodiscard]] bool take(std::uint32_t second);

      private:
        const std::uint32_t most_;
        std::atomic<std::uint64_t> taken_{0};  // the second above, how many below
    };
    [[nodiscard]] bool is_drawn() const;

    const std::uint64_t drawn_below_;  // of 2^32
    const bool follows_callers_;
    Bound reads_;
    Bound makes_;
};

}  // namespace tessera::telemetry
