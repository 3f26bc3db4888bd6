// The coefficients of any JPEG file that a tile may be, as libjpeg reads and writes them.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codecs/jpeg/libjpeg_guard.hpp"
#include "core/effort.hpp"
#include "core/pixels.hpp"

namespace tessera::codecs {

class JpegCoefficients {
  public:
    JpegCoefficients();
    ~JpegCoefficients();
    JpegCoefficients(const JpegCoefficients&) = delete;
    JpegCoefficients& operator=(const JpegCoefficients&) = delete;

    // The file must outlive this. False, and why() tells, for one that is damaged or not of tile_size by tile_size
    // pixels in gray, 4:2:0 or 4:4:4.
    bool read(std::span<const std::uint8_t> file, int tile_size);
    [[nodiscard]] const char* why() const { return guard_.message; }

    [[nodiscard]] PixelLayout layout() const { return layout_; }
    [[nodiscard]] std::int16_t* block(int plane, int column, int row);  // 64, row by row
    [[nodiscard]] std::span<const std::uint16_t> quantisation(int plane) const;
    // The whole file anew. Thorough work makes it some eight percent smaller.
    std::optional<std::vector<std::uint8_t>> write(Effort effort);

  private:
    bool try_read(std::span<const std::uint8_t> file, int tile_size);
    bool try_write(Effort effort);
    bool know_layout();

    JpegGuard guard_{};
    jpeg_decompress_struct in_{};
    jpeg_compress_struct out_{};
    jvirt_barray_ptr* arrays_ = nullptr;
    PixelLayout layout_ = PixelLayout::gray;
    unsigned char* written_ = nullptr;
    unsigned long written_size_ = 0;
};

}  // namespace tessera::codecs
