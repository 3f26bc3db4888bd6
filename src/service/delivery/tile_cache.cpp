#include "service/delivery/tile_cache.hpp"

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/per_thread.hpp"
#include "service/delivery/gathered_lookups.hpp"
#include "service/delivery/tileset_errors.hpp"
#include "tiles/archive/layers.hpp"

namespace tessera::service {
namespace {

// Larger tiles are read where waiting is allowed.
constexpr std::uint32_t largest_on_the_spot = 1 << 20;
// Of tiles that patches left as recipes, for threads that have not kept them yet.
constexpr std::size_t most_whole_bytes = 64U << 20;

enum class Wait { never, allowed };

std::string_view text_of(std::span<const std::uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

Error unavailable(const OpenVersion& version, const Error& cause) {
    return tileset_unavailable(cause, "tileset " + version.key.tileset_id.to_string() + ": ");
}

void note_use(const OpenVersion& version, std::int64_t now_s) {
    if (version.last_used_s.load(std::memory_order_relaxed) != now_s) {
        version.last_used_s.store(now_s, std::memory_order_relaxed);
    }
}

// The topmost layer that has the tile is the one that shows it.
Answer<StoredTile> locate(const OpenVersion& version, tiles::TileCoord coord, Wait wait) {
    for (const auto& layer : version.layers) {
        if (wait == Wait::never && !layer->archive().find_is_cached(coord)) return Answer<StoredTile>::must_wait();
        const auto location = layer->archive().find(coord);
        if (!location) return Answer<StoredTile>::damaged(unavailable(version, location.error()));
        if (*location) return StoredTile{layer.get(), **location};
    }
    return Answer<StoredTile>::absent(tile_not_found());
}

// Without waiting; of a mapped layer into the buffer, since this process looks at no mapping itself.
std::optional<blobs::HeldBytes> bytes_at_hand(const StoredTile& stored, std::vector<std::uint8_t>& buffer) {
    if (!stored.layer->is_mapped()) return stored.layer->hold(stored.location);
    buffer.resize(stored.location.length);
    if (!stored.layer->try_read(stored.location, buffer)) return std::nullopt;
    return blobs::HeldBytes{nullptr, buffer};
}

Tile tile_at(const StoredTile& stored, const WantedTile& wanted) {
    Tile tile;
    tile.format = wanted.format;
    tile.archive = stored.layer->tag();
    tile.offset = stored.location.offset;
    tile.seconds_left = wanted.seconds_left;
    return tile;
}

}  // namespace

TileCache::TileCache(OpenTilesets& tilesets) : id_(next_owner_id()), tilesets_(tilesets), whole_(most_whole_bytes) {}

TileAnswer TileCache::find(const WantedTile& wanted) {
    auto& memory = of_this_thread<TileMemory>(id_);
    const LocalVersion* version = memory.find(wanted.version);
    if (version == nullptr) {
        const auto open = tilesets_.find_open(wanted.version);
        if (!open && could_be_ours(wanted.version.tileset_id)) return TileAnswer::must_wait();
        if (!open) return TileAnswer::absent(tileset_not_found());
        version = memory.keep(open);
    }
    if (auto refused = refusal(wanted, version->version())) return TileAnswer::absent(std::move(*refused));
    const Asked asked{wanted, memory, *version, to_unix_seconds(wanted.now)};
    if (Known* known = memory.find_tile(*version, wanted.coord)) return hold_known(asked, *known);
    auto stored = locate(version->version(), wanted.coord, Wait::never);
    if (!stored) return TileAnswer::same_as(std::move(stored));
    return hold_new(asked, *stored);
}

TileAnswer TileCache::hold_known(const Asked& asked, Known& known) {
    if (known.kept) return hold_kept(asked, known);
    if (known.recipe) return hold_whole(asked, known);
    if (known.stored.layer->is_mapped()) return hold_mapped(asked, known);
    return hold_remote(asked, known);
}

// The first time that this thread sees the tile: what is checked now is not checked again.
TileAnswer TileCache::hold_new(const Asked& asked, const StoredTile& stored) {
    if (stored.location.length > largest_on_the_spot) return TileAnswer::must_wait();
    auto held = bytes_at_hand(stored, asked.memory.buffer);
    if (!held) return TileAnswer::must_wait();
    if (const auto right = tiles::Archive::verify(stored.location, held->bytes); !right) {
        return TileAnswer::damaged(unavailable(asked.version.version(), right.error()));
    }
    Known& known = asked.memory.note_tile(asked.version, asked.wanted.coord, stored, asked.now_s);
    known.recipe = tiles::is_recipe(held->bytes);
    if (known.recipe) return hold_whole(asked, known);
    if (stored.layer->is_mapped()) return hold_mapped(asked, known);
    Tile tile = tile_of(asked, known);
    tile.bytes = text_of(held->bytes);
    tile.owner = std::move(held->owner);
    return tile;
}

// Bytes that this thread keeps itself.
TileAnswer TileCache::hold_kept(const Asked& asked, Known& known) {
    Tile tile = tile_of(asked, known);
    tile.bytes = text_of(**known.kept);
    tile.owner = known.kept;
    return tile;
}

// What a recipe makes, if some thread has followed it already.
TileAnswer TileCache::hold_whole(const Asked& asked, Known& known) {
    auto bytes = whole_.find(known.stored.layer->id(), known.stored.location.offset);
    if (!bytes) return TileAnswer::must_wait();
    asked.memory.keep_bytes(known, std::move(bytes));
    if (!known.kept) return TileAnswer::must_wait();  // larger than all there is room for
    return hold_kept(asked, known);
}

// The file's own pages: seen in memory this second, or looked for again.
TileAnswer TileCache::hold_mapped(const Asked& asked, Known& known) {
    const auto& [layer, location] = known.stored;
    if (known.resident_at_s != asked.now_s && !layer->is_resident(location)) return TileAnswer::must_wait();
    Tile tile = tile_of(asked, known);
    tile.bytes = layer->mapped(location);
    tile.owner = asked.version.owner;
    tile.file = layer->descriptor();
    return tile;
}

// A tile of a remote archive, asked for again: from now on this thread has its own copy of what all threads share.
// What that memory holds came from the store or was compared since: it is right for as long as it was right once.
TileAnswer TileCache::hold_remote(const Asked& asked, Known& known) {
    auto held = known.stored.layer->hold(known.stored.location);
    if (!held) return TileAnswer::must_wait();
    asked.memory.keep_bytes(known, std::make_shared<std::vector<std::uint8_t>>(held->bytes.begin(), held->bytes.end()));
    Tile tile = tile_of(asked, known);
    tile.bytes = text_of(held->bytes);
    tile.owner = std::move(held->owner);
    return tile;
}

Tile TileCache::tile_of(const Asked& asked, Known& known) {
    known.resident_at_s = asked.now_s;
    note_use(asked.version.version(), asked.now_s);
    Tile tile = tile_at(known.stored, asked.wanted);
    tile.delivered = &asked.version.tally->bytes;
    return tile;
}

TileAnswer TileCache::load(const WantedTile& wanted) {
    const auto opened = tilesets_.open(wanted.version);
    if (!opened) {
        if (opened.error().code != ErrorCode::tileset_not_found) return TileAnswer::damaged(opened.error());
        tilesets_.lookups().note_unknown(wanted.asker());
        return TileAnswer::absent(opened.error());
    }
    const OpenVersionPtr& version = *opened;
    if (auto refused = refusal(wanted, *version)) return TileAnswer::absent(std::move(*refused));
    auto stored = locate(*version, wanted.coord, Wait::allowed);
    if (!stored) return TileAnswer::same_as(std::move(stored));
    auto bytes = read(*version, *stored, wanted.coord);
    if (!bytes) return TileAnswer::damaged(unavailable(*version, bytes.error()));

    struct Owner {
        OpenVersionPtr version;  // has the tally
        WholeTiles::Bytes bytes;
    };
    Tile tile = tile_at(*stored, wanted);
    tile.bytes = text_of(**bytes);
    tile.owner = std::make_shared<const Owner>(version, std::move(*bytes));
    tile.delivered = &version->shared_tally().bytes;
    return tile;
}

// The tile as clients get it: checked, and put together where a recipe is stored.
Result<WholeTiles::Bytes> TileCache::read(const OpenVersion& version, const StoredTile& stored,
                                          tiles::TileCoord coord) {
    std::vector<std::uint8_t> bytes(stored.location.length);
    if (auto ok = stored.layer->read(stored.location, bytes); !ok) return std::move(ok).error();
    if (auto ok = tiles::Archive::verify(stored.location, bytes); !ok) return std::move(ok).error();
    if (!tiles::is_recipe(bytes)) return std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
    auto made = tiles::whole_tile(std::move(bytes), version.layers.back()->archive(), coord);
    if (!made) return std::move(made).error();
    auto whole = std::make_shared<const std::vector<std::uint8_t>>(std::move(*made));
    whole_.keep(stored.layer->id(), stored.location.offset, whole);
    return whole;
}

}  // namespace tessera::service
