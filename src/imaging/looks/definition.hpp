// SSIMULACRA 2 (J. Sneyers, version 2.1) in numbers: what its published definition fixes. Scores say how alike two
// pictures look to people: 100 is the same, 90 can't be told apart, 70 is high quality, 50 medium, 30 low.
#pragma once

#include <array>
#include <cstddef>

namespace tessera::imaging::looks {

inline constexpr std::size_t channel_count = 3;  // X, Y and B of the XYB colour space
inline constexpr std::size_t scale_count = 6;    // whole size, half, … 1:32
inline constexpr std::size_t norm_count = 2;     // mean, and fourth root of the mean of fourth powers
inline constexpr std::size_t map_count = 3;      // structure, edges that came, edges that went
inline constexpr int smallest_edge = 8;          // of a picture that has another scale below it

// Of the structure map: keeps flat parts from being divided by nothing.
inline constexpr float structure_constant = 0.0009F;

// What is left visible through transparency: a dark and a light grey, of which the worse score counts.
inline constexpr std::array<float, 2> backgrounds{0.1F, 0.9F};

// XYB: linear light to three kinds of cone, then cube roots.
inline constexpr std::array<std::array<float, 3>, 3> cones{{
    {0.3F, 0.622F, 0.078F},
    {0.23F, 0.692F, 0.078F},
    {0.24342268924547819F, 0.20476744424496821F, 0.5518098665095536F},
}};
inline constexpr float cone_bias = 0.0037930732552754493F;
// Each channel in a range of about 0 to 1: X is stretched and all are moved.
inline constexpr float stretch_of_x = 14.0F;
inline constexpr float offset_of_x = 0.42F;
inline constexpr float offset_of_y = 0.01F;
inline constexpr float offset_of_b = 0.55F;

// By channel, scale, norm and map, the last of them counting fastest.
inline constexpr std::array<double, channel_count * scale_count * norm_count * map_count> weights{
    // X
    0.0, 0.0007376606707406586, 0.0, 0.0, 0.0007793481682867309, 0.0,                                  // 1:1
    0.0, 0.0004371155730107379, 0.0, 1.1041726426657346, 0.00066284834129271, 0.00015231632783718752,  // 1:2
    0.0, 0.0016406437456599754, 0.0, 1.8422455520539298, 11.441172603757666, 0.0,                      // 1:4
    0.0007989109436015163, 0.000176816438078653, 0.0, 1.8787594979546387, 10.94906990605142, 0.0,      // 1:8
    0.0007289346991508072, 0.9677937080626833, 0.0, 0.00014003424285435884, 0.9981766977854967,        // 1:16
    0.00031949755934435053,                                                                            //
    0.0004550992113792063, 0.0, 0.0, 0.0013648766163243398, 0.0, 0.0,                                  // 1:32
    // Y
    0.0, 0.0, 0.0, 7.466890328078848, 0.0, 17.445833984131262,                                      // 1:1
    0.0006235601634041466, 0.0, 0.0, 6.683678146179332, 0.00037724407979611296, 1.027889937768264,  // 1:2
    225.20515300849274, 0.0, 0.0, 19.213238186143016, 0.0011401524586618361, 0.001237755635509985,  // 1:4
    176.39317598450694, 0.0, 0.0, 24.43300999870476, 0.28520802612117757, 0.0004485436923833408,    // 1:8
    0.0, 0.0, 0.0, 34.77906344483772, 44.835625328877896, 0.0,                                      // 1:16
    0.0, 0.0, 0.0, 0.0, 0.0, 0.0,                                                                   // 1:32
    // B
    0.0, 0.0008680556573291698, 0.0, 0.0, 0.0, 0.0,                                                      // 1:1
    0.0, 0.0005313191874358747, 0.0, 0.00016533814161379112, 0.0, 0.0,                                   // 1:2
    0.0, 0.0, 0.0, 0.0004179171803251336, 0.0017290828234722833, 0.0,                                    // 1:4
    0.0020827005846636437, 0.0, 0.0, 8.826982764996862, 23.19243343998926, 0.0,                          // 1:8
    95.1080498811086, 0.9863978034400682, 0.9834382792465353, 0.0012286405048278493, 171.2667255897307,  // 1:16
    0.9807858872435379,                                                                                  //
    0.0, 0.0, 0.0, 0.0005130064588990679, 0.0, 0.00010854057858411537,                                   // 1:32
};

constexpr double weight_of(std::size_t channel, std::size_t scale, std::size_t norm, std::size_t map) {
    return weights[((channel * scale_count + scale) * norm_count + norm) * map_count + map];
}
// Of the weights, more than half are next to nothing.
inline constexpr double least_counted_weight = 0.01;
constexpr bool counts(std::size_t channel, std::size_t scale) {
    for (std::size_t i = 0; i < norm_count * map_count; ++i) {
        if (weight_of(channel, scale, i / map_count, i % map_count) >= least_counted_weight) return true;
    }
    return false;
}

// From the weighted sum to the score: a polynomial, a power, and 100 less that.
inline constexpr double sum_scale = 0.9562382616834844;
inline constexpr std::array<double, 3> sum_polynomial{2.326765642916932, -0.020884521182843837, 6.248496625763138e-05};
inline constexpr double score_power = 0.6276336467831387;

// The blur is the recursive gaussian of truncated cosines (D. Charalampidis, 2016) with sigma 1.5: three recursions,
//   out[n] = gain * (in[n - blur_radius - 1] + in[n + blur_radius - 1]) + turn * out[n - 1] - out[n - 2],
// from n = 1 - blur_radius on, whose sum is the result; outside of the picture is nothing. In single precision, with
// products that are not rounded: its poles lie on the unit circle, so that what is rounded away stays for the rest of a
// row, which moves scores near 90 by up to two points, and published scores have that in them.
inline constexpr double blur_sigma = 1.5;
inline constexpr int blur_radius = 5;
inline constexpr int blur_reach = blur_radius - 1;  // how far ahead it looks
struct BlurRecursion {
    std::array<float, 3> gain{};
    std::array<float, 3> turn{};
};
BlurRecursion blur_recursion();

}  // namespace tessera::imaging::looks
