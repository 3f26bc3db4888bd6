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

// The sine of an angle, which goes on in equal steps.
class Sine {
  public:
    explicit Sine(double step) : turn_(std::sin(step)), keep_(std::cos(step)) {}
    void start(double angle) {
        sine_ = std::sin(angle);
        cosine_ = std::cos(angle);
    }
    double next() {
        const double now = sine_;
        sine_ = now * keep_ + cosine_ * turn_;
        cosine_ = cosine_ * keep_ - now * turn_;
        return now;
    }

  private:
    double turn_;
    double keep_;
    double sine_ = 0;
    double cosine_ = 1;
};

// Lanczos' kernel, in equal steps.
class Kernel {
  public:
    explicit Kernel(double step)
        : step_(step), fine_(std::numbers::pi * step), coarse_(std::numbers::pi * step / lobes) {}
    void start(double x) {
        x_ = x;
        fine_.start(std::numbers::pi * x);
        coarse_.start(std::numbers::pi * x / lobes);
    }
    double next() {
        const double x = x_;
        x_ += step_;
        const double product = fine_.next() * coarse_.next();
        if (std::abs(x) >= lobes) return 0;
        if (std::abs(x) < 1e-6) return 1;
        return lobes * product / (std::numbers::pi * std::numbers::pi * x * x);
    }

  private:
    double step_;
    Sine fine_;
    Sine coarse_;
    double x_ = 0;
};

// A pixel's bands as one vector; loads reach past the last pixel by what is left of it.
using Pixel [[gnu::vector_size(16)]] = float;
constexpr std::size_t pixel_slack = 4;

TESSERA_VECTORISED
void widen(const std::uint8_t* row, float* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(row[i]);
}

TESSERA_VECTORISED
void widen(const std::uint16_t* row, float* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out[i] = static_cast<float>(row[i]);
}

TESSERA_VECTORISED
void set_weighted(const float* row, float weight, float* __restrict sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] = row[i] * weight;
}

TESSERA_VECTORISED
void add_weighted(const float* row, float weight, float* __restrict sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += row[i] * weight;
}

TESSERA_VECTORISED
void round_all(const float* values, std::uint8_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<std::uint8_t>(std::clamp(static_cast<int>(values[i] + 0.5F), 0, 255));
    }
}

TESSERA_VECTORISED
void round_all(const float* values, std::uint16_t* __restrict out, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        out[i] = static_cast<std::uint16_t>(std::clamp(static_cast<int>(values[i] + 0.5F), 0, 65535));
    }
}

template <std::size_t bands>
void premultiply(float* row, std::size_t pixels, float opaque) {
    for (std::size_t i = 0; i < pixels; ++i, row += bands) {
        const float opacity = row[bands - 1] * (1.0F / opaque);
        for (std::size_t band = 0; band + 1 < bands; ++band) row[band] *= opacity;
    }
}

template <std::size_t bands>
void unpremultiply(float* row, std::size_t pixels, float opaque) {
    for (std::size_t i = 0; i < pixels; ++i, row += bands) {
        const float alpha = row[bands - 1];
        const float share = alpha >= 0.5F ? opaque / alpha : 0.0F;
        for (std::size_t band = 0; band + 1 < bands; ++band) row[band] *= share;
    }
}

// `many` target pixels side by side, so that none waits for a sum of its own.
template <std::size_t bands, std::size_t many>
TESSERA_INLINE void resample_pixels(const float* row, const EvenWeights& across, std::size_t target,
                                    const float* weights, float* out) {
    std::array<const float*, many> from;
    for (std::size_t k = 0; k < many; ++k) from[k] = row + static_cast<std::size_t>(across.first[target + k]) * bands;
    std::array<Pixel, many> sums{};
    for (std::size_t i = 0; i < across.count; ++i, weights += many) {
        for (std::size_t k = 0; k < many; ++k) {
            Pixel pixel;
            std::memcpy(&pixel, from[k] + i * bands, sizeof pixel);
            sums[k] += pixel * weights[k];
        }
    }
    for (std::size_t k = 0; k < many; ++k) std::memcpy(out + (target + k) * bands, &sums[k], sizeof sums[k]);
}

template <std::size_t bands>
TESSERA_INLINE void resample_row(const float* row, const EvenWeights& across, float* out) {
    constexpr std::size_t many = EvenWeights::side_by_side;
    const float* weights = across.weights.data();
    const std::size_t targets = across.first.size();
    std::size_t target = 0;
    for (; target + many <= targets; target += many, weights += many * across.count) {
        resample_pixels<bands, many>(row, across, target, weights, out);
    }
    for (; target < targets; ++target, weights += across.count) {
        resample_pixels<bands, 1>(row, across, target, weights, out);
    }
}

TESSERA_VECTORISED
void resample_row(const float* row, const EvenWeights& across, int bands, float* out) {
    switch (bands) {
        case 1: return resample_row<1>(row, across, out);
        case 2: return resample_row<2>(row, across, out);
        case 3: return resample_row<3>(row, across, out);
        default: return resample_row<4>(row, across, out);
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

int longest_span(const ResampleWeights& weights) {
    int most = 1;
    for (const auto& span : weights.spans) most = std::max(most, span.count);
    return most;
}

}  // namespace

ResampleWeights::ResampleWeights(Stretch stretch, int from, int to) {
    const double factor = stretch.length / to;
    const double spread = std::max(factor, 1.0);
    const double reach = lobes * spread;
    std::vector<double> exact;
    Kernel kernel(1 / spread);
    for (int target = 0; target < to; ++target) {
        const double centre = stretch.start + (target + 0.5) * factor - 0.5;
        const int lowest = static_cast<int>(std::ceil(centre - reach));
        const int highest = static_cast<int>(std::floor(centre + reach));
        Span span{std::clamp(lowest, 0, from - 1), 0, weights.size()};
        span.count = std::clamp(highest, 0, from - 1) - span.first + 1;
        exact.assign(static_cast<std::size_t>(span.count), 0);
        double sum = 0;
        kernel.start((lowest - centre) / spread);
        for (int i = lowest; i <= highest; ++i) {
            const double weight = kernel.next();
            exact[static_cast<std::size_t>(std::clamp(i, 0, from - 1) - span.first)] += weight;
            sum += weight;
        }
        for (const double weight : exact) weights.push_back(static_cast<float>(weight / sum));
        spans.push_back(span);
    }
}

EvenWeights::EvenWeights(const ResampleWeights& uneven, int from) {
    for (const auto& span : uneven.spans) count = std::max(count, static_cast<std::size_t>(span.count));
    const std::size_t targets = uneven.spans.size();
    const std::size_t in_groups = targets / side_by_side * side_by_side;
    weights.resize(targets * count);
    for (std::size_t target = 0; target < targets; ++target) {
        const auto& span = uneven.spans[target];
        first.push_back(std::min(span.first, from - static_cast<int>(count)));
        const bool grouped = target < in_groups;
        const std::size_t step = grouped ? side_by_side : 1;
        const std::size_t lane = grouped ? target % side_by_side : 0;
        float* to = weights.data() + (target - lane) * count + lane;
        to += static_cast<std::size_t>(span.first - first.back()) * step;
        for (std::size_t i = 0; i < static_cast<std::size_t>(span.count); ++i) {
            to[i * step] = uneven.weights[span.at + i];
        }
    }
}

Resampler::Resampler(Size from, const Part& part, Size to, PixelKind kind)
    : kind_(kind),
      brightest_(kind.deep ? 65535 : 255),
      width_(static_cast<int>(from.width)),
      across_({part.across, static_cast<int>(from.width), static_cast<int>(to.width)}, width_),
      down_(part.down, static_cast<int>(from.height), static_cast<int>(to.height)),
      grows_down_(static_cast<double>(to.height) > part.down.length),
      ring_(grows_down_ ? longest_span(down_) : widest_overlap(down_)),
      row_size_(static_cast<std::size_t>((grows_down_ ? to.width : from.width) * kind.bands) + pixel_slack),
      rows_(static_cast<std::size_t>(ring_) * row_size_),
      row_(static_cast<std::size_t>(from.width * kind.bands) + pixel_slack),
      made_(static_cast<std::size_t>(to.width * kind.bands) + pixel_slack) {}

int Resampler::rows_needed() const {
    const auto& span = down_.spans[static_cast<std::size_t>(taken_)];
    return span.first + span.count;
}

void Resampler::add(const std::uint8_t* row) {
    const auto pixels = static_cast<std::size_t>(width_);
    const std::size_t samples = pixels * static_cast<std::size_t>(kind_.bands);
    if (kind_.deep) {
        widen(reinterpret_cast<const std::uint16_t*>(row), row_.data(), samples);
    } else {
        widen(row, row_.data(), samples);
    }
    if (kind_.has_alpha && kind_.bands == 2) premultiply<2>(row_.data(), pixels, brightest_);
    if (kind_.has_alpha && kind_.bands == 4) premultiply<4>(row_.data(), pixels, brightest_);
    if (grows_down_) {
        resample_row(row_.data(), across_, kind_.bands, in_ring(added_));
    } else {
        add_to_sums();
    }
    ++added_;
}

void Resampler::add_to_sums() {
    const std::size_t samples = static_cast<std::size_t>(width_) * static_cast<std::size_t>(kind_.bands);
    for (std::size_t target = static_cast<std::size_t>(taken_); target < down_.spans.size(); ++target) {
        const auto& span = down_.spans[target];
        if (span.first > added_) break;
        const int tap = added_ - span.first;
        if (tap >= span.count) continue;
        const float weight = down_.weights[span.at + static_cast<std::size_t>(tap)];
        (tap == 0 ? set_weighted : add_weighted)(row_.data(), weight, in_ring(static_cast<int>(target)), samples);
    }
}

void Resampler::sum_rows() {
    const auto& span = down_.spans[static_cast<std::size_t>(taken_)];
    const std::size_t samples = across_.first.size() * static_cast<std::size_t>(kind_.bands);
    for (int tap = 0; tap < span.count; ++tap) {
        const float weight = down_.weights[span.at + static_cast<std::size_t>(tap)];
        (tap == 0 ? set_weighted : add_weighted)(in_ring(span.first + tap), weight, made_.data(), samples);
    }
}

void Resampler::take(std::uint8_t* out) {
    const std::size_t pixels = across_.first.size();
    if (grows_down_) {
        sum_rows();
    } else {
        resample_row(in_ring(taken_), across_, kind_.bands, made_.data());
    }
    if (kind_.has_alpha && kind_.bands == 2) unpremultiply<2>(made_.data(), pixels, brightest_);
    if (kind_.has_alpha && kind_.bands == 4) unpremultiply<4>(made_.data(), pixels, brightest_);
    const std::size_t samples = pixels * static_cast<std::size_t>(kind_.bands);
    if (kind_.deep) {
        round_all(made_.data(), reinterpret_cast<std::uint16_t*>(out), samples);
    } else {
        round_all(made_.data(), out, samples);
    }
    ++taken_;
}

}  // namespace tessera::imaging
