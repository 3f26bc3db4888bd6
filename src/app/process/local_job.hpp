// One operation on local files: what a job of the service does, with files in the place of assets and tilesets.
#pragma once

#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/put_in_place.hpp"
#include "operations/operation.hpp"

namespace tessera::app {

struct LocalJob {
    std::optional<std::string> input;  // the source image
    std::optional<std::string> base;   // the archive that is patched
    std::string output;
    Existing existing = Existing::keep;  // of what is there already
    // As a request has them, but where one names an asset, there is the path of a picture, by its local_name.
    boost::json::object options;
    bool show_progress = false;
    bool adds_extension = false;  // the result's, to `output`, which has none
};

struct LocalProduct {
    std::string file;
    operations::OutputFile made;
    std::int64_t byte_size = 0;
    std::int64_t source_bytes = 0;  // of the input or the base; 0 where there is none
};

// What an option is called here: asset_id is file, and logo_asset_id would be logo_file.
std::string local_name(const operations::Option& option);

// Whether it changes a tileset: an archive, here.
bool needs_base(const operations::Operation& operation);

// Runs it in an engine and writes the result to `output`, whole or not at all; where there are several, the others lie
// beside it, with their kinds in their names. Throws CommandFailed.
std::vector<LocalProduct> run_local_job(const operations::Operation& operation, LocalJob job);

}  // namespace tessera::app
