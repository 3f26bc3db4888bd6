// How finely a macroblock is quantised, and what that makes of a bit's worth.
#pragma once

#include <algorithm>

#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {

// Of one kind of coefficients: the first and the others.
struct Step {
    int dc = 0;
    int ac = 0;
    int dc_share = 0;  // 65536th of a coefficient that a step is
    int ac_share = 0;
    int dc_weight = 0;  // 16ths: what an error of a step of the first counts, beside one of the others

    Step() = default;
    // An error of the first coefficient counts so many times its square: it is seen from further away.
    Step(int dc_step, int ac_step, int times)
        : dc(dc_step),
          ac(ac_step),
          dc_share(65536 / dc_step),
          ac_share(65536 / ac_step),
          dc_weight(times * std::max(1, (16 * dc_step * dc_step + ac_step * ac_step / 2) / (ac_step * ac_step))) {}
    [[nodiscard]] int of(int place) const { return place == 0 ? dc : ac; }
};

// How many times an error of a mean counts, beside one of detail. Found by comparing pictures by SSIMULACRA 2.
constexpr int times_of_luma_mean = 3;
constexpr int times_of_chroma_mean = 2;

struct Quantiser {
    int index = 0;
    Step luma;
    Step luma_dcs;
    Step chroma;

    Quantiser() = default;
    // Means of colour have an index of their own, so far from the others'.
    Quantiser(int of, int beside_of_colour_means)
        : index(of),
          luma(dc_steps[of], ac_steps[of], times_of_luma_mean),
          luma_dcs(dc_steps[of] * 2, std::max(8, ac_steps[of] * 155 / 100), times_of_luma_mean),
          chroma(std::min<int>(132, dc_steps[std::clamp(of + beside_of_colour_means, 0, 127)]), ac_steps[of],
                 times_of_chroma_mean) {}
};

}  // namespace tessera::codecs::vp8
