#include "service/delivery/tile_memory.hpp"

#include <algorithm>

namespace tessera::service {
namespace {

// One number for each tile of any zoom.
std::uint64_t place_of(tiles::TileCoord tile) {
    return std::uint64_t{tile.column()} << 32 | std::uint64_t{tile.row()} << 5 |
           static_cast<std::uint64_t>(tile.zoom());
}

std::size_t slot_of(std::uint64_t version, std::uint64_t place) {
    return static_cast<std::size_t>(((place ^ (version << 50)) * 0x9e3779b97f4a7c15ULL) >> 40);
}

}  // namespace

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
    LocalVersion local{std::make_shared<const OpenVersionPtr>(version), &version->add_tally(), ++last_number_};
    return &versions_.insert_or_assign(version->key, std::move(local)).first->second;
}

TileMemory::Checked* TileMemory::slots_of(std::uint64_t version, std::uint64_t place) {
    return &checked_[slot_of(version, place) * ways % tile_slots];
}

TileMemory::Checked* TileMemory::find_tile(const LocalVersion& version, tiles::TileCoord tile) {
    const std::uint64_t place = place_of(tile);
    Checked* const slots = slots_of(version.number, place);
    for (Checked* slot = slots; slot != slots + ways; ++slot) {
        if (slot->version == version.number && slot->place == place) return slot;
    }
    return nullptr;
}

// In the place of the one that was asked for least lately.
TileMemory::Checked& TileMemory::note_tile(const LocalVersion& version, tiles::TileCoord tile, const StoredTile& stored,
                                           std::int64_t now_s) {
    const std::uint64_t place = place_of(tile);
    Checked* const slots = slots_of(version.number, place);
    Checked& oldest = *std::ranges::min_element(slots, slots + ways, {}, &Checked::resident_at_s);
    drop_bytes(oldest);
    oldest = {version.number, place, stored, now_s, false, nullptr};
    return oldest;
}

void TileMemory::keep_bytes(Checked& tile, WholeTiles::Bytes bytes) {
    drop_bytes(tile);
    kept_bytes_ += bytes->size();
    tile.kept = std::make_shared<const WholeTiles::Bytes>(std::move(bytes));
    kept_slots_.push_back(static_cast<std::size_t>(&tile - checked_.data()));
    while (kept_bytes_ > most_kept_bytes || kept_slots_.size() > 2 * tile_slots) {
        drop_bytes(checked_[kept_slots_.front()]);
        kept_slots_.pop_front();
    }
}

void TileMemory::drop_bytes(Checked& tile) {
    if (!tile.kept) return;
    kept_bytes_ -= (*tile.kept)->size();
    tile.kept.reset();
}

}  // namespace tessera::service
