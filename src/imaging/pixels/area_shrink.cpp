#include "imaging/pixels/area_shrink.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace tessera::imaging {
namespace {

TESSERA_VECTORISED
void add_times(std::uint32_t* sums, const std::uint8_t* row, std::size_t size, std::uint32_t times) {
    for (std::size_t i = 0; i < size; ++i) sums[i] += times * row[i];
}

TESSERA_VECTORISED
void begin_with(std::uint32_t* sums, const std::uint8_t* row, std::size_t size, std::uint32_t times) {
    for (std::size_t i = 0; i < size; ++i) sums[i] = times * row[i];
}

// Of all before each.
void sum_up(const std::uint32_t* values, std::size_t size, std::uint64_t* before) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        before[i] = sum;
        sum += values[i];
    }
}

}  // namespace

AreaShrink::AreaShrink(const AreaCuts& across, const AreaCuts& down)
    : down_(down),
      units_across_(static_cast<std::uint32_t>(across.units())),
      sums_(across.from() + 1),
      before_(sums_.size()),
      made_(static_cast<std::size_t>(across.to())),
      left_(down.at(1)) {
    for (int i = 0; i < across.to(); ++i) {
        const auto begin = static_cast<std::uint64_t>(across.at(i));
        const auto end = static_cast<std::uint64_t>(across.at(i + 1));
        spans_.push_back({static_cast<std::uint32_t>(begin / units_across_),
                          static_cast<std::uint32_t>(end / units_across_),
                          static_cast<std::uint32_t>(begin % units_across_),
                          static_cast<std::uint32_t>(end % units_across_), 1 / static_cast<float>(end - begin)});
    }
}

void AreaShrink::add(const std::uint8_t* row) {
    const std::size_t size = sums_.size() - 1;
    const std::int64_t used = std::min<std::int64_t>(left_, down_.units());
    add_times(sums_.data(), row, size, static_cast<std::uint32_t>(used));
    left_ -= used;
    if (left_ > 0) return;
    finish();
    const std::int64_t rest = down_.units() - used;
    begin_with(sums_.data(), row, size, static_cast<std::uint32_t>(rest));
    ++row_;
    left_ = down_.at(row_ + 1) - down_.at(row_) - rest;
    ready_ = true;
}

void AreaShrink::finish() {
    // A span is the difference of two sums, however long it is.
    sum_up(sums_.data(), sums_.size(), before_.data());
    const float share_down = 1 / static_cast<float>(down_.at(row_ + 1) - down_.at(row_));
    const std::uint32_t* const sums = sums_.data();
    const std::uint64_t* const before = before_.data();
    const std::uint64_t units_across = units_across_;
    float* out = made_.data();
    for (const Span& span : spans_) {
        const std::uint64_t sum = (before[span.last] - before[span.first]) * units_across +
                                  std::uint64_t{span.more_of_last} * sums[span.last] -
                                  std::uint64_t{span.less_of_first} * sums[span.first];
        *out++ = static_cast<float>(static_cast<std::int64_t>(sum)) * span.share * share_down;
    }
}

std::span<const float> AreaShrink::take() {
    ready_ = false;
    return made_;
}

}  // namespace tessera::imaging
