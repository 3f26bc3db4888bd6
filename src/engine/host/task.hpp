// What is handed to an engine and what comes back. Everything here is plain data on core types: the protocol between
// host and child, and the operations behind it, stay out of sight.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/asset.hpp"
#include "core/file.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "core/uuid.hpp"
#include "engine/host/scratch.hpp"

namespace tessera::engine {

// Caps that a header is judged by before anything is decoded. Absent: only what the format and the engine can hold.
struct ProbeLimits {
    std::optional<std::int64_t> max_edge_pixels;
    std::optional<std::int64_t> max_megapixels;
};

// Whose work it is. An engine works for one account only, and what is said of one that was lost names both.
struct Owner {
    Uuid account_id;                   // nil outside the service
    Uuid job_id;                       // nil for an upload
    std::string_view request_id = {};  // of the request that made the job; outlives the work
};

class Prober {
  public:
    virtual ~Prober() = default;
    using Probed = std::function<void(Result<ImageInfo>)>;

    // Reads the header of the image in `file` (from offset 0, whatever its offset is) when it is the account's turn,
    // and calls `probed` once, from a thread of the prober's or from this one. It must not throw, and hand on what
    // takes long. The file must stay open until then. The errors are for the client: unsupported_media_type (not an
    // image we take, or a damaged one; the message says why), image_too_large, rate_limited (too many of this account
    // wait), overloaded (it was not its turn in time, or no engine could answer in time), internal_error (the engine
    // died: another try may work).
    virtual void probe_in_turn(int file, const Owner& owner, const ProbeLimits& limits, Probed probed) = 0;
    // Whether an upload of this account may wait for its turn at all.
    virtual Result<void> check_room(const Uuid& account) = 0;
};

struct SourceImage {
    Uuid asset_id;
    ImageInfo image;  // as probed when it was uploaded
    std::int64_t byte_size = 0;
};

struct SourceTileset {
    Uuid id;
    TilesetVersion version;
};

struct TaskLimits {
    std::int64_t max_input_pixels = 500'000'000;
    std::int64_t max_output_pixels = 500'000'000;
    std::int64_t max_artifact_bytes = std::int64_t{4} << 30;
    std::chrono::milliseconds deadline{120'000};  // of the work itself; the engine is killed when it has passed
};

// The work of one attempt at a job.
struct Task {
    Owner owner;
    std::string operation;
    std::string options_json = "{}";  // as accepted, defaults filled in
    std::vector<SourceImage> images;
    std::optional<SourceTileset> tileset;
    TaskLimits limits;
    // Give a descriptor of its own (a fresh open, offset 0) each time; the engine asks when it needs one. All
    // callbacks run on the thread that called run().
    std::function<Result<UniqueFd>(std::size_t)> open_image;
    std::function<Result<UniqueFd>(std::size_t)> open_layer;
    std::function<void(double)> progress;  // 0 to 1, never falling, at most a few times a second
    std::stop_token stop;                  // requested: the engine is killed and run() returns an error at once
};

// A file that the engine made. It is a plain file of ours; move it away by rename or leave it to be removed with the
// outcome.
struct Product {
    std::filesystem::path path;
    std::string name;  // its own, unique within the outcome; the path says nothing
    std::int64_t byte_size = 0;
    std::string kind = "primary";
    std::string content_type;
    std::string extension;  // for the name a browser saves it under, without the dot
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::string metadata_json = "{}";
};

struct TilesetProduct {
    std::filesystem::path path;  // may be the path of an artifact too
    std::int64_t byte_size = 0;
    bool is_delta = false;  // goes on top of the version that was read; otherwise it is a base of its own
    TilesetGeometry geometry;
    std::int64_t tile_count = 0;      // of the version as a whole
    std::string options_json = "{}";  // to be kept with the version
};

struct Outcome {
    std::vector<ScratchPath> files;
    std::vector<Product> artifacts;
    std::optional<TilesetProduct> tileset;
};

class Runner {
  public:
    virtual ~Runner() = default;
    // Blocks until the task has ended, one way or the other. Any number of threads may call it.
    virtual Result<Outcome, JobError> run(const Task& task) = 0;
};

}  // namespace tessera::engine
