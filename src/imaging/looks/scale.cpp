#include "imaging/looks/scale.hpp"

#include <algorithm>

namespace tessera::imaging::looks {
namespace {

constexpr std::size_t product_count = 3;
constexpr std::size_t scratch_errors = product_count * channel_count;  // after the products
constexpr std::size_t scratch_count = scratch_errors + map_count;

// The definition looks at the size before it halves, so that the last scale may be smaller.
bool has_another_scale(std::size_t width, std::size_t height, std::size_t index) {
    return index + 1 < scale_count && width >= smallest_edge && height >= smallest_edge;
}

}  // namespace

Scale::Scale(std::size_t width, std::size_t height, Sums& sums, Cells* cells, std::size_t index)
    : width_(width),
      height_(height),
      index_(index),
      sums_(sums.at(index)),
      cells_(cells),
      xyb_(2 * channel_count * ring, width),
      blurred_(channel_count * blurred_count * ring, width),
      states_(channel_count * blurred_count * 6, width),
      blurred_down_(channel_count * blurred_count, width),
      scratch_(scratch_count, width),
      nothing_(1, width),
      waiting_(2 * channel_count, width),
      halved_(2 * channel_count, (width + 1) / 2) {
    sums_.pixels += static_cast<std::int64_t>(width * height);
    for (std::size_t channel = 0; channel < channel_count; ++channel) {
        if (cells == nullptr || counts(channel, index)) channels_.push_back(channel);
    }
    if (has_another_scale(width, height, index)) {
        next_ = std::make_unique<Scale>((width + 1) / 2, (height + 1) / 2, sums, cells, index + 1);
    }
}

void Scale::add(const ThreeConstRows& reference, const ThreeConstRows& candidate) {
    const std::size_t slot = rows_in_ % ring;
    const std::array<ThreeConstRows, 2> linear{reference, candidate};
    for (std::size_t picture = 0; picture < 2; ++picture) {
        to_xyb(linear[picture], {xyb(picture, 0, slot), xyb(picture, 1, slot), xyb(picture, 2, slot)}, width_);
    }
    blur_row(slot);
    ++rows_in_;
    if (next_) pass_on(linear);
    step_down();
    while (rows_in_ == height_ && steps_ < height_ + blur_reach) step_down();
}

void Scale::blur_row(std::size_t slot) {
    std::array<const float*, channel_count * blurred_count> rows{};
    std::array<float*, channel_count * blurred_count> blurs{};
    std::size_t count = 0;
    const auto blur = [&](const float* row, std::size_t channel, Blurred map) {
        rows.at(count) = row;
        blurs.at(count) = blurred(channel, map, slot);
        ++count;
    };
    for (const std::size_t channel : channels_) {
        const float* const a = xyb(0, channel, slot);
        const float* const b = xyb(1, channel, slot);
        const auto product_of = [&](const float* one, const float* other, std::size_t which) {
            float* const products = scratch_.row(channel * product_count + which);
            multiply(one, other, products, width_);
            return products;
        };
        blur(a, channel, mean_a);
        blur(b, channel, mean_b);
        blur(product_of(a, a, 0), channel, square_a);
        blur(product_of(b, b, 1), channel, square_b);
        blur(product_of(a, b, 2), channel, product);
    }
    for (std::size_t i = 0; i < count; i += 3) {
        // The last of them again where there are no three.
        const std::size_t second = std::min(i + 1, count - 1);
        const std::size_t third = std::min(i + 2, count - 1);
        blur_across({rows.at(i), rows.at(second), rows.at(third)}, {blurs.at(i), blurs.at(second), blurs.at(third)},
                    width_, blur_);
    }
}

void Scale::step_down() {
    const std::size_t comes = steps_;
    const bool has_come = comes < height_;
    const bool has_left = comes >= ring - 1;
    for (const std::size_t channel : channels_) {
        for (std::size_t map = 0; map < blurred_count; ++map) {
            const std::size_t series = channel * blurred_count + map;
            const float* const gone = has_left ? blurred(channel, map, (comes - (ring - 1)) % ring) : nothing_.row(0);
            const float* const come = has_come ? blurred(channel, map, comes % ring) : nothing_.row(0);
            float* const down = blurred_down_.row(series);
            std::fill_n(down, width_, 0.0F);
            for (std::size_t k = 0; k < 3; ++k) {
                const std::size_t state = (series * 3 + k) * 2;
                blur_down(gone, come, states_.row(state), states_.row(state + 1), down, width_, blur_.gain.at(k),
                          blur_.turn.at(k));
            }
        }
    }
    ++steps_;
    if (steps_ > blur_reach) finish_row(steps_ - 1 - blur_reach);
}

void Scale::finish_row(std::size_t y) {
    const std::size_t slot = y % ring;
    const ErrorRows errors{scratch_.row(scratch_errors), scratch_.row(scratch_errors + 1),
                           scratch_.row(scratch_errors + 2)};
    for (const std::size_t channel : channels_) {
        const auto map = [&](Blurred which) { return blurred_down_.row(channel * blurred_count + which); };
        errors_of({xyb(0, channel, slot), xyb(1, channel, slot), map(mean_a), map(mean_b), map(square_a), map(square_b),
                   map(product)},
                  errors, width_);
        auto& norms = sums_.maps.at(channel);
        add_norms(errors.structure, width_, norms[0]);
        add_norms(errors.came, width_, norms[1]);
        add_norms(errors.went, width_, norms[2]);
        if (cells_ != nullptr) cells_->add(index_, channel, y, height_, errors, width_);
    }
}

// The last of an odd number of rows counts twice, as does the last column.
void Scale::pass_on(const std::array<ThreeConstRows, 2>& linear) {
    const bool is_second = rows_in_ % 2 == 0;
    if (!is_second && rows_in_ < height_) {
        for (std::size_t plane = 0; plane < 2 * channel_count; ++plane) {
            std::copy_n(linear.at(plane / 3).at(plane % 3), width_, waiting_.row(plane));
        }
        return;
    }
    std::array<ThreeConstRows, 2> halves{};
    for (std::size_t plane = 0; plane < 2 * channel_count; ++plane) {
        const float* const below = linear.at(plane / 3).at(plane % 3);
        const float* const above = is_second ? waiting_.row(plane) : below;
        halve(above, below, halved_.row(plane), width_);
        halves.at(plane / 3).at(plane % 3) = halved_.row(plane);
    }
    next_->add(halves[0], halves[1]);
}

}  // namespace tessera::imaging::looks
