// What one serving thread remembers of who keys speak for, so that a request with a known key takes no lock and counts
// nothing that another core counts. Used by that thread alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/hash.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

class ThreadIdentities {
  public:
    using TimePoint = std::chrono::steady_clock::time_point;

    // Null when it is not known, was learned before the epoch, or too long ago.
    [[nodiscard]] PrincipalPtr find(const Digest& hash, std::uint64_t epoch, TimePoint now) const;
    // Gives the same principal, under a count of this thread's own.
    PrincipalPtr keep(const Digest& hash, std::uint64_t epoch, TimePoint until, PrincipalPtr principal);

  private:
    struct Known {
        Digest hash{};
        std::uint64_t epoch = 0;
        TimePoint until{};
        PrincipalPtr principal;  // null: nobody
    };
    static constexpr std::size_t slots = 1 << 10;
    [[nodiscard]] static std::size_t slot_of(const Digest& hash);

    std::vector<Known> known_ = std::vector<Known>(slots);
};

}  // namespace tessera::service
