// PNG's five row filters, and the choice between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::codecs {

// Filters rows of one length, top to bottom, each by the filter whose bytes are nearest to zero in sum.
class PngRowFilter {
  public:
    PngRowFilter(std::size_t row_bytes, std::size_t bytes_per_pixel);
    // Writes the filter's number and the filtered row: row_bytes + 1 bytes. `above` is null for the first row.
    void filter(const std::uint8_t* row, const std::uint8_t* above, std::uint8_t* out);
    // The same by a filter that was chosen before: 0 to 4.
    void filter_by(std::uint8_t chosen, const std::uint8_t* row, const std::uint8_t* above, std::uint8_t* out) const;

  private:
    std::size_t size_;
    std::size_t pixel_;
    std::vector<std::uint8_t> zeros_;
    std::vector<std::uint8_t> candidates_;
};

}  // namespace tessera::codecs
