#include "codecs/vp8/decode/decoder.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tessera::codecs::vp8 {
namespace {

// Section 12.2: pixels beyond the picture.
constexpr std::uint8_t above_the_first_row = 127;
constexpr std::uint8_t before_the_first_column = 129;

std::vector<PlaceProbabilities> by_place(const Probabilities& probabilities) {
    std::vector<PlaceProbabilities> result(block_kinds);
    for (std::size_t kind = 0; kind < block_kinds; ++kind) {
        for (std::size_t place = 0; place < band_of.size(); ++place) {
            std::memcpy(result[kind].of[place], probabilities.of[kind][band_of[place]], sizeof result[kind].of[place]);
        }
    }
    return result;
}

}  // namespace

std::optional<Decoder> Decoder::open(std::span<const std::uint8_t> frame) {
    auto header = read_frame_header(frame);
    if (!header) return std::nullopt;
    return Decoder(std::move(*header));
}

Decoder::Decoder(FrameHeader header)
    : header_(std::move(header)),
      probabilities_(by_place(header_.probabilities)),
      modes_(static_cast<std::size_t>(header_.across())),
      modes_above_(modes_.size() * 4, from_mean),
      above_(modes_.size()) {
    for (Rows& plane : planes_) {
        plane.edge = &plane == planes_ ? 16 : 8;
        plane.stride = std::ptrdiff_t{header_.across()} * plane.edge + 2 * margin;
        plane.bytes.resize(static_cast<std::size_t>(plane.stride * (plane.edge + 1)));
        std::memset(plane.bytes.data(), above_the_first_row, static_cast<std::size_t>(plane.stride));
        for (int y = 0; y < plane.edge; ++y) plane.first()[y * plane.stride - 1] = before_the_first_column;
    }
}

void Decoder::keep_last_rows() {
    for (Rows& plane : planes_) {
        const auto width = static_cast<std::size_t>(header_.across() * plane.edge);
        std::uint8_t* const above = plane.first() - plane.stride;
        std::memcpy(above, plane.first() + (plane.edge - 1) * plane.stride, width);
        std::memset(above + width, above[width - 1], 4);
        above[-1] = before_the_first_column;
    }
}

bool Decoder::next() {
    if (failed_ || row_ + 1 >= header_.down()) return false;
    if (row_ >= 0) keep_last_rows();
    ++row_;
    failed_ = !read_modes(header_, modes_above_, modes_);
    if (failed_) return false;
    MacroblockRow row{.across = header_.across(),
                      .is_first = row_ == 0,
                      .modes = modes_.data(),
                      .dequantisers = header_.dequantisers.data(),
                      .probabilities = probabilities_.data(),
                      .above = above_.data()};
    for (int i = 0; i < 3; ++i) {
        row.planes[i] = planes_[i].first();
        row.strides[i] = planes_[i].stride;
    }
    failed_ = !decode_macroblock_row(row, header_.tokens[static_cast<std::size_t>(row_) % header_.tokens.size()]);
    return !failed_;
}

Decoder::Plane Decoder::plane(int number) const {
    const Rows& rows = planes_[number];
    const int height = number == 0 ? header_.height : (header_.height + 1) / 2;
    return {rows.first(), static_cast<std::size_t>(rows.stride), std::min(rows.edge, height - row_ * rows.edge)};
}

}  // namespace tessera::codecs::vp8
