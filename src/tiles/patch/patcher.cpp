#include "tiles/patch/patcher.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "core/give_way.hpp"
#include "imaging/tile/paint.hpp"
#include "tiles/patch/opener.hpp"
#include "tiles/pyramid/encode_crew.hpp"

namespace tessera::tiles {
namespace {

using Numbers = std::vector<std::uint32_t>;  // of patches, in their order

// Which quarter of the tile above a tile is.
int quarter_column(TileCoord tile) {
    return static_cast<int>(tile.column() % 2);
}
int quarter_row(TileCoord tile) {
    return static_cast<int>(tile.row() % 2);
}

class Patcher {
  public:
    Patcher(const Layers& layers, const PyramidShape& shape, std::span<const Patch> patches,
            const imaging::RasterStore& rasters, const PyramidOptions& options, ArchiveWriter& delta)
        : shape_(shape),
          patches_(patches),
          rasters_(rasters),
          options_(options),
          encoding_(options.encoding),
          opener_(layers, shape, options.encoding),
          delta_(delta) {}

    JobResult<void> run() {
        Numbers all(patches_.size());
        for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
        const Branch root{*TileCoord::make(0, 0, 0), std::move(all)};
        if (auto grown = grow_branches(root); !grown) return grown;
        if (auto started = crew_.start(encoding_, options_.threads, options_.helpers); !started) return started;
        const auto visited = visit(root, nullptr);
        auto finished = crew_.finish();
        if (!visited) return visited.error();
        if (finished && delta_.content_bytes() == 0) return write(root.tile, (*visited)->original());
        return finished;
    }

  private:
    // A tile, the patches that touch it, and by that everything under it that they touch.
    struct Branch {
        TileCoord tile;
        Numbers touching;
    };

    // The parts of the branch one zoom in.
    [[nodiscard]] std::vector<Branch> children_of(const Branch& branch) const {
        std::vector<Branch> children;
        for (int i = 0; i < 4; ++i) {
            const TileCoord tile = child_of(branch.tile, i);
            const PixelRect area = full_size_area(tile);
            Numbers touching;
            std::ranges::copy_if(branch.touching, std::back_inserter(touching),
                                 [&](std::uint32_t number) { return !intersect(patches_[number].area, area).empty(); });
            if (!touching.empty() && shape_.contains(tile)) children.push_back({tile, std::move(touching)});
        }
        return children;
    }

    // Patches in many places: every core takes branches and does all of them itself, decoding included. What is left
    // for visit() are the few tiles above. In few places: nothing is done here; cores share the encoding, thoroughly.
    JobResult<void> grow_branches(const Branch& root) {
        const auto own = static_cast<std::size_t>(std::max(1, options_.threads));
        const std::size_t threads = own + static_cast<std::size_t>(std::max(0, options_.helpers));
        const std::size_t many = std::max<std::size_t>(16, 4 * threads);
        std::vector<Branch> branches = {root};
        while (branches.size() < many && branches.front().tile.zoom() < shape_.max_zoom()) {
            std::vector<Branch> closer;
            for (const Branch& branch : branches) std::ranges::move(children_of(branch), std::back_inserter(closer));
            branches = std::move(closer);
        }
        if (branches.size() < many) {
            encoding_.effort = Effort::thorough;
            return {};
        }
        encoding_.effort = Effort::quickest;
        std::atomic<std::size_t> next{0};
        std::mutex mutex;
        std::optional<JobError> error;
        const auto work = [&] {
            auto encoder = imaging::TileEncoder::make(encoding_);
            for (std::size_t i = next++; i < branches.size(); i = next++) {
                auto canvas = encoder ? visit(branches[i], encoder->get()) : broken(encoder.error());
                const std::lock_guard lock(mutex);
                if (canvas) {
                    grown_.emplace(branches[i].tile.id(), std::move(*canvas));
                    continue;
                }
                if (!error) error = std::move(canvas).error();
                next = branches.size();
            }
        };
        {
            std::vector<std::jthread> helpers;
            for (std::size_t i = 1; i < threads; ++i) {
                helpers.emplace_back([&work, gives_way = i >= own] {
                    if (gives_way) give_way();
                    work();
                });
            }
            work();
        }
        if (error) return std::move(*error);
        return {};
    }

    // Where the tile lies in the full-size picture.
    [[nodiscard]] PixelRect full_size_area(TileCoord tile) const {
        const std::int64_t side = std::int64_t{shape_.tile_size()} << (shape_.max_zoom() - tile.zoom());
        return {tile.column() * side, tile.row() * side, side, side};
    }

    // The changed tile of a branch, after everything under it. Encodes with `encoder`, or through the crew.
    JobResult<CanvasPtr> visit(const Branch& branch, imaging::TileEncoder* encoder) {
        const TileCoord tile = branch.tile;
        if (encoder == nullptr) {
            if (const auto grown = grown_.find(tile.id()); grown != grown_.end()) return std::move(grown->second);
        }
        if (options_.cancelled()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
        auto canvas = tile.zoom() == shape_.max_zoom() ? paint(tile, branch.touching) : combine(branch, encoder);
        if (!canvas) return canvas;
        auto written = encoder != nullptr ? encode(tile, **canvas, *encoder) : submit(tile, *canvas);
        if (!written) return std::move(written).error();
        return canvas;
    }

    JobResult<CanvasPtr> paint(TileCoord tile, const Numbers& touching) const {
        const PixelRect area = full_size_area(tile);
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
        auto canvas = opener_.open(tile, dirty, hidden);
        if (!canvas) return canvas;
        for (const std::uint32_t number : touching) {
            const Patch& patch = patches_[number];
            const PixelRect at = in_tile(patch.area);
            if (const auto* colour = std::get_if<Colour>(&patch.filling)) {
                imaging::paint((*canvas)->pixels(), at.x, at.y, at.width, at.height, *colour);
                continue;
            }
            ImageBuffer pixels(PixelLayout::rgba, at.width, at.height);
            const auto& raster = std::get<imaging::Raster>(patch.filling);
            auto read = rasters_.read(raster, area.x + at.x - patch.area.x, area.y + at.y - patch.area.y, pixels);
            if (!read) return std::move(read).error();
            imaging::paint((*canvas)->pixels(), at.x, at.y, pixels.view());
        }
        return canvas;
    }

    // From the changed tiles one zoom in.
    JobResult<CanvasPtr> combine(const Branch& branch, imaging::TileEncoder* encoder) {
        const std::vector<Branch> parts = children_of(branch);
        std::vector<CanvasPtr> children;
        DirtyCells dirty(shape_.tile_size());
        for (const Branch& part : parts) {
            auto child = visit(part, encoder);
            if (!child) return child;
            children.push_back(*child);
            add_half((*child)->dirty(), quarter_column(part.tile), quarter_row(part.tile), dirty);
        }
        auto canvas = opener_.open(branch.tile, dirty, {});
        if (!canvas) return canvas;
        for (std::size_t i = 0; i < parts.size(); ++i) {
            const TileCoord tile = parts[i].tile;
            const PixelRect picture = shape_.picture_in(tile);
            auto taken = (*canvas)->take_half(*children[i], quarter_column(tile), quarter_row(tile), picture.width,
                                              picture.height);
            if (!taken) return broken(taken.error());
        }
        return canvas;
    }

    static TileCoord child_of(TileCoord tile, int quarter) {
        return *TileCoord::make(tile.zoom() + 1, 2 * std::int64_t{tile.column()} + quarter % 2,
                                2 * std::int64_t{tile.row()} + quarter / 2);
    }

    JobResult<void> submit(TileCoord tile, CanvasPtr canvas) {
        return crew_.submit([this, tile, canvas = std::move(canvas)](imaging::TileEncoder& encoder) {
            return encode(tile, *canvas, encoder);
        });
    }

    // The next two run on any thread.
    JobResult<void> encode(TileCoord tile, PatchCanvas& canvas, imaging::TileEncoder& encoder) {
        const auto bytes = canvas.encode(encoder, encoding_.effort);
        if (!bytes) return broken(bytes.error());
        if (*bytes == canvas.original()) return {};
        return write(tile, *bytes);
    }

    JobResult<void> write(TileCoord tile, const Bytes& bytes) {
        const auto content = delta_.add_content(bytes);
        if (!content) return broken(content.error());
        delta_.add_tile(tile, *content);
        if (delta_.content_bytes() > options_.max_bytes) {
            return JobError{JobErrorCode::artifact_too_large, "the tiles take more bytes than allowed", ""};
        }
        return {};
    }

    const PyramidShape& shape_;
    std::span<const Patch> patches_;
    const imaging::RasterStore& rasters_;
    const PyramidOptions& options_;
    imaging::TileEncoding encoding_;
    PatchOpener opener_;
    ArchiveWriter& delta_;
    std::unordered_map<std::uint64_t, CanvasPtr> grown_;  // what grow_branches() made, by tile id
    EncodeCrew crew_;                                     // last: its threads end before what they use
};

}  // namespace

JobResult<void> patch_tileset(const Layers& layers, const PyramidShape& shape, std::span<const Patch> patches,
                              const imaging::RasterStore& rasters, const PyramidOptions& options,
                              ArchiveWriter& delta) {
    return Patcher(layers, shape, patches, rasters, options, delta).run();
}

}  // namespace tessera::tiles
