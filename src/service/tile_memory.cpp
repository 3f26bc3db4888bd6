#include "service/tile_memory.hpp"

#include "core/hash.hpp"

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
    LocalVersion local{std::make_shared<const OpenVersionPtr>(version), &version->add_tally(), ++last_number_};
    return &versions_.insert_or_assign(version->key, std::move(local)).first->second;
}

TileMemory::Checked* TileMemory::find_tile(const LocalVersion& version, tiles::TileCoord tile) {
    const std::uint64_t place = place_of(tile);
    Checked& slot = checked_[slot_of(version.number, place) % tile_slots];
    return slot.version == version.number && slot.place == place ? &slot : nullptr;
}

void TileMemory::note_tile(const LocalVersion& version, tiles::TileCoord tile, const OpenLayer& layer,
                           const tiles::TileLocation& location, std::int64_t now_s) {
    const std::uint64_t place = place_of(tile);
    checked_[slot_of(version.number, place) % tile_slots] = {version.number, place, &layer, location, now_s};
}

bool TileMemory::knows_signature(const VersionKey& key, std::int64_t expires, std::uint64_t generation,
                                 std::string_view text) const {
    const Signature& slot = signatures_[VersionKeyHash()(key) % signature_slots];
    return slot.generation == generation && slot.expires == expires && slot.key == key &&
           equal_in_constant_time(slot.text, text);
}

void TileMemory::note_signature(Signature signature) {
    signatures_[VersionKeyHash()(signature.key) % signature_slots] = std::move(signature);
}

}  // namespace tessera::service
