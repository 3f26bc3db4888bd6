// Builds a pyramid of tiles from a picture that is decoded once: strips are cut into tiles and halved into the next
// zoom as they arrive, so that memory is a few strips whatever the picture's height. Tiles are encoded on all cores.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>

#include "core/job.hpp"
#include "core/result.hpp"
#include "imaging/pixels/row_source.hpp"
#include "imaging/tile/encoder.hpp"
#include "tiles/archive/writer.hpp"

namespace tessera::tiles {

struct PyramidOptions {
    int tile_size = 256;
    imaging::TileEncoding encoding;
    Colour background{255, 255, 255, 255};  // around the picture in edge tiles; opaque for JPEG
    int threads = 1;                        // cores to keep busy, this thread's included
    int helpers = 0;                        // more of them, which give way to other work
    std::uint64_t max_bytes = std::numeric_limits<std::uint64_t>::max();
    std::function<void(double)> progress = [](double) {};
    std::function<bool()> cancelled = [] { return false; };  // asked by several threads
};

// Every tile of the source's pyramid goes into the archive, which is not finished here.
JobResult<void> build_pyramid(imaging::RowSource& source, const PyramidOptions& options, ArchiveWriter& archive);

}  // namespace tessera::tiles
