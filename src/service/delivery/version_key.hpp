// Which version of a tileset: a number, or 0 for the one that is current.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "core/uuid.hpp"

namespace tessera::service {

struct VersionKey {
    Uuid tileset_id;
    std::int64_t version = 0;
    bool operator==(const VersionKey&) const = default;
};
struct VersionKeyHash {
    std::size_t operator()(const VersionKey& key) const noexcept {
        return std::hash<Uuid>()(key.tileset_id) ^ (static_cast<std::size_t>(key.version) * 0x9e3779b97f4a7c15ULL);
    }
};

}  // namespace tessera::service
