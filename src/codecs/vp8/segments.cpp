#include "codecs/vp8/segments.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numeric>

#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {
namespace {

// A macroblock of the usual detail gets the quantiser that a quality asks for; every doubling of its variance beside
// that makes the exponent of what is kept so much larger. Found by comparing tiles of photographs with their sources:
// by SSIMULACRA 2 alone the exponent would be 0.15, by their difference of luma 0.05.
constexpr double exponent_of_detail = 0.125;
constexpr double detail_of_photographs = 8.2;
// What is usual is less what photographs have than what this picture has. With the first alone the same quality would
// be another one for a picture of leaves than for one of sky; with the second a part of it would get bits that it does
// not need.
constexpr double share_of_photographs = 0.4;
constexpr double most_beside = 4.0;
constexpr int weakest_filter = 2;

// That of a macroblock of the usual detail. Over 1, since what is chosen with care looks better than libwebp's at the
// same quantiser: the same quality is to look the same.
constexpr double usual_exponent = 1.1;

// Of what a picture could lose, by its quality, as libwebp reads it.
double share_kept(double quality) {
    const double part = quality / 100;
    return std::cbrt(part < 0.75 ? part * 2 / 3 : 2 * part - 1);
}

Segment segment_for(double kept, double beside_usual) {
    const double beside = std::clamp(beside_usual, -most_beside, most_beside);
    const double index = 127 * (1 - std::pow(kept, usual_exponent + exponent_of_detail * beside));
    const int quantiser = std::clamp(static_cast<int>(std::lround(index)), 0, 127);
    return {quantiser, filter_after(quantiser)};
}

// The quantiser whose step is nearest to one, by their ratio.
int quantiser_with_step(double step) {
    const auto from = [&](int index) { return std::abs(std::log(ac_steps[index] / step)); };
    int nearest = 0;
    for (int index = 1; index < 128; ++index) nearest = from(index) < from(nearest) ? index : nearest;
    return nearest;
}

using Centres = std::array<float, most_segments>;

int nearest_to(float value, const Centres& centres) {
    int nearest = 0;
    for (std::size_t i = 1; i < centres.size(); ++i) {
        if (std::abs(value - centres[i]) < std::abs(value - centres[static_cast<std::size_t>(nearest)]))
            nearest = static_cast<int>(i);
    }
    return nearest;
}

// The four values that those of macroblocks are closest to.
Centres centres_of(std::span<const float> values) {
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    Centres centres;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        centres[i] = *least + (*most - *least) * (static_cast<float>(i) + 0.5F) / most_segments;
    }
    for (int round = 0; round < 6; ++round) {
        std::array<float, most_segments> sums{};
        std::array<float, most_segments> counts{};
        for (const float value : values) {
            const auto nearest = static_cast<std::size_t>(nearest_to(value, centres));
            sums[nearest] += value;
            ++counts[nearest];
        }
        for (std::size_t i = 0; i < centres.size(); ++i) {
            if (counts[i] > 0) centres[i] = sums[i] / counts[i];
        }
    }
    return centres;
}

void assign(std::span<const float> values, const Centres& centres, Segments& out) {
    out.of.resize(values.size());
    std::transform(values.begin(), values.end(), out.of.begin(),
                   [&](float value) { return static_cast<std::uint8_t>(nearest_to(value, centres)); });
}

}  // namespace

int filter_after(int quantiser, double of_step) {
    const auto filter = static_cast<int>(std::lround(of_step * ac_steps[quantiser]));
    return filter < weakest_filter ? 0 : std::min(filter, 63);
}

float detail_of(const std::uint8_t* pixels) {
    // A part of it that is plain shows errors, however much there is beside it.
    float doublings = 0;
    for (int quarter = 0; quarter < 4; ++quarter) {
        const std::uint8_t* const at = pixels + std::ptrdiff_t{quarter / 2} * 128 + std::ptrdiff_t{quarter % 2} * 8;
        int sum = 0;
        int squares = 0;
        for (int y = 0; y < 8; ++y) {
            for (int x = 0; x < 8; ++x) {
                const int value = at[y * 16 + x];
                sum += value;
                squares += value * value;
            }
        }
        const float mean = static_cast<float>(sum) / 64;
        doublings += std::log2(1 + static_cast<float>(squares) / 64 - mean * mean);
    }
    return doublings / 4;
}

void choose_segments(double quality, std::span<const float> details, Segments& out) {
    const Centres centres = centres_of(details);
    const double kept = share_kept(quality);
    const double mean = std::accumulate(details.begin(), details.end(), 0.0) / static_cast<double>(details.size());
    const double usual = std::lerp(mean, detail_of_photographs, share_of_photographs);
    for (std::size_t i = 0; i < centres.size(); ++i) {
        out.all[i] = segment_for(kept, static_cast<double>(centres[i]) - usual);
    }
    assign(details, centres, out);
}

Segments segments_for_steps(std::span<const float> logarithms) {
    const Centres centres = centres_of(logarithms);
    Segments out;
    for (std::size_t i = 0; i < centres.size(); ++i) {
        const int quantiser = quantiser_with_step(std::exp(static_cast<double>(centres[i])));
        out.all[i] = {quantiser, filter_after(quantiser)};
    }
    assign(logarithms, centres, out);
    return out;
}

}  // namespace tessera::codecs::vp8
