// Tiles that were put together from a recipe and the base's tile, kept for the next who asks: the latest ones, up to so
// many bytes. Safe to use from many threads.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "core/meters.hpp"

namespace tessera::service {

class WholeTiles {
  public:
    using Bytes = std::shared_ptr<const std::vector<std::uint8_t>>;

    explicit WholeTiles(std::size_t most_bytes) : most_bytes_(most_bytes) {}

    // Null when it is not here. `layer` is the id of the open layer, `offset` where the recipe lies in it.
    [[nodiscard]] Bytes find(std::uint64_t layer, std::uint64_t offset);
    void keep(std::uint64_t layer, std::uint64_t offset, Bytes bytes);
    [[nodiscard]] const CacheMeter& meter() const { return meter_; }

  private:
    struct Key {
        std::uint64_t layer;
        std::uint64_t offset;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const noexcept {
            return static_cast<std::size_t>((key.layer * 0x9e3779b97f4a7c15ULL) ^ key.offset);
        }
    };
    struct Held {
        Key key;
        Bytes bytes;
    };
    const std::size_t most_bytes_;
    CacheMeter meter_;
    std::mutex mutex_;
    std::size_t bytes_ = 0;
    std::list<Held> held_;  // the latest used first
    std::unordered_map<Key, std::list<Held>::iterator, KeyHash> places_;
};

}  // namespace tessera::service
