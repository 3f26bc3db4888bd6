// What accounts may still keep, as far as it was asked for lately: a file that can't stay is refused before it is
// stored, for a query now and then.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "core/clock.hpp"
#include "core/uuid.hpp"
#include "service/access/storage_limits.hpp"

namespace tessera::service {

class AccountRooms {
  public:
    // Whether a file of the account was refused for want of room, and none since was known to fit.
    [[nodiscard]] bool is_short(const Uuid& account) const;

    // Whether a file of this size is known to fit, without asking anew.
    [[nodiscard]] bool takes(const Uuid& account, std::int64_t size, Timestamp now) const;

    // What was just asked for. `is_short`: the next file is worth a question before it is received.
    void note(const Uuid& account, const Room& room, bool is_short, Timestamp now);
    // A file was stored.
    void take(const Uuid& account, std::int64_t size);

  private:
    struct Known {
        Room room;
        Timestamp asked_at;
        bool is_short = false;
    };
    static constexpr std::size_t most_kept = 100'000;
    // Others use up room meanwhile: jobs, and other nodes.
    static constexpr Millis good_for{60'000};

    mutable std::mutex mutex_;
    std::unordered_map<Uuid, Known> known_;
};

}  // namespace tessera::service
