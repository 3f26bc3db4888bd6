// Inside imaging/looks only: the comparison of two pictures at one size, row by row from top to bottom. It holds
// the rows that the blur needs, so that its memory grows with the width alone: about 1200 bytes a column.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "imaging/looks/cells.hpp"
#include "imaging/looks/definition.hpp"
#include "imaging/looks/float_rows.hpp"
#include "imaging/looks/row_loops.hpp"

namespace tessera::imaging::looks {

// Of all the maps of one scale, over as many pixels.
struct ScaleSums {
    std::array<std::array<Norms, map_count>, channel_count> maps{};
    std::int64_t pixels = 0;
};
using Sums = std::array<ScaleSums, scale_count>;

class Scale {
  public:
    // What is found goes to sums[index], and the halves to the scales after it. With `cells` it goes to them as well,
    // and what has no weight is not looked for.
    Scale(std::size_t width, std::size_t height, Sums& sums, Cells* cells = nullptr, std::size_t index = 0);

    // The next row of both pictures in linear light; as many as the height.
    void add(const ThreeConstRows& reference, const ThreeConstRows& candidate);

  private:
    static constexpr std::size_t ring = 2 * blur_radius + 1;
    enum Blurred : std::size_t { mean_a, mean_b, square_a, square_b, product, blurred_count };

    void blur_row(std::size_t slot);
    void step_down();  // the blurs; finishes the row that they have come to
    void finish_row(std::size_t y);
    void pass_on(const std::array<ThreeConstRows, 2>& linear);

    float* xyb(std::size_t picture, std::size_t channel, std::size_t slot) {
        return xyb_.row((picture * channel_count + channel) * ring + slot);
    }
    float* blurred(std::size_t channel, std::size_t map, std::size_t slot) {
        return blurred_.row((channel * blurred_count + map) * ring + slot);
    }

    const std::size_t width_;
    const std::size_t height_;
    const std::size_t index_;
    ScaleSums& sums_;
    Cells* const cells_;
    std::vector<std::size_t> channels_;  // that are looked at
    const BlurRecursion blur_ = blur_recursion();
    std::size_t rows_in_ = 0;
    std::size_t steps_ = 0;  // of the blurs: blur_reach more than rows
    FloatRows xyb_;
    FloatRows blurred_;  // across, not down yet
    FloatRows states_;   // of the blurs down
    FloatRows blurred_down_;
    FloatRows scratch_;  // three products of each channel, three rows of errors
    FloatRows nothing_;  // stands for rows outside of the picture
    FloatRows waiting_;  // an even row in linear light, that is halved with the next
    FloatRows halved_;
    std::unique_ptr<Scale> next_;
};

}  // namespace tessera::imaging::looks
