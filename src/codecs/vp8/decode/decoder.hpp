// Key frames of VP8 (RFC 6386), a row of macroblocks at a time, for whoever makes them smaller: pixels at the edges of
// blocks are not smoothed, which nobody sees then. libwebp does the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/vp8/decode/frame_header.hpp"
#include "codecs/vp8/decode/macroblock_row.hpp"

namespace tessera::codecs::vp8 {

class Decoder {
  public:
    // Of a VP8 chunk, whose bytes have to stay. Nothing where its header can't be read.
    static std::optional<Decoder> open(std::span<const std::uint8_t> frame);

    [[nodiscard]] int width() const { return header_.width; }
    [[nodiscard]] int height() const { return header_.height; }

    struct Plane {
        const std::uint8_t* pixels = nullptr;
        std::size_t stride = 0;
        int rows = 0;
    };
    // The next rows of a plane, 16 of luma (0) and 8 of colours (1 and 2); less at the end. Until `next` is called
    // again.
    [[nodiscard]] Plane plane(int number) const;
    // False at the end, and where the frame ends early: `failed` tells.
    bool next();
    [[nodiscard]] bool failed() const { return failed_; }

  private:
    struct Rows {
        std::vector<std::uint8_t> bytes;
        std::ptrdiff_t stride = 0;
        int edge = 0;  // of a macroblock
        std::uint8_t* first() { return bytes.data() + stride + margin; }
        [[nodiscard]] const std::uint8_t* first() const { return bytes.data() + stride + margin; }
    };
    static constexpr std::ptrdiff_t margin = 32;  // on each side

    explicit Decoder(FrameHeader header);
    void keep_last_rows();

    FrameHeader header_;
    std::vector<PlaceProbabilities> probabilities_;  // of each kind of block
    std::vector<CodedModes> modes_;
    std::vector<std::uint8_t> modes_above_;
    std::vector<Neighbours> above_;
    Rows planes_[3];
    int row_ = -1;
    bool failed_ = false;
};

}  // namespace tessera::codecs::vp8
