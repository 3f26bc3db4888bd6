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
    int dc_weight = 0;  // 16ths: what an error of a step of the first is, beside one of the others

    Step() = default;
    Step(int dc_step, int ac_step)
        : dc(dc_step),
          ac(ac_step),
          dc_share(65536 / dc_step),
          ac_share(65536 / ac_step),
          dc_weight(std::max(1, (16 * dc_step * dc_step + ac_step * ac_step / 2) / (ac_step * ac_step))) {}
    [[nodiscard]] int of(int place) const { return place == 0 ? dc : ac; }
};

struct Quantiser {
    int index = 0;
    Step luma;
    Step luma_dcs;
    Step chroma;

    Quantiser() = default;
    explicit Quantiser(int of)
        : index(of),
          luma(dc_steps[of], ac_steps[of]),
          luma_dcs(dc_steps[of] * 2, std::max(8, ac_steps[of] * 155 / 100)),
          chroma(std::min<int>(132, dc_steps[of]), ac_steps[of]) {}
};

}  // namespace tessera::codecs::vp8
