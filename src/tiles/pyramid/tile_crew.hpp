// The threads that turn finished strips into encoded tiles of an archive. Equal tiles are stored once, and encoded
// twice at most.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tiles/archive/xyz.hpp"
#include "tiles/pyramid/pyramid.hpp"

namespace tessera::tiles {

// Rows of one zoom that fill one row of tiles. Free again when every tile that was cut from it is encoded.
struct Strip {
    ImageBuffer pixels;
    std::uint32_t tile_row = 0;
    int users = 0;  // guarded by the crew
};

class TileCrew {
  public:
    TileCrew(const PyramidShape& shape, const PyramidOptions& options, ArchiveWriter& archive);
    ~TileCrew();
    TileCrew(const TileCrew&) = delete;
    TileCrew& operator=(const TileCrew&) = delete;

    // Makes the encoders; nothing else may be called before.
    JobResult<void> start();
    // The strip's tiles are wanted. Its pixels may not be written again until it is free.
    void submit(Strip& strip, int zoom);
    // Holds a strip, so that it does not become free; release() gives it back.
    void hold(Strip& strip);
    void release(Strip& strip);
    // A free one of these. Encodes tiles on this thread until there is one; fails when the crew has.
    JobResult<Strip*> take_free(const std::vector<std::unique_ptr<Strip>>& strips);
    // Encodes on this thread, too, until every tile is done.
    JobResult<void> finish();

  private:
    struct Work {
        Strip* strip;
        TileCoord tile;
    };
    // What each thread has for itself.
    struct Bench {
        std::unique_ptr<imaging::TileEncoder> encoder;
        ImageBuffer edge;  // an edge tile with its padding
    };

    void work(Bench& bench);
    void run_one(Bench& bench, std::unique_lock<std::mutex>& lock);
    JobResult<void> encode(Bench& bench, const Work& work);
    ImageView padded(Bench& bench, const ImageBuffer& strip, const PixelRect& part) const;
    void fail(JobError error);

    const PyramidShape& shape_;
    const PyramidOptions& options_;
    ArchiveWriter& archive_;
    std::vector<Bench> benches_;

    std::mutex mutex_;
    std::condition_variable work_ready_;
    std::condition_variable strip_free_;
    std::deque<Work> queue_;
    int in_flight_ = 0;
    bool stopping_ = false;
    std::optional<JobError> error_;

    std::mutex known_mutex_;
    std::unordered_set<ContentHash> samples_;           // of every tile so far
    std::unordered_map<ContentHash, ContentId> known_;  // of tiles whose sample was not new
    std::vector<std::thread> threads_;
};

}  // namespace tessera::tiles
