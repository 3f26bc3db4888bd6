#include "codecs/jpeg/reduced/component.hpp"

#include <algorithm>

#include "codecs/jpeg/zigzag.hpp"

namespace tessera::codecs {
namespace {

// Blocks are transformed so many at a time.
constexpr std::size_t blocks_at_once = 16;

std::size_t stride_for(int blocks) {
    return (static_cast<std::size_t>(blocks) + blocks_at_once - 1) / blocks_at_once * blocks_at_once;
}

}  // namespace

std::optional<BlockSize> reduced_block(const JpegHead& head, const JpegComponent& component, int shrink) {
    const BlockSize size{8 / shrink * head.horizontal / component.horizontal,
                         8 / shrink * head.vertical / component.vertical};
    if (size.across > 8 || size.down > 8) return std::nullopt;
    return size;
}

ReducedComponent::ReducedComponent(const JpegHead& head, const JpegComponent& component, BlockSize size, int mcu_rows)
    : size_(size), blocks_across_(head.mcus_across * component.horizontal), stride_(stride_for(blocks_across_)) {
    offsets_.fill(static_cast<std::int32_t>(stride_) * size_.count());
    for (std::size_t k = 0; k < zigzag.size(); ++k) {
        const int across = zigzag[k] % 8;
        const int down = zigzag[k] / 8;
        if (across >= size_.across || down >= size_.down) continue;
        offsets_[k] = static_cast<std::int32_t>(stride_) * (down * size_.across + across);
        last_needed_ = static_cast<int>(k);
        needed_ |= std::uint64_t{1} << k;
    }
    std::fill(offsets_.begin() + 64, offsets_.begin() + end_of_block, offsets_[63]);
    coefficients_.resize(row_size() * static_cast<std::size_t>(mcu_rows * component.vertical));
}

std::int64_t ReducedComponent::bytes(const JpegHead& head, const JpegComponent& component, BlockSize size,
                                     int mcu_rows) {
    const std::size_t blocks =
        stride_for(head.mcus_across * component.horizontal) * static_cast<std::size_t>(mcu_rows * component.vertical);
    return static_cast<std::int64_t>(blocks * sizeof(std::int16_t)) * (size.count() + 1);
}

void ReducedComponent::set_quantisation_table(const QuantisationTable& quantisation_table) {
    for (std::size_t k = 0; k < zigzag.size(); ++k) {
        const int across = zigzag[k] % 8;
        const int down = zigzag[k] / 8;
        // A transform of eight by eight has its mean eight times.
        steps_[k] = quantisation_table[k] / 8.0;
        if (across >= size_.across || down >= size_.down) continue;
        scales_[static_cast<std::size_t>(down * size_.across + across)] = static_cast<float>(steps_[k]);
    }
    has_quantisation_table_ = true;
}

}  // namespace tessera::codecs
