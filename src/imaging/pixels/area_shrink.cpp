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

}  // namespace

AreaShrink::AreaShrink(const AreaCuts& across, const AreaCuts& down)
    : down_(down),
      units_across_(static_cast<std::uint32_t>(across.units())),
      sums_(across.from() + 1),
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
    const float share_down = 1 / static_cast<float>(down_.at(row_ + 1) - down_.at(row_));
    for (std::size_t i = 0; i < spans_.size(); ++i) {
        const Span& span = spans_[i];
        std::uint64_t sum = 0;
        for (std::uint32_t x = span.first; x < span.last; ++x) sum += sums_[x];
        sum = sum * units_across_ + std::uint64_t{span.more_of_last} * sums_[span.last] -
              std::uint64_t{span.less_of_first} * sums_[span.first];
        made_[i] = static_cast<float>(sum) * span.share * share_down;
    }
}

std::span<const float> AreaShrink::take() {
    ready_ = false;
    return made_;
}

}  // namespace tessera::imaging
