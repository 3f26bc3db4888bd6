// A picture cut from tiles, as an address of IIIF or Deep Zoom names it: what an engine is asked for it. No job does
// this, so that it stands in no list of operations.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/image_format.hpp"
#include "operations/cut_finish.hpp"
#include "operations/operation.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

struct CutRequest {
    // A block of tiles in the file, one after the other, row by row from the top left.
    ImageFormat tile_format = ImageFormat::png;
    int tile_size = 256;
    std::int64_t columns = 1;
    std::vector<std::int64_t> lengths;  // in bytes, of each tile
    // What is shown, in pixels of the block.
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
    // The result, before it is turned.
    std::int64_t result_width = 0;
    std::int64_t result_height = 0;
    CutFinish finish;
};

// The file is image 0 of the run.
RunRequest cut_request(const CutRequest& cut);

std::unique_ptr<Operation> make_cut();

}  // namespace tessera::operations
