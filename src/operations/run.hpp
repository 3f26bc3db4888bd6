// What an operation gets to work with inside an engine, and what it gives back. Everything but the files
// themselves travels as JSON between the engine and its host.
#pragma once

#include <boost/json/object.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/asset.hpp"
#include "core/file.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "core/uuid.hpp"

namespace tessera::operations {

enum class SourceUse { required, optional, refused };

struct InputImage {
    Uuid asset_id;
    ImageInfo image;
    std::int64_t byte_size = 0;
};

struct InputTileset {
    Uuid id;
    TilesetVersion version;  // the one that is current when the job runs
};

// The engine checks these again while it works: what a header said may not be what the file holds.
struct RunLimits {
    std::int64_t max_input_pixels = 500'000'000;
    std::int64_t max_output_pixels = 500'000'000;
    std::int64_t max_result_pixels = std::int64_t{1} << 40;  // the plan's, for results whose size the content decides
    std::int64_t max_result_edge = std::int64_t{1} << 31;    //
    std::int64_t max_artifact_bytes = std::int64_t{4} << 30;
    std::chrono::milliseconds time_budget{60'000};  // encoders with a choice settle for less effort near it
    int threads = 1;                                // how many cores the operation may keep busy
    int helpers = 0;                                // and so many that are idle, with threads that give way
};

struct RunRequest {
    std::string operation;
    boost::json::object options;  // as normalized
    std::vector<InputImage> images;
    std::optional<InputTileset> tileset;
    RunLimits limits;
};
boost::json::object to_json(const RunRequest& request);
Result<RunRequest> run_request_from_json(const boost::json::object& object);

struct RunContext {
    const RunRequest& request;
    std::filesystem::path scratch;  // an empty folder of the job's own
    // A descriptor of request.images[i], at offset 0 and not shared with another open one. Opened when needed and
    // closed after use, so that a thousand sources do not need a thousand descriptors.
    std::function<Result<UniqueFd>(std::size_t)> open_image;
    std::function<Result<UniqueFd>(std::size_t)> open_layer;  // of request.tileset->version.layers[i]
    std::function<void(double)> progress;                     // 0 to 1; cheap, call it often
    std::function<bool()> cancelled;                          // true: give up soon, the answer will not be used
};

struct OutputFile {
    std::string file;  // its name in the scratch folder
    std::string kind = "primary";
    std::string content_type;
    std::string extension;  // for the name that a browser saves it under, without the dot
    std::int64_t width = 0;
    std::int64_t height = 0;
    boost::json::object metadata;
};

struct TilesetOutput {
    std::string file;       // the archive, in the scratch folder
    bool is_delta = false;  // goes on top of the version that was read; otherwise it is a base of its own
    TilesetGeometry geometry;
    std::int64_t tile_count = 0;  // of the version as a whole
    boost::json::object options;  // kept with the version for patches to come
};

struct Manifest {
    std::vector<OutputFile> artifacts;  // the same file may also be the tileset's
    std::optional<TilesetOutput> tileset;
};
boost::json::object to_json(const Manifest& manifest);
Result<Manifest> manifest_from_json(const boost::json::object& object);

}  // namespace tessera::operations
