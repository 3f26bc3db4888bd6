// One operation on local files: what a job of the service does, with files in the place of assets and tilesets.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>

#include "app/put_in_place.hpp"

namespace tessera::operations {
class Operation;
}

namespace tessera::app {

struct LocalJob {
    std::optional<std::string> input;  // the source image
    std::optional<std::string> base;   // the archive that is patched
    std::string output;
    Existing existing = Existing::keep;  // of what is there already
    // As a request has them, but where one names an asset, "file" names a picture.
    boost::json::object options;
    bool show_progress = false;
};

struct LocalProduct {
    std::string content_type;
    std::int64_t byte_size = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::string metadata_json;
    std::int64_t source_bytes = 0;  // of the input or the base; 0 where there is none
};

// Runs it in an engine and writes the result to `output`, whole or not at all. Throws CommandFailed.
LocalProduct run_local_job(const operations::Operation& operation, LocalJob job);

}  // namespace tessera::app
