// Inside imaging only: the bits of a baseline JPEG's scan. Tells where each MCU lies, and writes blocks with the codes
// that the file has.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imaging/tile/bit_stream.hpp"

namespace tessera::imaging {

inline constexpr unsigned jpeg_code_peek = 11;  // bits looked at in one go: longer codes are rare
// The codes of a table, to be written and to be read.
struct JpegCodes {
    std::array<std::uint16_t, 256> bits{};
    std::array<std::uint8_t, 256> length{};                               // 0: there is no such code
    std::array<std::uint16_t, std::size_t{1} << jpeg_code_peek> quick{};  // length << 8 | symbol; 0: a longer one
    std::array<std::uint32_t, 17> end{};                                  // of each length, the code after the last
    std::array<std::uint32_t, 17> first{};  // and where its symbols start, less its first code
    std::vector<std::uint8_t> symbols;      // in the order of codes
};

class JpegScan {
  public:
    using Block = std::int16_t;  // the first of 64 coefficients, row by row

    // Nothing for any file that is not as our encoder makes it: one baseline scan of all planes, no restarts.
    static std::optional<JpegScan> read(std::span<const std::uint8_t> file);

    [[nodiscard]] std::size_t head() const { return head_; }  // bytes before the scan
    // Bit places where MCUs start, and where the last one ends.
    [[nodiscard]] const std::vector<std::size_t>& places() const { return places_; }

    // False where the file has no code for what the block holds. `before` is the DC of the plane's block ahead of it.
    [[nodiscard]] bool write(int plane, const Block* block, int before,
                             BitAppender<BitOrder::first_is_highest>& out) const;

  private:
    struct Plane {
        std::uint8_t id = 0;
        int blocks = 1;  // in an MCU
        std::size_t dc = 0;
        std::size_t ac = 0;
    };
    struct Cursor {
        const std::uint8_t* bytes;
        std::size_t place;
        std::size_t end;
    };

    bool read_markers(std::span<const std::uint8_t> file);
    bool read_frame(std::span<const std::uint8_t> body);
    bool read_codes(std::span<const std::uint8_t> body);
    bool read_scan_header(std::span<const std::uint8_t> body);
    bool find_places(std::span<const std::uint8_t> file);
    // The next symbol; -1 where no code fits.
    static int next(const JpegCodes& codes, Cursor& at);
    static bool skip_block(const JpegCodes& dc, const JpegCodes& ac, Cursor& at);

    std::size_t head_ = 0;
    std::size_t mcus_ = 0;
    std::vector<Plane> planes_;
    std::array<std::optional<JpegCodes>, 4> dc_;
    std::array<std::optional<JpegCodes>, 4> ac_;
    std::vector<std::size_t> places_;
};

}  // namespace tessera::imaging
