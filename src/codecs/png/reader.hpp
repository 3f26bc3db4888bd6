// A reader for the plain kinds of PNG, which nearly all are: several times as fast as
// libpng. The other kinds are left to libvips.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "codecs/png/head.hpp"
#include "codecs/png/stream.hpp"

namespace tessera::codecs {

class PngReader {
  public:
    // Null where the file is not of a plain kind. The descriptor stays the caller's.
    static std::unique_ptr<PngReader> open(int fd);
    PngReader(const PngHead& head, BufferedFile file);

    // Rows are as libvips has them: grey, grey and alpha, RGB or RGBA; a byte a sample, or two in the machine's order.
    [[nodiscard]] int width() const { return static_cast<int>(head_.width); }
    [[nodiscard]] int height() const { return static_cast<int>(head_.height); }
    [[nodiscard]] int bands() const { return head_.bands(); }
    [[nodiscard]] int sample_bytes() const { return head_.bit_depth == 16 ? 2 : 1; }
    [[nodiscard]] std::size_t row_size() const {
        return std::size_t{head_.width} * static_cast<std::size_t>(bands() * sample_bytes());
    }

    // The next row, valid until the next call; null where the file is damaged, and `complaint` says how.
    const std::uint8_t* next_row();
    [[nodiscard]] const char* complaint() const { return complaint_; }

  private:
    const char* refill();
    const char* advance();
    const std::uint8_t* shown(const std::uint8_t* row);

    PngHead head_;
    std::size_t stored_size_;  // of a row, without its filter byte
    int pixel_bytes_;          // how far filters look back: one at least
    PngStream stream_;
    std::vector<std::uint8_t> strip_;  // rows as stored, each after its filter byte
    std::size_t strip_rows_ = 0;       // in it
    std::size_t strip_row_ = 0;        // the next of them
    std::vector<std::uint8_t> row_;
    std::vector<std::uint8_t> above_;
    std::vector<std::uint8_t> shown_;
    std::uint32_t rows_done_ = 0;
    const char* complaint_ = "";
};

}  // namespace tessera::codecs
