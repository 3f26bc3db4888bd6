#include "imaging/looks/likeness.hpp"

#include <algorithm>
#include <cmath>

namespace tessera::imaging::looks {
namespace {

// Linear light of an sRGB sample. Blends lie between whole numbers, hence sixteen steps a number.
class LinearLight {
  public:
    static constexpr int steps = 16;

    static const LinearLight& table() {
        static const LinearLight one;
        return one;
    }
    [[nodiscard]] float of_byte(std::uint8_t value) const { return values_[std::size_t{value} * steps]; }
    [[nodiscard]] float of(float value) const {  // 0 to 255
        return values_[static_cast<std::size_t>(value * steps + 0.5F)];
    }

  private:
    LinearLight() {
        for (std::size_t i = 0; i < values_.size(); ++i) {
            const double v = static_cast<double>(i) / (255.0 * steps);
            values_.at(i) = static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
        }
    }
    std::array<float, 255 * steps + 1> values_{};
};

// A row in linear light. Pictures of a few pixels are continued with their last ones: the definition has nothing to say
// of them.
void read_row(const Pixels& pixels, std::size_t y, float background, const ThreeRows& out, std::size_t width) {
    const LinearLight& light = LinearLight::table();
    const auto bands = static_cast<std::size_t>(pixels.bands);
    const std::size_t last_row = static_cast<std::size_t>(pixels.height) - 1;
    const std::uint8_t* at = pixels.first + std::min(y, last_row) * pixels.stride;
    const std::size_t green = bands < 3 ? 0 : 1;
    const std::size_t blue = bands < 3 ? 0 : 2;
    const auto inside = static_cast<std::size_t>(pixels.width);
    if (!pixels.has_alpha()) {
        for (std::size_t x = 0; x < inside; ++x, at += bands) {
            out[0][x] = light.of_byte(at[0]);
            out[1][x] = light.of_byte(at[green]);
            out[2][x] = light.of_byte(at[blue]);
        }
    } else {
        for (std::size_t x = 0; x < inside; ++x, at += bands) {
            const float alpha = static_cast<float>(at[bands - 1]) / 255.0F;
            const float behind = (1 - alpha) * background * 255.0F;
            out[0][x] = light.of(alpha * static_cast<float>(at[0]) + behind);
            out[1][x] = light.of(alpha * static_cast<float>(at[green]) + behind);
            out[2][x] = light.of(alpha * static_cast<float>(at[blue]) + behind);
        }
    }
    for (float* row : out) std::fill(row + inside, row + width, row[inside - 1]);
}

}  // namespace

void compare_over(float background, const Pixels& reference, const Pixels& candidate, Sums& sums, Cells* cells) {
    const auto width = static_cast<std::size_t>(std::max(reference.width, smallest_edge));
    const auto height = static_cast<std::size_t>(std::max(reference.height, smallest_edge));
    FloatRows rows(2 * channel_count, width);
    const ThreeRows a{rows.row(0), rows.row(1), rows.row(2)};
    const ThreeRows b{rows.row(3), rows.row(4), rows.row(5)};
    Scale whole(width, height, sums, cells);
    for (std::size_t y = 0; y < height; ++y) {
        read_row(reference, y, background, a, width);
        read_row(candidate, y, background, b, width);
        whole.add({a[0], a[1], a[2]}, {b[0], b[1], b[2]});
    }
}

double score_of(const Sums& sums) {
    double weighted = 0;
    std::size_t weight = 0;
    for (std::size_t channel = 0; channel < channel_count; ++channel) {
        for (const ScaleSums& scale : sums) {
            if (scale.pixels == 0) continue;  // small pictures have fewer, and the weights move up, as defined
            const auto pixels = static_cast<double>(scale.pixels);
            const auto& maps = scale.maps.at(channel);
            for (const Norms& map : maps) weighted += weights.at(weight++) * map.sum / pixels;
            for (const Norms& map : maps) weighted += weights.at(weight++) * std::pow(map.fourth_powers / pixels, 0.25);
        }
    }
    const double x = weighted * sum_scale;
    const double error = x * (sum_polynomial[0] + x * (sum_polynomial[1] + x * sum_polynomial[2]));
    return error > 0 ? 100 - 10 * std::pow(error, score_power) : 100;
}

Pixels Pixels::part(int left, int top, int part_width, int part_height) const {
    Pixels cut = *this;
    cut.first +=
        static_cast<std::size_t>(top) * stride + static_cast<std::size_t>(left) * static_cast<std::size_t>(bands);
    cut.width = part_width;
    cut.height = part_height;
    return cut;
}

void Likeness::add(const Pixels& reference, const Pixels& candidate) {
    const bool transparent = reference.has_alpha() || candidate.has_alpha();
    compare_over(backgrounds[0], reference, candidate, sums_[0]);
    if (transparent) compare_over(backgrounds[1], reference, candidate, sums_[1]);
}

double Likeness::score() const {
    const double dark = score_of(sums_[0]);
    return sums_[1].front().pixels > 0 ? std::min(dark, score_of(sums_[1])) : dark;
}

}  // namespace tessera::imaging::looks
