#include "tiles/archive/writer.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <numbers>

#include "codecs/recipe/splice.hpp"

namespace tessera::tiles {
namespace {

using pmtiles::Bytes;
using pmtiles::Entry;
using pmtiles::Header;
using pmtiles::Place;

constexpr int gzip_level = 6;
constexpr std::size_t first_leaf_size = 4096;
// More entries than can be worth trying to fit in a root directory of 16 KiB.
constexpr std::size_t max_root_entries = 16384;

struct Directories {
    Bytes root;
    Bytes leaves;
    std::size_t per_leaf = 0;
};

bool fits_as_root(const Bytes& root) {
    return root.size() <= pmtiles::root_limit - pmtiles::header_size;
}

Directories split_into_leaves(std::span<const Entry> entries, std::size_t per_leaf) {
    Directories made{.root = {}, .leaves = {}, .per_leaf = per_leaf};
    std::vector<Entry> pointers;
    for (std::size_t first = 0; first < entries.size(); first += per_leaf) {
        const auto part = entries.subspan(first, std::min(per_leaf, entries.size() - first));
        const Bytes leaf = pmtiles::gzip(pmtiles::encode_directory(part), gzip_level);
        pointers.push_back({part.front().tile_id, made.leaves.size(), static_cast<std::uint32_t>(leaf.size()), 0});
        made.leaves.insert(made.leaves.end(), leaf.begin(), leaf.end());
    }
    made.root = pmtiles::gzip(pmtiles::encode_directory(pointers), gzip_level);
    return made;
}

Directories make_directories(std::span<const Entry> entries) {
    if (entries.size() <= max_root_entries) {
        Bytes root = pmtiles::gzip(pmtiles::encode_directory(entries), gzip_level);
        if (fits_as_root(root)) return {.root = std::move(root), .leaves = {}, .per_leaf = 0};
    }
    std::size_t per_leaf = first_leaf_size;
    Directories made = split_into_leaves(entries, per_leaf);
    while (!fits_as_root(made.root)) made = split_into_leaves(entries, per_leaf *= 2);
    return made;
}

// Where a point of the zoomed world is on the globe (0..1 from the left, 0..1 from the top): map viewers place the
// picture by it, in the north-west corner of the map.
Place place_at(double across, double down) {
    const double longitude = across * 360.0 - 180.0;
    const double latitude = std::atan(std::sinh(std::numbers::pi * (1.0 - 2.0 * down))) * 180.0 / std::numbers::pi;
    return {static_cast<std::int32_t>(std::lround(longitude * 1e7)),
            static_cast<std::int32_t>(std::lround(latitude * 1e7))};
}

void set_places(Header& header, const TilesetGeometry& geometry) {
    const double world = std::ldexp(static_cast<double>(geometry.tile_size), geometry.max_zoom);
    const double across = std::min(1.0, static_cast<double>(geometry.width) / world);
    const double down = std::min(1.0, static_cast<double>(geometry.height) / world);
    const Place top_left = place_at(0, 0);
    const Place bottom_right = place_at(across, down);
    header.min_place = {top_left.longitude_e7, bottom_right.latitude_e7};
    header.max_place = {bottom_right.longitude_e7, top_left.latitude_e7};
    header.center = place_at(across / 2, down / 2);
    header.center_zoom = static_cast<std::uint8_t>(geometry.min_zoom);
}

}  // namespace

// All that is known before the first byte is written.
struct ArchiveWriter::Plan {
    std::vector<Entry> entries;
    std::vector<ContentId> order;          // contents as they will lie in the file
    std::vector<std::uint32_t> checksums;  // of the entries
    std::uint64_t content_bytes = 0;
    std::uint64_t tile_count = 0;
    Directories directories;
};

ArchiveWriter::ArchiveWriter(ArchiveInfo info, const std::filesystem::path& scratch)
    : info_(std::move(info)), spool_(scratch) {}

Result<ContentId> ArchiveWriter::add_content(std::span<const std::uint8_t> bytes) {
    if (bytes.empty() || bytes.size() > std::numeric_limits<std::uint32_t>::max()) {
        return internal_error("a tile of " + std::to_string(bytes.size()) + " bytes");
    }
    const ContentHash hash = content_hash(bytes);
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = known_.find(hash); known != known_.end()) return known->second;
    }
    const std::uint32_t crc = pmtiles::crc32(bytes);
    const auto offset = spool_.append(bytes);
    if (!offset) return offset.error();
    const std::lock_guard lock(mutex_);
    has_recipes_ = has_recipes_ || codecs::is_recipe(bytes);
    // Another thread may have stored the same bytes meanwhile: then ours lie unused in the spool.
    const auto [slot, is_new] = known_.try_emplace(hash, ContentId(static_cast<std::uint32_t>(contents_.size())));
    if (is_new) contents_.push_back({*offset, static_cast<std::uint32_t>(bytes.size()), crc});
    return slot->second;
}

void ArchiveWriter::add_tile(TileCoord tile, ContentId content) {
    add_run(tile.id(), 1, content);
}

void ArchiveWriter::add_run(std::uint64_t first_id, std::uint32_t length, ContentId content) {
    const std::lock_guard lock(mutex_);
    placements_.push_back({first_id, length, content});
}

Result<ArchiveWriter::Plan> ArchiveWriter::plan() {
    if (placements_.empty()) return internal_error("an archive without tiles");
    std::sort(placements_.begin(), placements_.end(),
              [](const Placement& a, const Placement& b) { return a.first_id < b.first_id; });

    constexpr std::uint64_t unplaced = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint64_t> offsets(contents_.size(), unplaced);
    Plan plan;
    std::uint64_t next_free_id = 0;
    for (const Placement& placed : placements_) {
        if (placed.first_id < next_free_id) return internal_error("a tile was added twice");
        next_free_id = placed.first_id + placed.run_length;
        plan.tile_count += placed.run_length;
        const Content& content = contents_[static_cast<std::size_t>(placed.content)];
        std::uint64_t& offset = offsets[static_cast<std::size_t>(placed.content)];
        if (offset == unplaced) {
            offset = plan.content_bytes;
            plan.content_bytes += content.length;
            plan.order.push_back(placed.content);
        }
        Entry* last = plan.entries.empty() ? nullptr : &plan.entries.back();
        if (last != nullptr && last->offset == offset && last->tile_id + last->run_length == placed.first_id &&
            placed.run_length <= std::numeric_limits<std::uint32_t>::max() - last->run_length) {
            last->run_length += placed.run_length;
            continue;
        }
        plan.entries.push_back({placed.first_id, offset, content.length, placed.run_length});
        plan.checksums.push_back(content.crc32);
    }
    plan.directories = make_directories(plan.entries);
    return plan;
}

std::string ArchiveWriter::metadata_json(const Plan& plan) const {
    const TilesetGeometry& geometry = info_.geometry;
    const boost::json::value checksums = {
        {"kind", "crc32 of each directory entry's tile, little-endian, at the end of the tile data"},
        {"offset", plan.content_bytes},
        {"count", plan.checksums.size()},
        {"per_leaf", plan.directories.per_leaf}};
    boost::json::object metadata = {{"type", "baselayer"},
                                    {"format", to_string(geometry.format)},
                                    {"generator", "tessera"},
                                    {"tessera",
                                     {{"format", to_string(geometry.format)},
                                      {"tile_size", geometry.tile_size},
                                      {"width", geometry.width},
                                      {"height", geometry.height},
                                      {"min_zoom", geometry.min_zoom},
                                      {"max_zoom", geometry.max_zoom},
                                      {"delta", info_.delta},
                                      {"options", boost::json::parse(info_.options_json)},
                                      {"checksums", checksums}}}};
    if (info_.delta) {
        boost::json::array areas;
        for (const PixelRect& area : info_.patched) {
            areas.push_back(boost::json::array{area.x, area.y, area.width, area.height});
        }
        metadata["tessera"].as_object()["patched"] = std::move(areas);
        metadata["tessera"].as_object()["recipes"] = has_recipes_;
    }
    if (!info_.name.empty()) metadata["name"] = info_.name;
    return boost::json::serialize(metadata);
}

Result<void> ArchiveWriter::write(int fd, const Plan& plan) const {
    const std::string metadata = metadata_json(plan);
    const Bytes packed =
        pmtiles::gzip({reinterpret_cast<const std::uint8_t*>(metadata.data()), metadata.size()}, gzip_level);

    Header header;
    header.root = {pmtiles::header_size, plan.directories.root.size()};
    header.metadata = {header.root.end(), packed.size()};
    header.leaves = {header.metadata.end(), plan.directories.leaves.size()};
    header.tile_data = {header.leaves.end(), plan.content_bytes + 4 * plan.checksums.size()};
    header.addressed_tiles = plan.tile_count;
    header.tile_entries = plan.entries.size();
    header.tile_contents = plan.order.size();
    header.clustered = true;
    // Recipes are no pictures: readers of other makes shall not take them for any.
    header.tile_type = has_recipes_ ? pmtiles::TileType::unknown : pmtiles::tile_type_of(info_.geometry.format);
    header.min_zoom = static_cast<std::uint8_t>(info_.geometry.min_zoom);
    header.max_zoom = static_cast<std::uint8_t>(info_.geometry.max_zoom);
    set_places(header, info_.geometry);

    Bytes front = pmtiles::encode_header(header);
    for (const Bytes* part : {&plan.directories.root, &packed, &plan.directories.leaves}) {
        front.insert(front.end(), part->begin(), part->end());
    }
    if (const auto put = write_all(fd, front); !put) return put.error();

    // Contents that lie side by side in the spool, and are wanted so, are copied as one.
    for (std::size_t i = 0; i < plan.order.size();) {
        const Content& first = contents_[static_cast<std::size_t>(plan.order[i])];
        std::uint64_t length = 0;
        for (; i < plan.order.size(); ++i) {
            const Content& next = contents_[static_cast<std::size_t>(plan.order[i])];
            if (next.spool_offset != first.spool_offset + length) break;
            length += next.length;
        }
        if (const auto put = spool_.copy_to(fd, first.spool_offset, length); !put) return put.error();
    }

    Bytes sums;
    sums.reserve(4 * plan.checksums.size());
    for (const std::uint32_t sum : plan.checksums) {
        for (int shift = 0; shift < 32; shift += 8) sums.push_back(static_cast<std::uint8_t>(sum >> shift));
    }
    return write_all(fd, sums);
}

Result<ArchiveSummary> ArchiveWriter::finish(const std::filesystem::path& path) {
    const auto planned = plan();
    if (!planned) return planned.error();
    const UniqueFd fd(::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0644));
    if (!fd) return from_errno("create " + path.string());
    if (const auto written = write(fd.get(), *planned); !written) {
        ::unlink(path.c_str());
        return written.error();
    }
    const auto size = size_of(fd.get());
    if (!size) return size.error();
    return ArchiveSummary{*size, planned->tile_count, planned->entries.size(), planned->order.size()};
}

}  // namespace tessera::tiles
