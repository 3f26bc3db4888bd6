#include "http/server/address_connections.hpp"

#include <cstring>

namespace tessera::http {
namespace {

// IPv4 addresses all begin with 64 bits of nothing: theirs are the last 64.
std::uint64_t key_of(const IpAddress& address) {
    std::uint64_t key = 0;
    std::memcpy(&key, address.bytes.data() + (address.is_v4() ? 8 : 0), sizeof key);
    return key;
}

}  // namespace

std::optional<AddressConnections::Place> AddressConnections::take(const IpAddress& address, std::size_t most) {
    const std::uint64_t key = key_of(address);
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    std::size_t& held = shard.held[key];
    if (held >= most) return std::nullopt;
    ++held;
    return Place(*this, key);
}

void AddressConnections::give_back(std::uint64_t key) {
    Shard& shard = shard_of(key);
    const std::lock_guard lock(shard.mutex);
    const auto found = shard.held.find(key);
    if (--found->second == 0) shard.held.erase(found);
}

}  // namespace tessera::http
