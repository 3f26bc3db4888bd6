// A part of an asset as an address of IIIF names it: what an engine is asked for it. No job does this, so that it
// stands in no list of operations.
#pragma once

#include <cstdint>
#include <memory>

#include "operations/cut_finish.hpp"
#include "operations/operation.hpp"
#include "operations/run.hpp"

namespace tessera::operations {

struct ViewRequest {
    InputImage source;
    // What is shown, in pixels of the picture as displayed.
    std::int64_t x = 0;
    std::int64_t y = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    // The result, before it is turned.
    std::int64_t result_width = 0;
    std::int64_t result_height = 0;
    CutFinish finish;
};

RunRequest view_request(const ViewRequest& view);

std::unique_ptr<Operation> make_view();

}  // namespace tessera::operations
