#include "imaging/jpeg/reduced/part.hpp"

#include <algorithm>

namespace tessera::imaging {
namespace {

// Blocks are transformed so many at a time.
constexpr std::size_t blocks_at_once = 16;

std::size_t stride_for(int blocks) {
    return (static_cast<std::size_t>(blocks) + blocks_at_once - 1) / blocks_at_once * blocks_at_once;
}

}  // namespace

std::optional<BlockSize> reduced_block(const JpegHead& head, const JpegPart& part, int shrink) {
    const BlockSize size{8 / shrink * head.across_factor / part.across_factor,
                         8 / shrink * head.down_factor / part.down_factor};
    if (size.across > 8 || size.down > 8) return std::nullopt;
    return size;
}

ReducedPart::ReducedPart(const JpegHead& head, const JpegPart& part, BlockSize size, int unit_rows)
    : size_(size), blocks_across_(head.units_across * part.across_factor), stride_(stride_for(blocks_across_)) {
    offsets_.fill(static_cast<std::int32_t>(stride_) * size_.count());
    for (std::size_t place = 0; place < jpeg_places.size(); ++place) {
        const int across = jpeg_places[place] % 8;
        const int down = jpeg_places[place] / 8;
        if (across >= size_.across || down >= size_.down) continue;
        offsets_[place] = static_cast<std::int32_t>(stride_) * (down * size_.across + across);
        last_needed_ = static_cast<int>(place);
        needed_ |= std::uint64_t{1} << place;
    }
    std::fill(offsets_.begin() + 64, offsets_.begin() + end_of_block, offsets_[63]);
    coefficients_.resize(row_size() * static_cast<std::size_t>(unit_rows * part.down_factor));
}

std::int64_t ReducedPart::bytes(const JpegHead& head, const JpegPart& part, BlockSize size, int unit_rows) {
    const std::size_t blocks =
        stride_for(head.units_across * part.across_factor) * static_cast<std::size_t>(unit_rows * part.down_factor);
    return static_cast<std::int64_t>(blocks * sizeof(std::int16_t)) * (size.count() + 1);
}

void ReducedPart::set_quantiser(const Quantiser& quantiser) {
    for (std::size_t place = 0; place < jpeg_places.size(); ++place) {
        const int across = jpeg_places[place] % 8;
        const int down = jpeg_places[place] / 8;
        // A transform of eight by eight has its mean eight times.
        steps_[place] = quantiser[place] / 8.0;
        if (across >= size_.across || down >= size_.down) continue;
        scales_[static_cast<std::size_t>(down * size_.across + across)] = static_cast<float>(steps_[place]);
    }
    has_quantiser_ = true;
}

}  // namespace tessera::imaging
