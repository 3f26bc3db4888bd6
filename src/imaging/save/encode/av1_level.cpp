#include "imaging/save/encode/av1_level.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace tessera::imaging {
namespace {

// The step at each of libaom's levels, of what ten bits hold; by section 7.12.2 of AV1's specification, and evenly
// spaced between two levels, all but a hair.
constexpr std::array<int, 64> steps_of_ten_bits{
    4,    16,   27,   40,   55,   71,   88,   105,  122,  140,  158,  177,  195,  213,  231,  249,
    267,  284,  302,  319,  337,  354,  371,  388,  409,  441,  474,  506,  539,  571,  604,  652,
    700,  749,  797,  857,  922,  986,  1058, 1138, 1218, 1314, 1411, 1519, 1631, 1759, 1895, 2039,
    2199, 2371, 2555, 2755, 2971, 3203, 3455, 3731, 4028, 4348, 4692, 5068, 5476, 5916, 6512, 7312};

constexpr unsigned edge_of_block = 16;
constexpr double block_area = edge_of_block * edge_of_block;

struct BlockValues {
    bool are_few = false;  // two to four
    double variance = 0;   // of those, in steps of eight bits
};

// Of one block, whose rows are `stride` bytes apart.
BlockValues values_of(const unsigned char* first, std::ptrdiff_t stride) {
    std::array<std::uint16_t, 4> values{};
    std::size_t count = 0;
    double sum = 0;
    double squares = 0;
    for (unsigned y = 0; y < edge_of_block; ++y, first += stride) {
        const auto* row = reinterpret_cast<const std::uint16_t*>(first);
        for (unsigned x = 0; x < edge_of_block; ++x) {
            const double value = row[x] / 4.0;
            sum += value;
            squares += value * value;
            const auto end = values.begin() + static_cast<std::ptrdiff_t>(count);
            if (std::find(values.begin(), end, row[x]) != end) continue;
            if (count == values.size()) return {};
            values.at(count++) = row[x];
        }
    }
    const double mean = sum / block_area;
    return {count > 1, squares / block_area - mean * mean};
}

}  // namespace

// Four to a level, but for the last two.
int step_index_at(double level) {
    constexpr double to_a_level = 4;
    if (level <= 61) return static_cast<int>(std::lround(to_a_level * level));
    if (level <= 62) return static_cast<int>(std::lround(std::lerp(244, 249, level - 61)));
    return static_cast<int>(std::lround(std::lerp(249, 255, level - 62)));
}

bool is_between_levels(double level) {
    return level != std::floor(level);
}

void aim_at(const LevelAim& aim, aom_codec_enc_cfg_t& config) {
    const double whole = std::floor(aim.level);
    const auto number = static_cast<std::size_t>(whole);
    config.rc_end_usage = AOM_Q;
    config.rc_min_quantizer = config.rc_max_quantizer = static_cast<unsigned>(number);
    if (!is_between_levels(aim.level)) return;
    const double step =
        std::lerp(steps_of_ten_bits.at(number), steps_of_ten_bits.at(number + 1), aim.level - whole) / 16;
    const double blocks = std::ceil(config.g_w / 16.0) * std::ceil(config.g_h / 16.0);
    const double bits = (aim.is_screen ? 1e6 : 2e6) / 512 / step * blocks;
    // The first picture may have half of what the buffer holds at the beginning, which is told in milliseconds.
    constexpr double most_kilobits = 2e6;
    const double pairs_of_milliseconds = std::ceil(bits / most_kilobits);
    config.rc_end_usage = AOM_CBR;
    config.rc_buf_initial_sz = static_cast<unsigned>(2 * pairs_of_milliseconds);
    config.rc_target_bitrate = static_cast<unsigned>(std::lround(bits / pairs_of_milliseconds));
    config.rc_max_quantizer = static_cast<unsigned>(number + 1);
}

// A tenth of its area has few values and a twelfth has few that differ, or the one more of it and the other less.
bool is_screen_to_libaom(const aom_image_t& planes) {
    constexpr double least_variance = 0.5;
    double few = 0;
    double differing = 0;
    for (unsigned y = 0; y + edge_of_block <= planes.d_h; y += edge_of_block) {
        const unsigned char* row = planes.planes[0] + static_cast<std::ptrdiff_t>(y) * planes.stride[0];
        for (unsigned x = 0; x + edge_of_block <= planes.d_w; x += edge_of_block) {
            const BlockValues values = values_of(row + x * sizeof(std::uint16_t), planes.stride[0]);
            if (!values.are_few) continue;
            few += block_area;
            if (values.variance >= least_variance) differing += block_area;
        }
    }
    const double area = static_cast<double>(planes.d_w) * planes.d_h;
    return (few * 10 > area && differing * 12 > area) || (few * 10 > area * 4 && differing * 30 > area);
}

}  // namespace tessera::imaging
