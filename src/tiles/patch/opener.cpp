#include "tiles/patch/opener.hpp"

namespace tessera::tiles {

JobError broken(const Error& error) {
    const bool storage = error.code == ErrorCode::storage_unavailable;
    return {storage ? JobErrorCode::storage_unavailable : JobErrorCode::internal_error, error.message, error.detail};
}

JobResult<CanvasPtr> PatchOpener::open(TileCoord tile, const DirtyCells& dirty,
                                       const std::vector<PixelRect>& hidden) const {
    CanvasPtr canvas;
    PixelSet wanted(shape_.tile_size());
    for (std::size_t i = 0; i < layers_.size(); ++i) {
        const bool is_base = i + 1 == layers_.size();
        PixelSet part(0);
        if (canvas) {
            part = wanted;
            // A lossy tile loses a little each time it is decoded and encoded. So pixels that this patch does not
            // hide, but must encode again, are taken from the layer that made them.
            if (!is_base) {
                const std::vector<PixelRect> areas = areas_in(tile, *layers_[i]);
                if (areas.empty()) continue;
                part = wanted.within(areas);
            }
            if (!part.any()) continue;
        }
        auto bytes = read_tile_of(*layers_[i], *layers_.back(), tile);
        if (!bytes) return broken(bytes.error());
        if (!*bytes) continue;
        auto opened = PatchCanvas::open(encoding_, std::move(**bytes), shape_.tile_size(), dirty);
        if (!opened) return broken(opened.error());
        if (canvas) {
            canvas->take_back(**opened, part);
            wanted.remove(part);
            continue;
        }
        canvas = *opened;
        if (!is_base) {
            auto base = layers_.back()->read_tile(tile);
            if (!base) return broken(base.error());
            if (*base) canvas->set_base(std::move(**base));
        }
        if (encoding_.format == ImageFormat::png || is_base) break;
        wanted = encoded_again(dirty, hidden);
        wanted.remove(wanted.within(areas_in(tile, *layers_[i])));
    }
    if (!canvas) return broken(pmtiles::damaged("a tile of the picture is missing"));
    return canvas;
}

// Pixels that will be encoded again though no patch hides them. JPEG is encoded block by block, WebP as a whole.
PixelSet PatchOpener::encoded_again(const DirtyCells& dirty, const std::vector<PixelRect>& hidden) const {
    const int size = shape_.tile_size();
    PixelSet pixels(size);
    if (encoding_.format == ImageFormat::jpeg) {
        // Blocks of colour are as large as four of lightness.
        dirty.for_each([&](int column, int row) {
            constexpr std::int64_t block = std::int64_t{2} * cell_size;
            pixels.set({column / 2 * block, row / 2 * block, block, block}, true);
        });
    } else {
        pixels.set({0, 0, size, size}, true);
    }
    for (const PixelRect& area : hidden) pixels.set(area, false);
    return pixels;
}

// Where a delta changed the tile.
std::vector<PixelRect> PatchOpener::areas_in(TileCoord tile, const Archive& delta) const {
    const std::int64_t size = shape_.tile_size();
    const PixelRect square{tile.column() * size, tile.row() * size, size, size};
    std::vector<PixelRect> areas;
    for (const PixelRect& area : delta.patched()) {
        const PixelRect common = intersect(shape_.project(area, tile.zoom()), square);
        if (!common.empty()) areas.push_back({common.x - square.x, common.y - square.y, common.width, common.height});
    }
    return areas;
}

}  // namespace tessera::tiles
