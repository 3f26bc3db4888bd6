// A picture in a thousand cells, each the mean of the pixels it stands for: enough to say what it looks like.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "imaging/pixels/turn.hpp"

namespace tessera::imaging {

struct SmallPicture {
    using Cell = std::array<float, 4>;  // sRGB and opacity, 0 to 1
    int width = 0;
    int height = 0;
    std::vector<Cell> cells;
    [[nodiscard]] const Cell& at(int x, int y) const {
        return cells[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)];
    }
};

SmallPicture turned(const SmallPicture& picture, Turn turn);

// Takes the rows of a picture as they pass and sums up some of their pixels.
class SmallSums {
  public:
    // One byte a sample: grey or sRGB, with or without alpha.
    SmallSums(Size whole, int bands);

    void add(std::int64_t row, const std::uint8_t* pixels);
    [[nodiscard]] SmallPicture picture() const;

  private:
    using Sums = std::array<std::uint64_t, 5>;  // of colours weighted by their opacity, of opacities, and how many

    template <std::size_t bands>
    void add_looks(const std::uint8_t* pixel, Sums* row) const;

    Size whole_;
    int bands_;
    int width_;
    int height_;
    std::size_t step_across_;  // between pixels that are looked at
    std::int64_t step_down_;
    std::vector<std::uint32_t> looks_;  // at pixels of a row, for each of its cells
    std::vector<Sums> sums_;
};

}  // namespace tessera::imaging
