#include "tiles/pyramid/grid_pyramid.hpp"

#include <array>
#include <list>
#include <memory>
#include <unordered_map>

#include "imaging/tile/halve.hpp"
#include "tiles/pyramid/encode_crew.hpp"

namespace tessera::tiles {
namespace {

constexpr std::size_t cached_tiles = 128;
constexpr std::uint32_t outside = 0;  // the number of tiles that are not part of the picture

// Pixels of a tile that are picture: fewer than a whole tile at the right and bottom.
struct Rendered {
    ImageBuffer pixels;
    std::int64_t width = 0;
    std::int64_t height = 0;
};
using RenderedPtr = std::shared_ptr<const Rendered>;

// The last few tiles that were rendered. Others are rendered again when they are needed again.
class TileCache {
  public:
    RenderedPtr find(std::uint32_t number) {
        const auto found = entries_.find(number);
        if (found == entries_.end()) return nullptr;
        order_.splice(order_.begin(), order_, found->second.second);
        return found->second.first;
    }
    void keep(std::uint32_t number, RenderedPtr tile) {
        order_.push_front(number);
        entries_[number] = {std::move(tile), order_.begin()};
        if (entries_.size() <= cached_tiles) return;
        entries_.erase(order_.back());
        order_.pop_back();
    }

  private:
    std::list<std::uint32_t> order_;
    std::unordered_map<std::uint32_t, std::pair<RenderedPtr, std::list<std::uint32_t>::iterator>> entries_;
};

// How to make a tile: from the scene, or from four others.
struct Recipe {
    PixelRect part;  // of the canvas; empty for one that is made from others
    GridScene::Blocks seen;
    std::array<std::uint32_t, 4> children{};
};

class GridPyramid {
  public:
    GridPyramid(const GridScene& scene, const PyramidShape& shape, const PyramidOptions& options,
                ArchiveWriter& archive)
        : scene_(scene), shape_(shape), options_(options), archive_(archive), recipes_(1), contents_(1) {}

    JobResult<void> run() {
        if (auto started = crew_.start(options_.encoding, options_.threads, options_.helpers); !started) return started;
        const auto visited = visit(*TileCoord::make(0, 0, 0), scene_.all_blocks());
        auto finished = crew_.finish();
        if (!visited) return visited.error();
        if (!finished) return finished;
        for (const auto& [tile, number] : placed_) archive_.add_tile(tile, *contents_[number]);
        return {};
    }

  private:
    // The number of what the tile shows.
    JobResult<std::uint32_t> visit(TileCoord tile, const GridScene::Blocks& blocks) {
        if (!shape_.contains(tile)) return outside;
        if (options_.cancelled()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
        const int below = shape_.max_zoom() - tile.zoom();
        const std::int64_t side = std::int64_t{shape_.tile_size()} << below;
        const PixelRect part = intersect({tile.column() * side, tile.row() * side, side, side},
                                         {0, 0, shape_.size().width, shape_.size().height});
        Recipe recipe;
        recipe.seen = scene_.seen_in(part, blocks);
        key_.clear();
        if (below == 0) {
            recipe.part = part;
            scene_.describe(part, recipe.seen, key_);
        } else {
            for (std::size_t i = 0; i < 4; ++i) {
                const auto child =
                    TileCoord::make(tile.zoom() + 1, 2 * std::int64_t{tile.column()} + static_cast<std::int64_t>(i % 2),
                                    2 * std::int64_t{tile.row()} + static_cast<std::int64_t>(i / 2));
                auto number = visit(*child, recipe.seen);
                if (!number) return number;
                recipe.children[i] = *number;
            }
            recipe.seen.clear();  // what the children show says it all
            key_.assign(reinterpret_cast<const char*>(recipe.children.data()), sizeof recipe.children);
        }
        auto number = number_of(std::move(recipe), below == 0);
        if (number) placed_.emplace_back(tile, *number);
        if (number && placed_.size() % 64 == 0) {
            options_.progress(0.97 * static_cast<double>(placed_.size()) / static_cast<double>(shape_.tile_count()));
        }
        return number;
    }

    // The number under the key; a key that is new is rendered and encoded.
    JobResult<std::uint32_t> number_of(Recipe recipe, bool is_base) {
        auto& known = is_base ? base_numbers_ : other_numbers_;
        const auto [place, is_new] = known.try_emplace(key_, static_cast<std::uint32_t>(recipes_.size()));
        if (!is_new) return place->second;
        const std::uint32_t number = place->second;
        recipes_.push_back(std::move(recipe));
        {
            const std::lock_guard lock(contents_mutex_);
            contents_.emplace_back();
        }
        auto tile = render(number);
        if (!tile) return tile.error();
        if (auto submitted = crew_.submit(
                [this, number, tile = *tile](imaging::TileEncoder& encoder) { return encode(number, *tile, encoder); });
            !submitted) {
            return std::move(submitted).error();
        }
        return number;
    }

    JobResult<RenderedPtr> render(std::uint32_t number) {
        if (auto kept = cache_.find(number)) return kept;
        const Recipe recipe = recipes_[number];  // a copy: rendering others may move the list
        auto made = recipe.part.empty() ? render_from(recipe.children) : render_scene(recipe);
        if (made) cache_.keep(number, *made);
        return made;
    }

    JobResult<RenderedPtr> render_scene(const Recipe& recipe) const {
        auto tile = std::make_shared<Rendered>();
        tile->pixels = ImageBuffer(PixelLayout::rgba, shape_.tile_size(), shape_.tile_size());
        tile->width = recipe.part.width;
        tile->height = recipe.part.height;
        if (auto painted = scene_.paint(recipe.part, recipe.seen, tile->pixels); !painted)
            return std::move(painted).error();
        return RenderedPtr(std::move(tile));
    }

    JobResult<RenderedPtr> render_from(const std::array<std::uint32_t, 4>& children) {
        const std::int64_t size = shape_.tile_size();
        ImageBuffer four(PixelLayout::rgba, 2 * size, 2 * size);
        std::int64_t width = 0;
        std::int64_t height = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            if (children[i] == outside) continue;
            auto child = render(children[i]);
            if (!child) return child;
            const auto x = static_cast<std::int64_t>(i % 2) * size;
            const auto y = static_cast<std::int64_t>(i / 2) * size;
            const Rendered& it = **child;
            copy_pixels(it.pixels.view(0, 0, static_cast<int>(it.width), static_cast<int>(it.height)), four, x, y);
            width = std::max(width, x + it.width);
            height = std::max(height, y + it.height);
        }
        auto tile = std::make_shared<Rendered>();
        tile->pixels = ImageBuffer(PixelLayout::rgba, size, size);
        tile->width = (width + 1) / 2;
        tile->height = (height + 1) / 2;
        imaging::halve(four.view(0, 0, static_cast<int>(width), static_cast<int>(height)), tile->pixels, 0, 0);
        return RenderedPtr(std::move(tile));
    }

    // On any thread of the crew.
    JobResult<void> encode(std::uint32_t number, const Rendered& tile, imaging::TileEncoder& encoder) {
        const bool jpeg = options_.encoding.format == ImageFormat::jpeg;
        const int size = shape_.tile_size();
        ImageBuffer padded(jpeg ? PixelLayout::rgb : PixelLayout::rgba, size, size);
        fill_rectangle(padded, 0, 0, size, size, jpeg ? scene_.design().background : Colour{0, 0, 0, 0});
        copy_as_colour(tile.pixels.view(0, 0, static_cast<int>(tile.width), static_cast<int>(tile.height)), padded);
        const auto bytes = encoder.encode(padded.view());
        if (!bytes) return JobError{JobErrorCode::internal_error, "internal error", bytes.error().detail};
        const auto content = archive_.add_content(*bytes);
        if (!content)
            return JobError{JobErrorCode::storage_unavailable, content.error().message, content.error().detail};
        if (archive_.content_bytes() > options_.max_bytes) {
            return JobError{JobErrorCode::artifact_too_large, "the tiles take more bytes than allowed", ""};
        }
        const std::lock_guard lock(contents_mutex_);
        contents_[number] = *content;
        return {};
    }

    const GridScene& scene_;
    const PyramidShape& shape_;
    const PyramidOptions& options_;
    ArchiveWriter& archive_;
    std::string key_;
    std::unordered_map<std::string, std::uint32_t> base_numbers_;
    std::unordered_map<std::string, std::uint32_t> other_numbers_;
    std::vector<Recipe> recipes_;
    TileCache cache_;
    std::vector<std::pair<TileCoord, std::uint32_t>> placed_;
    std::mutex contents_mutex_;
    std::deque<std::optional<ContentId>> contents_;
    EncodeCrew crew_;  // last: its threads end before what they use
};

}  // namespace

JobResult<void> render_grid(const GridScene& scene, const PyramidOptions& options, ArchiveWriter& archive) {
    const PixelSize size = scene.design().size;
    const auto shape = PyramidShape::make(size.width, size.height, options.tile_size);
    if (!shape) return JobError{JobErrorCode::operation_invalid, "the canvas has no pyramid", shape.error().detail};
    return GridPyramid(scene, *shape, options, archive).run();
}

}  // namespace tessera::tiles
