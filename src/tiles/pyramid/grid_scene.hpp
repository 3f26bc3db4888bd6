// A canvas with grid lines and filled blocks, described rather than drawn: any part of it can be painted, and parts
// that look the same can be told without painting them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/colour.hpp"
#include "core/job.hpp"
#include "core/pixels.hpp"
#include "imaging/pixels/raster_store.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::tiles {

struct GridBlock {
    PixelRect area;                                 // as grid_block_area() gives it, cut to the canvas
    std::variant<Colour, imaging::Raster> filling;  // a raster is as large as the area before it was cut
};

struct GridDesign {
    PixelSize size;
    std::int64_t block_width = 0;
    std::int64_t block_height = 0;
    std::int64_t line_width = 0;
    Colour background;
    Colour line;
    std::vector<GridBlock> blocks;  // later ones lie over earlier ones
};

// What a block of so many columns and rows fills: its cells and the lines between them, but not the lines around it.
PixelRect grid_block_area(const GridDesign& design, std::int64_t column, std::int64_t row, std::int64_t columns,
                          std::int64_t rows);

class GridScene {
  public:
    using Blocks = std::vector<std::uint32_t>;  // numbers of blocks, in their order

    GridScene(GridDesign design, const imaging::RasterStore& rasters) : design_(std::move(design)), rasters_(rasters) {}

    [[nodiscard]] const GridDesign& design() const { return design_; }
    [[nodiscard]] Blocks all_blocks() const;
    // Those of `blocks` that can be seen in a part of the canvas.
    [[nodiscard]] Blocks seen_in(const PixelRect& part, std::span<const std::uint32_t> blocks) const;

    // Appends a text that is the same for parts that look the same.
    void describe(const PixelRect& part, std::span<const std::uint32_t> seen, std::string& text) const;
    // Paints the part at the top left of `out`, which is rgba.
    [[nodiscard]] JobResult<void> paint(const PixelRect& part, std::span<const std::uint32_t> seen,
                                        ImageBuffer& out) const;

  private:
    GridDesign design_;
    const imaging::RasterStore& rasters_;
};

}  // namespace tessera::tiles
