// Decoded pictures in one scratch file, of which any rectangle can be read: as many as wanted, with one descriptor and
// next to no memory.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/file.hpp"
#include "core/job.hpp"
#include "imaging/pixels/fit.hpp"
#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

// A picture in the store: rgba, row by row.
struct Raster {
    std::uint64_t offset = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
};

class RasterStore {
  public:
    explicit RasterStore(std::filesystem::path scratch) : scratch_(std::move(scratch)) {}

    // Pours the source into a raster of `size`, with its top left at `at`: what is outside is cut, what stays empty is
    // transparent.
    JobResult<Raster> add(RowSource& source, Size size, Offset at);
    // Fills `out` (rgba) with what the raster has from (x, y) on; all of it must be inside.
    JobResult<void> read(const Raster& raster, std::int64_t x, std::int64_t y, ImageBuffer& out) const;

  private:
    std::filesystem::path scratch_;
    UniqueFd file_;
    std::uint64_t size_ = 0;
};

}  // namespace tessera::imaging
