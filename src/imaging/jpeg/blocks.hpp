// A JPEG tile that is changed block by block: only the blocks that are asked for are turned into pixels and back, and
// every other block keeps its very coefficients. However often a tile is changed in one place, the rest stays as it
// was.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/result.hpp"
#include "imaging/tile/encoder.hpp"
#include "imaging/tile/tile_image.hpp"

namespace tessera::imaging {

class JpegBlocks {
  public:
    // A tile of tile_size by tile_size pixels as our encoder makes it: gray, 4:2:0 or 4:4:4.
    static Result<std::unique_ptr<JpegBlocks>> open(std::span<const std::uint8_t> bytes, int tile_size);
    ~JpegBlocks();
    JpegBlocks(const JpegBlocks&) = delete;
    JpegBlocks& operator=(const JpegBlocks&) = delete;

    [[nodiscard]] PixelLayout layout() const;
    // Pixels of block (column, row) of a plane to and from their place in `image`, which has this layout and size.
    void decode(int plane, int column, int row, ImageBuffer& image);
    void encode(int plane, int column, int row, const ImageBuffer& image);
    // Whether any coefficient has changed.
    [[nodiscard]] bool changed() const;
    // The tile as a recipe over another one, or over what it was when it was opened: MCUs that are the same are kept.
    // Nothing where that can't be or is not worth it.
    std::optional<std::vector<std::uint8_t>> recipe_over(const JpegBlocks& base) const;
    std::optional<std::vector<std::uint8_t>> recipe() const;
    // The whole tile as a file. Thorough work makes it some eight percent smaller.
    Result<std::vector<std::uint8_t>> finish(Effort effort) const;

  private:
    struct State;
    explicit JpegBlocks(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

}  // namespace tessera::imaging
