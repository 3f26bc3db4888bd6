#include "service/delivery/whole_tiles.hpp"

namespace tessera::service {

WholeTiles::Bytes WholeTiles::find(std::uint64_t layer, std::uint64_t offset) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find({layer, offset});
    (found == places_.end() ? meter_.misses : meter_.hits).add();
    if (found == places_.end()) return nullptr;
    held_.splice(held_.begin(), held_, found->second);
    return held_.front().bytes;
}

void WholeTiles::keep(std::uint64_t layer, std::uint64_t offset, Bytes bytes) {
    const std::lock_guard lock(mutex_);
    const Key key{layer, offset};
    if (places_.contains(key)) return;  // another thread was quicker
    bytes_ += bytes->size();
    held_.push_front({key, std::move(bytes)});
    places_[key] = held_.begin();
    while (bytes_ > most_bytes_ && !held_.empty()) {
        bytes_ -= held_.back().bytes->size();
        places_.erase(held_.back().key);
        held_.pop_back();
    }
    meter_.bytes = static_cast<std::int64_t>(bytes_);
}

}  // namespace tessera::service
