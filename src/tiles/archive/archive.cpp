#include "tiles/archive/archive.hpp"

#include <algorithm>

#include "core/file.hpp"
#include "tiles/archive/limits.hpp"

namespace tessera::tiles {
namespace {

using pmtiles::damaged;
using pmtiles::Entry;

// Of all archives that are open.
std::atomic<std::size_t> kept_bytes{0};

// The entry whose run may hold `id`: the last one that does not start after it.
std::optional<std::size_t> entry_before(std::span<const Entry> entries, std::uint64_t id) {
    const auto after =
        std::upper_bound(entries.begin(), entries.end(), id,
                         [](std::uint64_t wanted, const Entry& entry) { return wanted < entry.tile_id; });
    if (after == entries.begin()) return std::nullopt;
    return static_cast<std::size_t>(after - entries.begin()) - 1;
}

bool holds(const Entry& entry, std::uint64_t id) {
    return id - entry.tile_id < entry.run_length;
}

}  // namespace

Result<std::shared_ptr<const Archive>> Archive::open(ReadAt read, std::uint64_t file_size) {
    Bytes head(std::min<std::uint64_t>(pmtiles::header_size, file_size));
    if (const auto got = read(0, head); !got) return got.error();
    const auto header = pmtiles::decode_header(head, file_size);
    if (!header) return header.error();
    std::shared_ptr<Archive> archive(new Archive(std::move(read), *header));
    if (const auto loaded = archive->load(); !loaded) return loaded.error();
    return std::shared_ptr<const Archive>(std::move(archive));
}

Result<std::shared_ptr<const Archive>> Archive::open(int fd) {
    const auto size = size_of(fd);
    if (!size) return size.error();
    return open([fd](std::uint64_t offset, std::span<std::uint8_t> out) { return read_exactly_at(fd, offset, out); },
                *size);
}

Archive::~Archive() {
    if (!leaves_) return;
    for (std::size_t i = 0; i < root_.entries.size(); ++i) std::unique_ptr<const Directory>(leaves_[i].load());
    kept_bytes -= kept_bytes_;
}

Result<void> Archive::load() {
    const auto packed = read_section(header_.metadata.offset, header_.metadata.length);
    if (!packed) return packed.error();
    const auto metadata = pmtiles::decompress(*packed, header_.internal_compression, limits::metadata_bytes);
    if (!metadata) return metadata.error();
    metadata_json_.assign(metadata->begin(), metadata->end());
    auto own = read_own_metadata(metadata_json_, header_);
    if (!own) return own.error();
    own_ = std::move(*own);
    ids_end_ = TileCoord::ids_up_to(own_ ? own_->geometry.max_zoom : max_zoom_level);
    if (own_) geometry_ = own_->geometry;

    auto root = read_directory(header_.root, 0);
    if (!root) return root.error();
    root_ = std::move(*root);
    if (own_ && root_.entries.size() > limits::own_root_entries) return damaged("a root directory that is too long");
    has_leaves_ = std::any_of(root_.entries.begin(), root_.entries.end(),
                              [](const Entry& entry) { return entry.run_length == 0; });
    if (has_leaves_) {
        if (own_ && own_->checksums.per_leaf == 0) return damaged("checksums that fit no leaf directory");
        leaves_ = std::make_unique<std::atomic<const Directory*>[]>(root_.entries.size());
    }
    return {};
}

Result<Bytes> Archive::read_section(std::uint64_t offset, std::uint64_t length) const {
    if (length > limits::directory_bytes) return damaged("a section of " + std::to_string(length) + " bytes");
    Bytes bytes(length);
    if (const auto got = read_(offset, bytes); !got) return got.error();
    return bytes;
}

Result<Archive::Directory> Archive::read_directory(pmtiles::Section where, std::uint64_t first_checksum) const {
    const auto packed = read_section(where.offset, where.length);
    if (!packed) return packed.error();
    const auto plain = pmtiles::decompress(*packed, header_.internal_compression, limits::directory_bytes);
    if (!plain) return plain.error();
    auto entries = pmtiles::decode_directory(*plain);
    if (!entries) return entries.error();

    Directory directory{std::move(*entries), {}};
    if (const auto fine = check_entries(directory); !fine) return fine.error();
    const bool points_to_leaves = directory.entries.front().run_length == 0;
    if (!own_ || points_to_leaves) return directory;

    const auto& checksums = own_->checksums;
    const std::uint64_t count = directory.entries.size();
    if (first_checksum > checksums.count || count > checksums.count - first_checksum) {
        return damaged("fewer checksums than entries");
    }
    const auto raw = read_section(header_.tile_data.offset + checksums.offset + 4 * first_checksum, 4 * count);
    if (!raw) return raw.error();
    directory.checksums.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint8_t* at = raw->data() + 4 * i;
        directory.checksums[i] =
            std::uint32_t{at[0]} | std::uint32_t{at[1]} << 8 | std::uint32_t{at[2]} << 16 | std::uint32_t{at[3]} << 24;
    }
    return directory;
}

Result<void> Archive::check_entries(const Directory& directory) const {
    for (const Entry& entry : directory.entries) {
        const std::uint64_t room = entry.run_length == 0 ? header_.leaves.length : header_.tile_data.length;
        if (entry.offset > room || entry.length > room - entry.offset) return damaged("an entry outside its section");
        if (entry.run_length != 0 && entry.length > limits::tile_bytes) return damaged("a tile that is too long");
        if (entry.tile_id >= ids_end_ || entry.run_length > ids_end_ - entry.tile_id) {
            return damaged("a tile that no picture has");
        }
        if (own_ && (entry.run_length == 0) != (directory.entries.front().run_length == 0)) {
            return damaged("tiles and leaf directories side by side");
        }
    }
    return {};
}

Result<Archive::Directory> Archive::read_leaf(std::size_t root_index) const {
    const Entry& pointer = root_.entries[root_index];
    const std::uint64_t first_checksum = own_ ? root_index * own_->checksums.per_leaf : 0;
    auto read = read_directory({header_.leaves.offset + pointer.offset, pointer.length}, first_checksum);
    if (!read) return read;
    const auto& entries = read->entries;
    const bool nested = std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return e.run_length == 0; });
    if (nested) return damaged("leaf directories more than one deep");
    if (own_ && entries.size() > own_->checksums.per_leaf) return damaged("a leaf directory that is too long");
    const bool is_last = root_index + 1 == root_.entries.size();
    if (entries.front().tile_id < pointer.tile_id ||
        (!is_last && entries.back().tile_id + entries.back().run_length > root_.entries[root_index + 1].tile_id)) {
        return damaged("a leaf directory in the wrong place");
    }
    return read;
}

// Takes part of what may be kept in memory; false where there is no room left.
bool Archive::make_room_for(std::size_t bytes) const {
    const std::size_t here = kept_bytes_.fetch_add(bytes) + bytes;
    const std::size_t everywhere = kept_bytes.fetch_add(bytes) + bytes;
    if (here <= limits::kept_by_archive && everywhere <= limits::kept_in_all) return true;
    give_room_back(bytes);
    return false;
}

void Archive::give_room_back(std::size_t bytes) const {
    kept_bytes_ -= bytes;
    kept_bytes -= bytes;
}

Result<Archive::Leaf> Archive::leaf(std::size_t root_index, Keep keep) const {
    std::atomic<const Directory*>& slot = leaves_[root_index];
    if (const Directory* known = slot.load(std::memory_order_acquire)) return Leaf{known, nullptr};
    auto read = read_leaf(root_index);
    if (!read) return read.error();
    auto mine = std::make_unique<const Directory>(std::move(*read));
    const Directory* found = mine.get();
    if (keep == Keep::no || !make_room_for(found->bytes())) return Leaf{found, std::move(mine)};

    // Two threads may read the same leaf at once; the first keeps its copy.
    const Directory* expected = nullptr;
    if (slot.compare_exchange_strong(expected, found, std::memory_order_acq_rel)) return Leaf{mine.release(), nullptr};
    give_room_back(found->bytes());
    return Leaf{expected, nullptr};
}

TileLocation Archive::locate(const Directory& directory, std::size_t index) const {
    const Entry& entry = directory.entries[index];
    TileLocation location{header_.tile_data.offset + entry.offset, entry.length, std::nullopt};
    if (!directory.checksums.empty()) location.crc32 = directory.checksums[index];
    return location;
}

Result<std::optional<TileLocation>> Archive::find(TileCoord tile) const {
    const std::uint64_t id = tile.id();
    const Directory* directory = &root_;
    Leaf below;
    auto index = entry_before(root_.entries, id);
    if (index && root_.entries[*index].run_length == 0) {
        auto read = leaf(*index, Keep::yes);
        if (!read) return read.error();
        below = std::move(*read);
        directory = below.directory;
        index = entry_before(directory->entries, id);
    }
    if (!index || !holds(directory->entries[*index], id)) return std::optional<TileLocation>();
    return std::optional(locate(*directory, *index));
}

bool Archive::find_is_cached(TileCoord tile) const {
    if (!has_leaves_) return true;
    const auto index = entry_before(root_.entries, tile.id());
    return !index || root_.entries[*index].run_length != 0 ||
           leaves_[*index].load(std::memory_order_acquire) != nullptr;
}

Result<void> Archive::verify(const TileLocation& location, std::span<const std::uint8_t> bytes) {
    if (bytes.size() != location.length) return damaged("a tile of the wrong length");
    if (location.crc32 && pmtiles::crc32(bytes) != *location.crc32) return damaged("a tile fails its checksum");
    return {};
}

Result<Bytes> Archive::read(const TileLocation& location) const {
    if (location.length > limits::tile_bytes) return damaged("a tile of " + std::to_string(location.length) + " bytes");
    Bytes bytes(location.length);
    if (const auto got = read_(location.offset, bytes); !got) return got.error();
    if (const auto sound = verify(location, bytes); !sound) return sound.error();
    return bytes;
}

Result<std::optional<Bytes>> Archive::read_tile(TileCoord tile) const {
    const auto location = find(tile);
    if (!location) return location.error();
    if (!*location) return std::optional<Bytes>();
    auto bytes = read(**location);
    if (!bytes) return bytes.error();
    return std::optional(std::move(*bytes));
}

Result<void> Archive::for_each(const std::function<Result<void>(const Run&)>& visit) const {
    const auto visit_one = [&](const Directory& directory, std::size_t i) {
        const Entry& entry = directory.entries[i];
        return visit({entry.tile_id, entry.run_length, locate(directory, i)});
    };
    for (std::size_t i = 0; i < root_.entries.size(); ++i) {
        if (root_.entries[i].run_length != 0) {
            if (const auto went = visit_one(root_, i); !went) return went.error();
            continue;
        }
        const auto below = leaf(i, Keep::no);
        if (!below) return below.error();
        for (std::size_t j = 0; j < below->directory->entries.size(); ++j) {
            if (const auto went = visit_one(*below->directory, j); !went) return went.error();
        }
    }
    return {};
}

}  // namespace tessera::tiles
