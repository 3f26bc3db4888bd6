#include "imaging/pixels/box_shrink.hpp"

#include <algorithm>
#include <array>

#include "core/simd.hpp"

namespace tessera::imaging {
namespace {

TESSERA_VECTORISED
void add_bytes(const std::uint8_t* row, std::uint32_t* __restrict sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += row[i];
}

TESSERA_VECTORISED
void add_words(const std::uint16_t* row, std::uint32_t* __restrict sums, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += row[i];
}

TESSERA_VECTORISED
void add_rgba(const std::uint8_t* row, std::uint32_t* __restrict sums, std::size_t pixels) {
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::uint32_t alpha = row[4 * i + 3];
        sums[4 * i] += row[4 * i] * alpha;
        sums[4 * i + 1] += row[4 * i + 1] * alpha;
        sums[4 * i + 2] += row[4 * i + 2] * alpha;
        sums[4 * i + 3] += alpha;
    }
}

TESSERA_VECTORISED
void add_grey_alpha(const std::uint8_t* row, std::uint32_t* __restrict sums, std::size_t pixels) {
    for (std::size_t i = 0; i < pixels; ++i) {
        const std::uint32_t alpha = row[2 * i + 1];
        sums[2 * i] += row[2 * i] * alpha;
        sums[2 * i + 1] += alpha;
    }
}

template <std::size_t bands>
std::array<std::uint64_t, bands> total(const std::uint32_t* sums, std::size_t pixels) {
    std::array<std::uint64_t, bands> made{};
    for (std::size_t i = 0; i < pixels; ++i, sums += bands) {
        for (std::size_t band = 0; band < bands; ++band) made[band] += sums[band];
    }
    return made;
}

template <typename Sample>
Sample rounded(double value) {
    return static_cast<Sample>(value + 0.5);
}

// One box of `pixels` columns and `rows` rows.
template <std::size_t bands, typename Sample>
void mean(const std::uint32_t* sums, std::size_t pixels, int rows, Sample* out) {
    const auto made = total<bands>(sums, pixels);
    const double share = 1.0 / (static_cast<double>(pixels) * rows);
    for (std::size_t band = 0; band < bands; ++band) {
        out[band] = rounded<Sample>(static_cast<double>(made[band]) * share);
    }
}

template <std::size_t bands>
void weighted_mean(const std::uint32_t* sums, std::size_t pixels, int rows, std::uint8_t* out) {
    const auto made = total<bands>(sums, pixels);
    const auto alpha = static_cast<double>(made[bands - 1]);
    const double share = alpha > 0 ? 1.0 / alpha : 0.0;
    for (std::size_t band = 0; band + 1 < bands; ++band) {
        out[band] = rounded<std::uint8_t>(static_cast<double>(made[band]) * share);
    }
    out[bands - 1] = rounded<std::uint8_t>(alpha / (static_cast<double>(pixels) * rows));
}

}  // namespace

BoxShrink::BoxShrink(int width, int bands, int sample_bytes, BoxFactors factors)
    : width_(static_cast<std::size_t>(width)),
      bands_(static_cast<std::size_t>(bands)),
      sample_bytes_(sample_bytes),
      across_(static_cast<std::size_t>(factors.across)),
      out_width_(static_cast<std::size_t>(shrunk(width, factors.across))),
      sums_(width_ * bands_) {}

int BoxShrink::shrunk(int edge, int factor) {
    return std::max(1, (edge + factor / 2) / factor);
}

void BoxShrink::add(const std::uint8_t* row) {
    ++rows_;
    if (sample_bytes_ == 2) {
        add_words(reinterpret_cast<const std::uint16_t*>(row), sums_.data(), sums_.size());
    } else if (bands_ == 4) {
        add_rgba(row, sums_.data(), width_);
    } else if (bands_ == 2) {
        add_grey_alpha(row, sums_.data(), width_);
    } else {
        add_bytes(row, sums_.data(), sums_.size());
    }
}

template <typename Box>
void BoxShrink::each_box(Box box) const {
    for (std::size_t x = 0; x < out_width_; ++x) {
        const std::size_t from = x * across_;
        box(x, sums_.data() + from * bands_, x + 1 == out_width_ ? width_ - from : across_);
    }
}

void BoxShrink::take(std::uint8_t* out) {
    using Sums = const std::uint32_t*;
    auto* words = reinterpret_cast<std::uint16_t*>(out);
    if (sample_bytes_ == 2 && bands_ == 1) {
        each_box([&](std::size_t x, Sums at, std::size_t n) { mean<1>(at, n, rows_, words + x); });
    } else if (sample_bytes_ == 2) {
        each_box([&](std::size_t x, Sums at, std::size_t n) { mean<3>(at, n, rows_, words + 3 * x); });
    } else if (bands_ == 1) {
        each_box([&](std::size_t x, Sums at, std::size_t n) { mean<1>(at, n, rows_, out + x); });
    } else if (bands_ == 2) {
        each_box([&](std::size_t x, Sums at, std::size_t n) { weighted_mean<2>(at, n, rows_, out + 2 * x); });
    } else if (bands_ == 3) {
        each_box([&](std::size_t x, Sums at, std::size_t n) { mean<3>(at, n, rows_, out + 3 * x); });
    } else {
        each_box([&](std::size_t x, Sums at, std::size_t n) { weighted_mean<4>(at, n, rows_, out + 4 * x); });
    }
    std::ranges::fill(sums_, 0U);
    rows_ = 0;
}

}  // namespace tessera::imaging
