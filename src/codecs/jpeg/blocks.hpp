// A JPEG tile that is changed block by block: only the blocks that are asked for are turned into pixels and back, and
// every other block keeps its very coefficients. However often a tile is changed in one place, the rest stays as it
// was.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/jpeg/block_planes.hpp"
#include "codecs/jpeg/tile_scan.hpp"
#include "core/effort.hpp"
#include "core/pixels.hpp"
#include "core/result.hpp"

namespace tessera::codecs {

class JpegBlocks {
  public:
    // A tile of tile_size by tile_size pixels as our encoder makes it: gray, 4:2:0 or 4:4:4.
    static Result<JpegBlocks> open(std::span<const std::uint8_t> bytes, int tile_size);

    [[nodiscard]] PixelLayout layout() const { return now_.layout(); }
    // Pixels of block (column, row) of a plane to and from their place in `image`, which has this layout and size.
    void decode(int plane, int column, int row, ImageBuffer& image) const;
    void encode(int plane, int column, int row, const ImageBuffer& image);
    // Whether any coefficient has changed.
    [[nodiscard]] bool changed() const { return changed_; }
    // The whole tile as a file. Thorough work makes it some eight percent smaller.
    [[nodiscard]] Result<std::vector<std::uint8_t>> finish(Effort effort) const;

    // The file that was opened, and its scan: none where it is not as our encoder makes it.
    [[nodiscard]] const std::vector<std::uint8_t>& file() const { return file_; }
    [[nodiscard]] const std::optional<TileScan>& scan() const { return scan_; }
    // The coefficients now, and those of the file.
    [[nodiscard]] const BlockPlanes& now() const { return now_; }
    [[nodiscard]] const BlockPlanes& before() const { return before_ ? *before_ : now_; }
    // Of each plane, row by row.
    [[nodiscard]] const std::array<QuantisationTable, 3>& quantisation() const { return quantisation_; }

  private:
    JpegBlocks() = default;
    std::optional<std::string> read(int tile_size);

    std::vector<std::uint8_t> file_;
    std::optional<TileScan> scan_;
    BlockPlanes now_;
    std::optional<BlockPlanes> before_;  // nothing as long as no block was encoded
    std::array<QuantisationTable, 3> quantisation_{};
    bool changed_ = false;
};

}  // namespace tessera::codecs
