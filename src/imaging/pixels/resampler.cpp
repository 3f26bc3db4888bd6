#include "imaging/pixels/resampler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <numbers>

#include "core/simd.hpp"

namespace tessera::imaging {
namespace {

constexpr double lobes = 3;

double sinc(double x) {
    if (std::abs(x) < 1e-9) return 1;
    return std::sin(std::numbers::pi * x) / (std::numbers::pi * x);
}

double lanczos(double x) {
    return std::abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0;
}

// A pixel's bands as one vector; loads reach past the last pixel by what is left of it.
using Pixel [[gnu::vector_size(16)]] = float;
constexpr std::size_t pixel_slack = 4;

TESSERA_VECTORISED
void widen(const std::uint8_t* row, float* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(row[i]);
}

TESSERA_VECTORISED
void add_weighted(const float* row, float weight, float* __restrict sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += row[i] * weight;
}

template <std::size_t bands>
void premultiply(float* row, std::size_t pixels) {
    for (std::size_t i = 0; i < pixels; ++i, row += bands) {
        const float opacity = row[bands - 1] * (1.0F / 255);
        for (std::size_t band = 0; band + 1 < bands; ++band) row[band] *= opacity;
    }
}

std::uint8_t rounded(float value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F);
}

template <std::size_t bands, bool has_alpha>
void write_pixel(const Pixel& pixel, std::uint8_t* out) {
    if constexpr (has_alpha) {
        const float alpha = pixel[bands - 1];
        const float share = alpha >= 0.5F ? 255 / alpha : 0.0F;
        for (std::size_t band = 0; band + 1 < bands; ++band) out[band] = rounded(pixel[band] * share);
        out[bands - 1] = rounded(alpha);
    } else {
        for (std::size_t band = 0; band < bands; ++band) out[band] = rounded(pixel[band]);
    }
}

template <std::size_t bands, bool has_alpha>
void resample_row(const float* row, const ResampleWeights& across, std::uint8_t* out) {
    for (const ResampleWeights::Span& span : across.spans) {
        const float* from = row + static_cast<std::size_t>(span.first) * bands;
        const float* weight = across.weights.data() + span.at;
        Pixel sum{};
        for (int i = 0; i < span.count; ++i, from += bands) {
            Pixel pixel;
            std::memcpy(&pixel, from, sizeof pixel);
            sum += pixel * weight[i];
        }
        write_pixel<bands, has_alpha>(sum, out);
        out += bands;
    }
}

// The most target pixels that one source pixel is part of.
int widest_overlap(const ResampleWeights& weights) {
    int most = 1;
    std::size_t oldest = 0;
    for (std::size_t i = 0; i < weights.spans.size(); ++i) {
        while (weights.spans[oldest].first + weights.spans[oldest].count <= weights.spans[i].first) ++oldest;
        most = std::max(most, static_cast<int>(i - oldest) + 1);
    }
    return most;
}

}  // namespace

ResampleWeights::ResampleWeights(Stretch stretch, int from, int to) {
    const double factor = stretch.length / to;
    const double reach = lobes * factor;
    std::vector<double> exact;
    for (int target = 0; target < to; ++target) {
        const double centre = stretch.start + (target + 0.5) * factor - 0.5;
        const int lowest = static_cast<int>(std::ceil(centre - reach));
        const int highest = static_cast<int>(std::floor(centre + reach));
        Span span{std::clamp(lowest, 0, from - 1), 0, weights.size()};
        span.count = std::clamp(highest, 0, from - 1) - span.first + 1;
        exact.assign(static_cast<std::size_t>(span.count), 0);
        double sum = 0;
        for (int i = lowest; i <= highest; ++i) {
            const double weight = lanczos((i - centre) / factor);
            exact[static_cast<std::size_t>(std::clamp(i, 0, from - 1) - span.first)] += weight;
            sum += weight;
        }
        for (const double weight : exact) weights.push_back(static_cast<float>(weight / sum));
        spans.push_back(span);
    }
}

Resampler::Resampler(Size from, const Part& part, Size to, int bands, bool has_alpha)
    : bands_(bands),
      has_alpha_(has_alpha),
      width_(static_cast<int>(from.width)),
      across_(part.across, static_cast<int>(from.width), static_cast<int>(to.width)),
      down_(part.down, static_cast<int>(from.height), static_cast<int>(to.height)),
      ring_(widest_overlap(down_)),
      sum_size_(static_cast<std::size_t>(from.width * bands) + pixel_slack),
      sums_(static_cast<std::size_t>(ring_) * sum_size_),
      row_(sum_size_) {}

int Resampler::rows_needed() const {
    const auto& span = down_.spans[static_cast<std::size_t>(taken_)];
    return span.first + span.count;
}

void Resampler::add(const std::uint8_t* row) {
    const auto pixels = static_cast<std::size_t>(width_);
    const std::size_t samples = pixels * static_cast<std::size_t>(bands_);
    widen(row, row_.data(), samples);
    if (has_alpha_ && bands_ == 2) premultiply<2>(row_.data(), pixels);
    if (has_alpha_ && bands_ == 4) premultiply<4>(row_.data(), pixels);
    for (std::size_t target = static_cast<std::size_t>(taken_); target < down_.spans.size(); ++target) {
        const auto& span = down_.spans[target];
        if (span.first > added_) break;
        const int tap = added_ - span.first;
        if (tap >= span.count) continue;
        add_weighted(row_.data(), down_.weights[span.at + static_cast<std::size_t>(tap)],
                     sums(static_cast<int>(target)), samples);
    }
    ++added_;
}

void Resampler::take(std::uint8_t* out) {
    float* row = sums(taken_);
    switch (bands_ * 2 + (has_alpha_ ? 1 : 0)) {
        case 2: resample_row<1, false>(row, across_, out); break;
        case 4: resample_row<2, false>(row, across_, out); break;
        case 5: resample_row<2, true>(row, across_, out); break;
        case 6: resample_row<3, false>(row, across_, out); break;
        case 8: resample_row<4, false>(row, across_, out); break;
        default: resample_row<4, true>(row, across_, out); break;
    }
    std::fill_n(row, sum_size_, 0.0F);
    ++taken_;
}

}  // namespace tessera::imaging
