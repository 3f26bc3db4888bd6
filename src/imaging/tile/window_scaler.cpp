#include "imaging/tile/window_scaler.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/simd.hpp"

namespace tessera::imaging {
namespace {

constexpr double lobes = 3;
constexpr float smallest_weight = 1e-5F;  // what is less moves no pixel

double lanczos(double at) {
    const double x = std::abs(at);
    if (x < 1e-8) return 1;
    if (x >= lobes) return 0;
    const double turn = std::numbers::pi * x;
    return lobes * std::sin(turn) * std::sin(turn / lobes) / (turn * turn);
}

// Colours times opacity.
TESSERA_VECTORISED
void premultiply(const std::uint8_t* row, std::size_t pixels, float* out) {
    for (std::size_t i = 0; i < pixels; ++i) {
        const auto opacity = static_cast<float>(row[4 * i + 3]);
        const float factor = opacity / 255.0F;
        out[4 * i] = static_cast<float>(row[4 * i]) * factor;
        out[4 * i + 1] = static_cast<float>(row[4 * i + 1]) * factor;
        out[4 * i + 2] = static_cast<float>(row[4 * i + 2]) * factor;
        out[4 * i + 3] = opacity;
    }
}

TESSERA_VECTORISED
void weigh(const float* from, const float* weights, int count, float* out) {
    float sums[4] = {0, 0, 0, 0};
    for (int i = 0; i < count; ++i) {
        for (int band = 0; band < 4; ++band) sums[band] += from[4 * i + band] * weights[i];
    }
    std::copy_n(sums, 4, out);
}

TESSERA_VECTORISED
void add_weighted(const float* from, float weight, std::size_t count, float* to) {
    for (std::size_t i = 0; i < count; ++i) to[i] += from[i] * weight;
}

std::uint8_t byte_of(float value) {
    return static_cast<std::uint8_t>(std::clamp(value, 0.0F, 255.0F) + 0.5F);
}

}  // namespace

WindowTaps::WindowTaps(double start, double length, std::int64_t target)
    : first(static_cast<std::int64_t>(std::floor(start))), end(static_cast<std::int64_t>(std::ceil(start + length))) {
    const double ratio = length / static_cast<double>(target);
    const double stretch = std::max(1.0, ratio);
    std::vector<double> sums;
    spans.reserve(static_cast<std::size_t>(target));
    for (std::int64_t i = 0; i < target; ++i) {
        const double centre = start + (static_cast<double>(i) + 0.5) * ratio - 0.5;
        const auto from = static_cast<std::int64_t>(std::ceil(centre - lobes * stretch));
        const auto to = static_cast<std::int64_t>(std::floor(centre + lobes * stretch));
        const std::int64_t lowest = std::clamp(from, first, end - 1);
        sums.assign(static_cast<std::size_t>(std::clamp(to, first, end - 1) - lowest + 1), 0.0);
        double total = 0;
        for (std::int64_t at = from; at <= to; ++at) {
            const double weight = lanczos((static_cast<double>(at) - centre) / stretch);
            sums[static_cast<std::size_t>(std::clamp(at, first, end - 1) - lowest)] += weight;
            total += weight;
        }
        const auto counts = [&](double weight) { return std::abs(weight / total) >= smallest_weight; };
        const auto begin = std::ranges::find_if(sums, counts);
        const auto last = std::find_if(sums.rbegin(), sums.rend(), counts).base();
        spans.push_back({lowest + (begin - sums.begin()), static_cast<int>(last - begin), weights.size()});
        for (auto weight = begin; weight != last; ++weight) weights.push_back(static_cast<float>(*weight / total));
    }
}

WindowScaler::WindowScaler(const Window& window, std::int64_t width, std::int64_t height)
    : across_(window.x, window.width, width),
      down_(window.y, window.height, height),
      made_(PixelLayout::rgba, width, height),
      next_source_(down_.first),
      source_(static_cast<std::size_t>(across_.end - across_.first) * 4),
      scaled_(static_cast<std::size_t>(width) * 4) {}

void WindowScaler::add(const std::uint8_t* row) {
    premultiply(row, source_.size() / 4, source_.data());
    for (std::size_t i = 0; i < across_.spans.size(); ++i) {
        const WindowTaps::Span& span = across_.spans[i];
        weigh(source_.data() + (span.first - across_.first) * 4, across_.weights.data() + span.at, span.count,
              scaled_.data() + 4 * i);
    }
    const auto targets = static_cast<std::int64_t>(down_.spans.size());
    for (std::int64_t target = next_target_; target < targets; ++target) {
        const WindowTaps::Span& span = down_.spans[static_cast<std::size_t>(target)];
        if (span.first > next_source_) break;
        const auto place = static_cast<std::size_t>(target - next_target_);
        if (place == sums_.size()) sums_.emplace_back(scaled_.size(), 0.0F);
        const std::int64_t tap = next_source_ - span.first;
        if (tap >= span.count) continue;
        add_weighted(scaled_.data(), down_.weights[span.at + static_cast<std::size_t>(tap)], scaled_.size(),
                     sums_[place].data());
    }
    ++next_source_;
    while (next_target_ < targets) {
        const WindowTaps::Span& span = down_.spans[static_cast<std::size_t>(next_target_)];
        if (sums_.empty() || span.first + span.count > next_source_) break;
        finish_row(sums_.front());
        sums_.pop_front();
        ++next_target_;
    }
}

void WindowScaler::finish_row(const std::vector<float>& sums) {
    std::uint8_t* out = made_.row(0, next_target_);
    for (std::size_t i = 0; i < sums.size(); i += 4) {
        const float opacity = std::clamp(sums[i + 3], 0.0F, 255.0F);
        const float factor = opacity > 0 ? 255.0F / opacity : 0.0F;
        for (std::size_t band = 0; band < 3; ++band) out[i + band] = byte_of(sums[i + band] * factor);
        out[i + 3] = byte_of(opacity);
    }
}

}  // namespace tessera::imaging
