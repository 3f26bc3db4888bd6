#include "tiles/pyramid/tile_crew.hpp"

#include <algorithm>

#include "core/give_way.hpp"

namespace tessera::tiles {
namespace {

JobError broken(const Error& error) {
    const bool disk = error.code == ErrorCode::storage_unavailable;
    return {disk ? JobErrorCode::storage_unavailable : JobErrorCode::internal_error, error.message, error.detail};
}

constexpr std::int64_t sample_step = 16;

// Of every `step`th row. Pixels are hashed where they may have to come from memory, which is slow: most tiles of a
// photograph are found to be new by a few rows.
ContentHash pixels_hash(const ImageView& tile, std::int64_t step) {
    ContentHasher hasher;
    for (int plane = 0; plane < plane_count(tile.layout); ++plane) {
        const auto bytes =
            static_cast<std::size_t>(plane_length(tile.layout, plane, tile.width) * bytes_per_pixel(tile.layout));
        const std::int64_t rows = plane_length(tile.layout, plane, tile.height);
        for (std::int64_t y = 0; y < rows; y += step)
            hasher.update({tile.planes[static_cast<std::size_t>(plane)].row(y), bytes});
    }
    hasher.update(static_cast<std::uint64_t>(tile.layout));
    return hasher.finish();
}

// What holds both the picture and the colour around it.
PixelLayout edge_layout(PixelLayout picture, Colour around) {
    if (!around.opaque()) return PixelLayout::rgba;
    const bool is_gray = around.red == around.green && around.green == around.blue;
    return picture == PixelLayout::gray && !is_gray ? PixelLayout::rgb : picture;
}

}  // namespace

TileCrew::TileCrew(const PyramidShape& shape, const PyramidOptions& options, ArchiveWriter& archive)
    : shape_(shape), options_(options), archive_(archive) {}

TileCrew::~TileCrew() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    work_ready_.notify_all();
    for (auto& thread : threads_) thread.join();
}

JobResult<void> TileCrew::start() {
    const auto own = static_cast<std::size_t>(std::max(1, options_.threads));
    const std::size_t count = own + static_cast<std::size_t>(std::max(0, options_.helpers));
    for (std::size_t i = 0; i < count; ++i) {
        auto encoder = imaging::TileEncoder::make(options_.encoding);
        if (!encoder) return broken(encoder.error());
        benches_.push_back({std::move(*encoder), {}});
    }
    // The first bench is the caller's: it decodes, and helps to encode when it is ahead.
    for (std::size_t i = 1; i < count; ++i) {
        threads_.emplace_back([this, i, own] {
            if (i >= own) give_way();
            work(benches_[i]);
        });
    }
    return {};
}

void TileCrew::submit(Strip& strip, int zoom) {
    const std::uint32_t columns = shape_.columns_at(zoom);
    {
        const std::lock_guard lock(mutex_);
        for (std::uint32_t column = 0; column < columns; ++column) {
            queue_.push_back({&strip, *TileCoord::make(zoom, column, strip.tile_row)});
        }
        strip.users += static_cast<int>(columns);
    }
    work_ready_.notify_all();
}

void TileCrew::hold(Strip& strip) {
    const std::lock_guard lock(mutex_);
    ++strip.users;
}

void TileCrew::release(Strip& strip) {
    const std::lock_guard lock(mutex_);
    --strip.users;
}

void TileCrew::fail(JobError error) {
    if (!error_) error_ = std::move(error);
    for (const Work& work : queue_) --work.strip->users;
    queue_.clear();
}

// Called with the lock held and work in the queue.
void TileCrew::run_one(Bench& bench, std::unique_lock<std::mutex>& lock) {
    const Work work = queue_.front();
    queue_.pop_front();
    ++in_flight_;
    lock.unlock();
    auto done = encode(bench, work);
    lock.lock();
    --in_flight_;
    if (!done) fail(std::move(done).error());
    if (--work.strip->users == 0 || in_flight_ == 0) strip_free_.notify_one();
}

void TileCrew::work(Bench& bench) {
    std::unique_lock lock(mutex_);
    while (true) {
        work_ready_.wait(lock, [&] { return stopping_ || !queue_.empty(); });
        if (stopping_) return;
        run_one(bench, lock);
    }
}

JobResult<Strip*> TileCrew::take_free(const std::vector<std::unique_ptr<Strip>>& strips) {
    std::unique_lock lock(mutex_);
    while (true) {
        if (error_) return *error_;
        const auto found =
            std::find_if(strips.begin(), strips.end(), [](const auto& strip) { return strip->users == 0; });
        if (found != strips.end()) return found->get();
        if (queue_.empty()) {
            strip_free_.wait(lock);
        } else {
            run_one(benches_[0], lock);
        }
    }
}

JobResult<void> TileCrew::finish() {
    std::unique_lock lock(mutex_);
    while (!queue_.empty()) run_one(benches_[0], lock);
    strip_free_.wait(lock, [&] { return in_flight_ == 0; });
    if (error_) return *error_;
    return {};
}

JobResult<void> TileCrew::encode(Bench& bench, const Work& work) {
    if (options_.cancelled()) return JobError{JobErrorCode::timeout, "the job was cancelled", ""};
    const PixelRect part = shape_.picture_in(work.tile);
    const int size = options_.tile_size;
    const std::int64_t top = part.y - std::int64_t{work.strip->tile_row} * size;
    const bool whole = part.width == size && part.height == size;
    const PixelRect in_strip{part.x, top, part.width, part.height};
    const ImageView tile =
        whole ? work.strip->pixels.view(part.x, top, size, size) : padded(bench, work.strip->pixels, in_strip);

    const ContentHash sample = pixels_hash(tile, sample_step);
    std::optional<ContentHash> hash;
    {
        const std::lock_guard lock(known_mutex_);
        if (!samples_.insert(sample).second) hash.emplace();
    }
    if (hash) {
        *hash = pixels_hash(tile, 1);
        const std::lock_guard lock(known_mutex_);
        if (const auto known = known_.find(*hash); known != known_.end()) {
            archive_.add_tile(work.tile, known->second);
            return {};
        }
    }
    const auto bytes = bench.encoder->encode(tile);
    if (!bytes) return broken(bytes.error());
    const auto content = archive_.add_content(*bytes);
    if (!content) return broken(content.error());
    archive_.add_tile(work.tile, *content);
    if (archive_.content_bytes() > options_.max_bytes) {
        return JobError{JobErrorCode::artifact_too_large, "the tiles take more bytes than allowed", ""};
    }
    if (hash) {
        const std::lock_guard lock(known_mutex_);
        known_.emplace(*hash, *content);
    }
    return {};
}

// Edge tiles are full-sized, too: what is not picture is the background, which may be transparent.
ImageView TileCrew::padded(Bench& bench, const ImageBuffer& strip, const PixelRect& part) const {
    const Colour around = options_.background;
    const PixelLayout layout = edge_layout(strip.layout(), around);
    const int size = options_.tile_size;
    if (bench.edge.width() != size || bench.edge.layout() != layout) bench.edge = {layout, size, size};
    fill_rectangle(bench.edge, 0, 0, size, size, around);
    const auto seen = strip.view(part.x, part.y, static_cast<int>(part.width), static_cast<int>(part.height));
    if (layout == strip.layout()) {
        copy_pixels(seen, bench.edge);
    } else {
        copy_as_colour(seen, bench.edge);
    }
    return bench.edge.view();
}

}  // namespace tessera::tiles
