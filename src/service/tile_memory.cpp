#include "service/tile_memory.hpp"

namespace tessera::service {

TileMemory& TileMemory::of_this_thread(std::uint64_t reader_id) {
    thread_local TileMemory memory;
    if (memory.reader_id_ != reader_id) {
        memory = TileMemory();
        memory.reader_id_ = reader_id;
    }
    return memory;
}

const LocalVersion* TileMemory::find(const VersionKey& key) {
    const auto found = versions_.find(key);
    if (found == versions_.end()) return nullptr;
    if (!found->second.version().stale.load(std::memory_order_acquire)) return &found->second;
    versions_.erase(found);
    return nullptr;
}

const LocalVersion* TileMemory::keep(const OpenVersionPtr& version) {
    std::erase_if(versions_, [](const auto& entry) { return entry.second.version().stale.load(); });
    if (versions_.size() >= most_versions) versions_.erase(versions_.begin());
    LocalVersion local{std::make_shared<const OpenVersionPtr>(version), &version->add_tally()};
    return &versions_.insert_or_assign(version->key, std::move(local)).first->second;
}

std::size_t TileMemory::slot_of(std::uint64_t layer_id, std::uint64_t offset) {
    return static_cast<std::size_t>(((offset ^ (layer_id << 40)) * 0x9e3779b97f4a7c15ULL) >> 50);
}

TileMemory::Known TileMemory::known(std::uint64_t layer_id, std::uint64_t offset, std::int64_t now_s) const {
    const Checked& slot = checked_[slot_of(layer_id, offset)];
    if (slot.layer_id != layer_id || slot.offset != offset) return Known::nothing;
    return slot.resident_at_s == now_s ? Known::resident : Known::checked;
}

void TileMemory::note(std::uint64_t layer_id, std::uint64_t offset, std::int64_t now_s) {
    checked_[slot_of(layer_id, offset)] = {layer_id, offset, now_s};
}

}  // namespace tessera::service
