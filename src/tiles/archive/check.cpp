#include "tiles/archive/check.hpp"

namespace tessera::tiles {
namespace {

using pmtiles::damaged;

bool same(const TilesetGeometry& a, const TilesetGeometry& b) {
    return a.format == b.format && a.tile_size == b.tile_size && a.width == b.width && a.height == b.height &&
           a.min_zoom == b.min_zoom && a.max_zoom == b.max_zoom;
}

// Each tile of the run is one of the picture's, and there are no more than it has.
Result<void> check_run(const Archive::Run& run, const PyramidShape& shape, std::uint64_t room) {
    if (run.length > room) return damaged("more tiles than the picture has");
    for (std::uint64_t id = run.first_id; id < run.first_id + run.length; ++id) {
        const auto tile = TileCoord::from_id(id);
        if (!tile || !shape.contains(*tile)) return damaged("a tile outside the picture");
    }
    return {};
}

}  // namespace

Result<ArchiveContents> check_archive(const Archive& archive, const ArchivePlan& plan) {
    const auto shape = PyramidShape::make(plan.geometry.width, plan.geometry.height, plan.geometry.tile_size);
    if (!shape) return shape.error();
    const pmtiles::Header& header = archive.header();
    if (!archive.geometry() || !same(*archive.geometry(), plan.geometry)) return damaged("another picture's");
    if (archive.is_delta() != plan.delta || (archive.has_recipes() && !plan.delta)) return damaged("of another kind");
    if (header.internal_compression != pmtiles::Compression::gzip ||
        header.tile_compression != pmtiles::Compression::none || !header.clustered) {
        return damaged("not packed as ours are");
    }

    ArchiveContents contents{0, header.tile_contents};
    std::uint64_t entries = 0;
    const auto walked = archive.for_each([&](const Archive::Run& run) -> Result<void> {
        if (auto fine = check_run(run, *shape, shape->tile_count() - contents.tiles); !fine) return fine;
        contents.tiles += run.length;
        ++entries;
        return {};
    });
    if (!walked) return walked.error();
    if (!plan.delta && contents.tiles != shape->tile_count()) return damaged("tiles are missing");
    if (header.addressed_tiles != contents.tiles || header.tile_entries != entries || contents.stored == 0 ||
        contents.stored > entries) {
        return damaged("false counts");
    }
    return contents;
}

}  // namespace tessera::tiles
