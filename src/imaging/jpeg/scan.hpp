// Inside imaging only: the scan of a JPEG tile as our encoder makes it. Reads its coefficients, tells where the bits of
// each MCU lie, and writes blocks with the codes that the file has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imaging/jpeg/reduced/huffman.hpp"
#include "imaging/tile/bit_stream.hpp"

namespace tessera::imaging {

class TileScan {
  public:
    struct Plane {
        int blocks = 1;                          // of an MCU, across and down
        int across = 0;                          // blocks in a row
        std::vector<std::int16_t> coefficients;  // of all blocks, row by row; 64 each, row by row
        std::array<std::uint16_t, 64> steps{};   // that they are multiples of, row by row
        std::uint8_t id = 0;
        std::size_t table = 0;
        std::size_t dc = 0;
        std::size_t ac = 0;
    };

    // Nothing for any other file: there must be one baseline scan of all planes, whole MCUs and no restarts.
    static std::optional<TileScan> read(std::span<const std::uint8_t> file);

    [[nodiscard]] unsigned width() const { return width_; }
    [[nodiscard]] unsigned height() const { return height_; }
    [[nodiscard]] std::vector<Plane>& planes() { return planes_; }
    [[nodiscard]] std::size_t head() const { return head_; }  // bytes before the scan
    // Bit places where MCUs start, and where the last one ends.
    [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }

    // False where the file has no code for what the block holds. `before` is the DC of the plane's block ahead of it.
    [[nodiscard]] bool write(std::size_t plane, const std::int16_t* block, int before,
                             BitAppender<BitOrder::first_is_highest>& out) const;

  private:
    // A Huffman code, to be read and to be written.
    struct Code {
        CoefficientCode symbols;
        std::array<std::uint16_t, 256> bits{};
        std::array<std::uint8_t, 256> length{};  // 0: there is no such code
    };
    class Cursor;

    bool read_markers(std::span<const std::uint8_t> file);
    bool read_frame(std::span<const std::uint8_t> body);
    bool read_steps(std::span<const std::uint8_t> body);
    bool read_codes(std::span<const std::uint8_t> body);
    bool read_scan_header(std::span<const std::uint8_t> body);
    bool read_coefficients(std::span<const std::uint8_t> file);
    static bool read_block(const Code& dc, const Code& ac, Cursor& at, int& level, std::int16_t* block);

    unsigned width_ = 0;
    unsigned height_ = 0;
    std::size_t head_ = 0;
    std::vector<Plane> planes_;
    std::array<std::optional<std::array<std::uint16_t, 64>>, 4> steps_;
    std::array<std::optional<Code>, 4> dc_;
    std::array<std::optional<Code>, 4> ac_;
    std::vector<std::size_t> places_;
};

}  // namespace tessera::imaging
