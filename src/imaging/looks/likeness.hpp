// How alike two pictures look to people: SSIMULACRA 2, from its published definition.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "imaging/looks/scale.hpp"

namespace tessera::imaging::looks {

// Eight-bit sRGB or grey pixels that something else owns: 1 to 4 bytes each, of which the last of 2 or 4 is alpha.
struct Pixels {
    const std::uint8_t* first = nullptr;
    std::size_t stride = 0;
    int bands = 3;
    int width = 0;
    int height = 0;

    [[nodiscard]] bool has_alpha() const { return bands % 2 == 0; }
    [[nodiscard]] Pixels part(int left, int top, int part_width, int part_height) const;
};

// Inside imaging/looks only: all that is found of two pictures over a background, added to what is there.
void compare_over(float background, const Pixels& reference, const Pixels& candidate, Sums& sums,
                  Cells* cells = nullptr);
double score_of(const Sums& sums);

class Likeness {
  public:
    // Pictures of one size, or the same part of both. Parts of large pictures together have one score.
    void add(const Pixels& reference, const Pixels& candidate);

    // 100 is the same; there is no lowest.
    [[nodiscard]] double score() const;

  private:
    std::array<Sums, backgrounds.size()> sums_{};  // the second only for pictures with alpha
};

}  // namespace tessera::imaging::looks
