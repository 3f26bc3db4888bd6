#include "tiles/pyramid/pyramid.hpp"

#include <algorithm>

#include "imaging/tile/halve.hpp"
#include "tiles/pyramid/tile_crew.hpp"

namespace tessera::tiles {
namespace {

constexpr std::int64_t row_step = 16;   // what a RowSource may write at once
constexpr double encoded_share = 0.97;  // of the work; the rest is the writing of the archive

// One zoom: the strip that is being filled, and those that are being encoded.
struct Level {
    int zoom = 0;
    PixelSize size;
    std::vector<std::unique_ptr<Strip>> strips;
    Strip* current = nullptr;
    std::int64_t filled = 0;  // rows of the current strip
    std::int64_t done = 0;    // rows of strips before it

    [[nodiscard]] std::int64_t strip_rows(int tile_size) const {
        return std::min<std::int64_t>(tile_size, size.height - done);
    }
};

class Pyramid final : public imaging::RowSink {
  public:
    Pyramid(const PyramidShape& shape, PixelLayout layout, const PyramidOptions& options, TileCrew& crew)
        : options_(options), crew_(crew) {
        for (int zoom = shape.max_zoom(); zoom >= 0; --zoom) {
            Level& level = levels_.emplace_back();
            level.zoom = zoom;
            level.size = shape.size_at(zoom);
            // Full-size strips come fastest: one is filled while two are encoded.
            const std::uint32_t wanted = zoom == shape.max_zoom() ? 3 : 2;
            const std::uint32_t count = std::min(wanted, shape.rows_at(zoom));
            const std::int64_t rows =
                std::min<std::int64_t>(options.tile_size, (level.size.height + row_step - 1) / row_step * row_step);
            for (std::uint32_t i = 0; i < count; ++i) {
                level.strips.push_back(std::make_unique<Strip>());
                level.strips.back()->pixels = ImageBuffer(layout, level.size.width, rows);
            }
        }
    }

    JobResult<imaging::RowSpace> space() override {
        Level& level = levels_.front();
        if (auto ready = prepare(level); !ready) return ready.error();
        return imaging::RowSpace{&level.current->pixels, level.filled,
                                 level.strip_rows(options_.tile_size) - level.filled};
    }

    JobResult<void> commit(std::int64_t rows) override {
        levels_.front().filled += rows;
        if (auto completed = complete_filled(0); !completed) return completed.error();
        const double share =
            static_cast<double>(levels_.front().done) / static_cast<double>(levels_.front().size.height);
        options_.progress(encoded_share * share);
        return {};
    }

    [[nodiscard]] bool complete() const { return levels_.front().done == levels_.front().size.height; }

  private:
    JobResult<void> prepare(Level& level) {
        if (level.current != nullptr) return {};
        auto free = crew_.take_free(level.strips);
        if (!free) return free.error();
        level.current = *free;
        level.current->tile_row = static_cast<std::uint32_t>(level.done / options_.tile_size);
        level.filled = 0;
        return {};
    }

    // Hands the level's strip to the crew if it is full, and its half to the level below.
    JobResult<void> complete_filled(std::size_t index) {
        Level& level = levels_[index];
        if (level.filled < level.strip_rows(options_.tile_size)) return {};
        Strip& strip = *level.current;
        crew_.hold(strip);
        crew_.submit(strip, level.zoom);
        JobResult<void> halved;
        if (index + 1 < levels_.size()) halved = add_half(strip, level, levels_[index + 1]);
        crew_.release(strip);
        level.done += level.filled;
        level.current = nullptr;
        level.filled = 0;
        if (!halved) return halved;
        return index + 1 < levels_.size() ? complete_filled(index + 1) : halved;
    }

    JobResult<void> add_half(const Strip& strip, const Level& from, Level& to) {
        if (auto ready = prepare(to); !ready) return ready.error();
        const auto rows = strip.pixels.view(0, 0, static_cast<int>(from.size.width), static_cast<int>(from.filled));
        imaging::halve(rows, to.current->pixels, 0, to.filled);
        to.filled += (from.filled + 1) / 2;
        return {};
    }

    const PyramidOptions& options_;
    TileCrew& crew_;
    std::vector<Level> levels_;  // full size first
};

}  // namespace

JobResult<void> build_pyramid(imaging::RowSource& source, const PyramidOptions& options, ArchiveWriter& archive) {
    const auto shape = PyramidShape::make(source.width(), source.height(), options.tile_size);
    if (!shape) return JobError{JobErrorCode::operation_invalid, "the picture has no pyramid", shape.error().detail};
    TileCrew crew(*shape, options, archive);
    if (auto started = crew.start(); !started) return started.error();
    Pyramid pyramid(*shape, source.layout(), options, crew);
    auto poured = source.pour(pyramid);
    // Tiles in flight use the strips: wait for them whatever happened.
    auto finished = crew.finish();
    if (!poured) return poured;
    if (!finished) return finished;
    if (!pyramid.complete()) return JobError{JobErrorCode::decode_failed, "the image ends before its last row", ""};
    return {};
}

}  // namespace tessera::tiles
