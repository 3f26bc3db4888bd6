// PNG's five row filters, and the choice between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tessera::codecs {

// Ways to choose a row's filter by what it makes of the row: bytes that are nearest to zero in sum; bytes, or pairs of
// them, that a code of this row alone would write in the fewest bits.
enum class PngRowChoice { smallest_sum, fewest_bits, fewest_bits_in_pairs };

// Filters rows of one length, top to bottom.
class PngRowFilter {
  public:
    PngRowFilter(std::size_t row_bytes, std::size_t bytes_per_pixel);
    // Writes the filter's number and the filtered row: row_bytes + 1 bytes. `above` is null for the first row.
    void filter(PngRowChoice choice, const std::uint8_t* row, const std::uint8_t* above, std::uint8_t* out);
    // The same without a look at the row above: by the smallest sum of two filters.
    void filter_alone(const std::uint8_t* row, std::uint8_t* out) const;
    // The same by a filter that was chosen before: 0 to 4.
    void filter_by(std::uint8_t chosen, const std::uint8_t* row, const std::uint8_t* above, std::uint8_t* out) const;

  private:
    double weigh(PngRowChoice choice, const std::uint8_t* filtered);

    std::size_t size_;
    std::size_t pixel_;
    std::vector<std::uint8_t> zeros_;
    std::vector<std::uint8_t> candidates_;
    std::vector<std::uint32_t> counts_;  // how often each pair is in a row; all 0 between two rows
};

}  // namespace tessera::codecs
