// How many connections each client address holds, so that no client takes all there are. Of IPv6, where one client has
// a whole network, the first 64 bits count.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "http/message/address.hpp"

namespace tessera::http {

class AddressConnections {
  public:
    // One connection's, given back when it is destroyed. One that was never taken stands for a connection that does
    // not count.
    class Place {
      public:
        Place() = default;
        Place(Place&& other) noexcept : counts_(std::exchange(other.counts_, nullptr)), key_(other.key_) {}
        Place& operator=(Place&&) = delete;
        ~Place() {
            if (counts_ != nullptr) counts_->give_back(key_);
        }

      private:
        friend class AddressConnections;
        Place(AddressConnections& counts, std::uint64_t key) : counts_(&counts), key_(key) {}

        AddressConnections* counts_ = nullptr;
        std::uint64_t key_ = 0;
    };

    // Nothing when the address holds `most` already.
    std::optional<Place> take(const IpAddress& address, std::size_t most);

  private:
    struct alignas(64) Shard {
        std::mutex mutex;
        std::unordered_map<std::uint64_t, std::size_t> held;
    };

    Shard& shard_of(std::uint64_t key) { return shards_[(key ^ key >> 32) % shards_.size()]; }
    void give_back(std::uint64_t key);

    std::array<Shard, 16> shards_;
};

}  // namespace tessera::http
