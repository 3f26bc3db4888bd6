// The scan of a JPEG tile as our encoder makes it. Reads its coefficients, tells where the bits of each MCU lie, and
// writes blocks with the Huffman codes that the file has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/bits/bit_writer.hpp"
#include "codecs/jpeg/block_planes.hpp"
#include "codecs/jpeg/huffman.hpp"
#include "codecs/jpeg/segments.hpp"

namespace tessera::codecs {

using ScanWriter = BitWriter<BitOrder::first_is_highest>;

class TileScan {
  public:
    // Nothing for any other file than one of tile_size by tile_size pixels: gray, 4:2:0 or 4:4:4 in one baseline scan
    // of all components, whole MCUs and no restarts.
    static std::optional<TileScan> read(std::span<const std::uint8_t> file, int tile_size);

    [[nodiscard]] BlockPlanes& blocks() { return blocks_; }
    // Of a plane, row by row.
    [[nodiscard]] const QuantisationTable& quantisation(std::size_t plane) const {
        return components_[plane].quantisation;
    }
    [[nodiscard]] std::size_t head() const { return head_; }  // bytes before the scan
    // Bit places where MCUs start, and where the last one ends.
    [[nodiscard]] const std::vector<std::size_t>& mcu_places() const { return mcu_places_; }

    // False where the file has no code for what the block holds. `before` is the DC of the plane's block ahead of it.
    [[nodiscard]] bool write(std::size_t plane, const std::int16_t* block, int before, ScanWriter& out) const;

  private:
    // A Huffman code, to be read and to be written.
    struct Code {
        CoefficientCode symbols;
        std::array<std::uint16_t, 256> bits{};
        std::array<std::uint8_t, 256> length{};  // 0: there is no such code
    };
    struct Component {
        int id = 0;
        std::size_t quantisation_table = 0;
        QuantisationTable quantisation{};
        std::size_t dc_table = 0;
        std::size_t ac_table = 0;
    };

    bool read_segments(std::span<const std::uint8_t> file, int tile_size);
    bool take_frame(SegmentBody body, int tile_size);
    bool take_huffman_tables(SegmentBody body);
    bool take_scan_header(SegmentBody body, const QuantisationTables& tables);
    bool read_coefficients(std::span<const std::uint8_t> file);
    static bool read_block(const Code& dc, const Code& ac, BitReader& bits, int& level, std::int16_t* block);

    std::size_t head_ = 0;
    BlockPlanes blocks_;
    std::vector<Component> components_;
    std::array<std::optional<Code>, 4> dc_;
    std::array<std::optional<Code>, 4> ac_;
    std::vector<std::size_t> mcu_places_;
};

}  // namespace tessera::codecs
