// Inside imaging/looks only: where in a picture its errors are, by squares of 16 pixels.
#pragma once

#include <cstddef>
#include <vector>

#include "imaging/looks/float_rows.hpp"
#include "imaging/looks/row_loops.hpp"

namespace tessera::imaging::looks {

inline constexpr std::size_t cell_edge = 16;

// One of the sums that a score is made of.
struct Term {
    std::size_t channel = 0;
    std::size_t scale = 0;
    std::size_t norm = 0;
    std::size_t map = 0;
    double weight = 0;
};
// Those that count, but for the smallest scale, of which a pixel is more than a square.
const std::vector<Term>& terms();

class Cells {
  public:
    Cells(std::size_t width, std::size_t height);

    // The next row of a channel's errors at a scale.
    void add(std::size_t scale, std::size_t channel, std::size_t y, std::size_t height, const ErrorRows& errors,
             std::size_t width);

    [[nodiscard]] std::size_t across() const { return across_; }
    [[nodiscard]] std::size_t down() const { return down_; }
    // Of all cells, row by row: values of the term's map, or their fourth powers.
    [[nodiscard]] const float* sums_of(std::size_t term) const { return sums_.row(term); }

  private:
    void close_row(std::size_t term, std::size_t row, std::size_t edge, std::size_t width);

    const std::size_t across_;
    const std::size_t down_;
    FloatRows sums_;
    FloatRows columns_;  // of a row of cells that is not done
};

}  // namespace tessera::imaging::looks
