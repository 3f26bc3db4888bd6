// Takes a row of a PNG back from the differences it is stored as.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::codecs {

// Loads and stores go in whole vectors: this many bytes after each of the three rows are read, and after `out` written.
constexpr std::size_t unfilter_slack = 16;

// `filtered` is the row as it is in the file, less its filter byte; `above` the row before it in full, zeros for the
// first. `out` is neither of them. False for a filter there is none of. A pixel has 1, 2, 3, 4, 6 or 8 bytes.
bool unfilter(int filter, const std::uint8_t* filtered, const std::uint8_t* above, std::uint8_t* out,
              std::size_t row_bytes, int pixel_bytes);

// Two rows that follow each other in all three places, in little more time than one takes: `filtered` is where the
// first one's filter byte is, and `above` the row before it. False, and nothing is of use in `out`, where they are not
// of the kinds that this is for.
bool unfilter_two(const std::uint8_t* filtered, const std::uint8_t* above, std::uint8_t* out, std::size_t row_bytes,
                  int pixel_bytes);

}  // namespace tessera::codecs
