#include "tiles/patcher.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "imaging/tile_paint.hpp"
#include "tiles/encode_crew.hpp"
#include "tiles/patch_canvas.hpp"

namespace tessera::tiles {
namespace {

using CanvasPtr = std::shared_ptr<PatchCanvas>;
using Numbers = std::vector<std::uint32_t>;  // of patches, in their order

JobError broken(const Error& error) {
    const bool storage = error.code == ErrorCode::storage_unavailable;
    return {storage ? JobErrorCode::storage_unavailable : JobErrorCode::internal_error, error.message, error.detail};
}

class Patcher {
  public:
    Patcher(const Layers& layers, const PyramidShape& shape, std::span<const Patch> patches,
            const imaging::RasterStore& rasters, const PyramidOptions& options, ArchiveWriter& delta)
        : layers_(layers), shape_(shape), patches_(patches), rasters_(rasters), options_(options), delta_(delta) {}

    JobResult<void> run() {
        if (auto started = crew_.start(options_.encoding, options_.threads); !started) return started;
        Numbers all(patches_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
        const auto visited = visit(*TileCoord::make(0, 0, 0), all);
        auto finished = crew_.finish();
        if (!visited) return visited.error();
        return finished;
    }

  private:
    // Where the tile lies in the full-size picture.
    [[nodiscard]] PixelRect full_size_area(TileCoord tile) const {
        const std::int64_t side = std::int64_t{shape_.tile_size()} << (shape_.max_zoom() - tile.zoom());
        return {tile.column() * side, tile.row() * side, side, side};
    }

    // The changed tile; null where no patch touches it.
    JobResult<CanvasPtr> visit(TileCoord tile, const Numbers& candidates) {
        const PixelRect area = full_size_area(tile);
        Numbers touching;
        std::ranges::copy_if(candidates, std::back_inserter(touching),
                             [&](std::uint32_t number) { return !intersect(patches_[number].area, area).empty(); });
        if (touching.empty() || !shape_.contains(tile)) return CanvasPtr();
        if (options_.cancelled()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
        auto canvas = tile.zoom() == shape_.max_zoom() ? paint(tile, area, touching) : combine(tile, touching);
        if (!canvas) return canvas;
        if (auto submitted = submit(tile, *canvas); !submitted) return std::move(submitted).error();
        return canvas;
    }

    // The tile as it is now, with the dirty cells ready to be painted. `hidden` is what will be painted over.
    JobResult<CanvasPtr> open(TileCoord tile, const DirtyCells& dirty, const std::vector<PixelRect>& hidden) const {
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
            auto bytes = layers_[i]->read_tile(tile);
            if (!bytes) return broken(bytes.error());
            if (!*bytes) continue;
            auto opened = PatchCanvas::open(options_.encoding, std::move(**bytes), shape_.tile_size(), dirty);
            if (!opened) return broken(opened.error());
            if (canvas) {
                canvas->take_back(**opened, part);
                wanted.remove(part);
                continue;
            }
            canvas = *opened;
            if (options_.encoding.format == ImageFormat::png || is_base) break;
            wanted = encoded_again(dirty, hidden);
            wanted.remove(wanted.within(areas_in(tile, *layers_[i])));
        }
        if (!canvas) return broken(pmtiles::damaged("a tile of the picture is missing"));
        return canvas;
    }

    // Pixels that will be encoded again though no patch hides them. JPEG is encoded block by block, WebP as a whole.
    [[nodiscard]] PixelSet encoded_again(const DirtyCells& dirty, const std::vector<PixelRect>& hidden) const {
        const int size = shape_.tile_size();
        PixelSet pixels(size);
        if (options_.encoding.format == ImageFormat::jpeg) {
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
    [[nodiscard]] std::vector<PixelRect> areas_in(TileCoord tile, const Archive& delta) const {
        const std::int64_t size = shape_.tile_size();
        const PixelRect square{tile.column() * size, tile.row() * size, size, size};
        std::vector<PixelRect> areas;
        for (const PixelRect& area : delta.patched()) {
            const PixelRect common = intersect(shape_.project(area, tile.zoom()), square);
            if (!common.empty())
                areas.push_back({common.x - square.x, common.y - square.y, common.width, common.height});
        }
        return areas;
    }

    JobResult<CanvasPtr> paint(TileCoord tile, const PixelRect& area, const Numbers& touching) const {
        const auto in_tile = [&](const PixelRect& rect) {
            const PixelRect common = intersect(rect, area);
            return PixelRect{common.x - area.x, common.y - area.y, common.width, common.height};
        };
        DirtyCells dirty(shape_.tile_size());
        std::vector<PixelRect> hidden;
        for (const std::uint32_t number : touching) {
            const PixelRect at = in_tile(patches_[number].area);
            dirty.add(at);
            const auto* colour = std::get_if<Colour>(&patches_[number].filling);
            if (colour != nullptr && colour->opaque()) hidden.push_back(at);
        }
        auto canvas = open(tile, dirty, hidden);
        if (!canvas) return canvas;
        for (const std::uint32_t number : touching) {
            const Patch& patch = patches_[number];
            const PixelRect at = in_tile(patch.area);
            if (const auto* colour = std::get_if<Colour>(&patch.filling)) {
                imaging::paint((*canvas)->pixels(), at.x, at.y, at.width, at.height, *colour);
                continue;
            }
            imaging::ImageBuffer pixels(imaging::PixelLayout::rgba, at.width, at.height);
            const auto& raster = std::get<imaging::Raster>(patch.filling);
            auto read = rasters_.read(raster, area.x + at.x - patch.area.x, area.y + at.y - patch.area.y, pixels);
            if (!read) return std::move(read).error();
            imaging::paint((*canvas)->pixels(), at.x, at.y, pixels.view());
        }
        return canvas;
    }

    // From the changed tiles one zoom in.
    JobResult<CanvasPtr> combine(TileCoord tile, const Numbers& touching) {
        std::array<CanvasPtr, 4> children;
        DirtyCells dirty(shape_.tile_size());
        for (int i = 0; i < 4; ++i) {
            auto child = visit(child_of(tile, i), touching);
            if (!child) return child;
            children[static_cast<std::size_t>(i)] = *child;
            if (*child) add_half((*child)->dirty(), i % 2, i / 2, dirty);
        }
        auto canvas = open(tile, dirty, {});
        if (!canvas) return canvas;
        for (int i = 0; i < 4; ++i) {
            const CanvasPtr& child = children[static_cast<std::size_t>(i)];
            if (!child) continue;
            const PixelRect picture = shape_.picture_in(child_of(tile, i));
            if (auto taken = (*canvas)->take_half(*child, i % 2, i / 2, picture.width, picture.height); !taken) {
                return broken(taken.error());
            }
        }
        return canvas;
    }

    static TileCoord child_of(TileCoord tile, int quarter) {
        return *TileCoord::make(tile.zoom() + 1, 2 * std::int64_t{tile.column()} + quarter % 2,
                                2 * std::int64_t{tile.row()} + quarter / 2);
    }

    JobResult<void> submit(TileCoord tile, CanvasPtr canvas) {
        return crew_.submit([this, tile, canvas = std::move(canvas)](imaging::TileEncoder& encoder) {
            return write(tile, *canvas, encoder);
        });
    }

    // On any thread of the crew.
    JobResult<void> write(TileCoord tile, PatchCanvas& canvas, imaging::TileEncoder& encoder) {
        const auto bytes = canvas.encode(encoder);
        if (!bytes) return broken(bytes.error());
        const bool is_root = tile.zoom() == 0;
        if (*bytes == canvas.original() && !is_root) return {};
        const auto content = delta_.add_content(*bytes);
        if (!content) return broken(content.error());
        delta_.add_tile(tile, *content);
        if (delta_.content_bytes() > options_.max_bytes) {
            return JobError{JobErrorCode::artifact_too_large, "the tiles take more bytes than allowed", ""};
        }
        return {};
    }

    const Layers& layers_;
    const PyramidShape& shape_;
    std::span<const Patch> patches_;
    const imaging::RasterStore& rasters_;
    const PyramidOptions& options_;
    ArchiveWriter& delta_;
    EncodeCrew crew_;  // last: its threads end before what they use
};

}  // namespace

Result<std::optional<Bytes>> read_tile(const Layers& layers, TileCoord tile) {
    for (const auto& layer : layers) {
        auto bytes = layer->read_tile(tile);
        if (!bytes || *bytes) return bytes;
    }
    return std::optional<Bytes>();
}

JobResult<void> patch_tileset(const Layers& layers, const PyramidShape& shape, std::span<const Patch> patches,
                              const imaging::RasterStore& rasters, const PyramidOptions& options,
                              ArchiveWriter& delta) {
    return Patcher(layers, shape, patches, rasters, options, delta).run();
}

}  // namespace tessera::tiles
