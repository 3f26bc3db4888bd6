#include "codecs/vp8/decode/frame_header.hpp"

#include <algorithm>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs::vp8 {
namespace {

struct SegmentQuantisers {
    bool replace = false;  // the frame's, instead of being added to it
    std::array<int, most_segments> index{};
};

SegmentQuantisers read_segments(BoolReader& in, FrameHeader& header) {
    SegmentQuantisers segments;
    if (!in.get_flag()) return segments;
    segments.replace = true;
    header.has_segments = in.get_flag();
    if (in.get_flag()) {
        segments.replace = in.get_flag();
        for (int& index : segments.index) index = in.get_optional(7);
        for (int i = 0; i < most_segments; ++i) in.get_optional(6);  // filters
    }
    if (header.has_segments) {
        for (std::uint8_t& node : header.segment_nodes) {
            node = in.get_flag() ? static_cast<std::uint8_t>(in.get_bits(8)) : 255;
        }
    }
    return segments;
}

// Which filter, how strong, how sharp, and how that differs between modes.
void skip_filter(BoolReader& in) {
    in.get_bits(1 + 6 + 3);
    const bool differs = in.get_flag();
    if (!differs || !in.get_flag()) return;
    for (int i = 0; i < 8; ++i) in.get_optional(6);
}

// Section 9.6.
void read_quantisers(BoolReader& in, const SegmentQuantisers& segments, FrameHeader& header) {
    const int base = in.get_bits(7);
    const int luma_dc = in.get_optional(4);
    const int dcs_dc = in.get_optional(4);
    const int dcs_ac = in.get_optional(4);
    const int chroma_dc = in.get_optional(4);
    const int chroma_ac = in.get_optional(4);
    const auto dc = [](int index) { return int{dc_steps[std::clamp(index, 0, 127)]}; };
    const auto ac = [](int index) { return int{ac_steps[std::clamp(index, 0, 127)]}; };
    for (std::size_t i = 0; i < most_segments; ++i) {
        const int index = segments.replace ? segments.index[i] : base + segments.index[i];
        Dequantiser& steps = header.dequantisers[i];
        steps.luma = {dc(index + luma_dc), ac(index)};
        steps.luma_dcs = {dc(index + dcs_dc) * 2, std::max(8, ac(index + dcs_ac) * 155 / 100)};
        steps.chroma = {std::min(132, dc(index + chroma_dc)), ac(index + chroma_ac)};
    }
}

void read_probabilities(BoolReader& in, Probabilities& probabilities) {
    std::uint8_t* const p = &probabilities.of[0][0][0][0];
    const std::uint8_t* const before = &default_probabilities.of[0][0][0][0];
    const std::uint8_t* const update = &update_probabilities.of[0][0][0][0];
    for (std::size_t i = 0; i < sizeof probabilities.of; ++i) {
        p[i] = in.get(update[i]) ? static_cast<std::uint8_t>(in.get_bits(8)) : before[i];
    }
}

// Section 9.5: the sizes of all but the last, three bytes each, and then the partitions.
bool read_partitions(std::span<const std::uint8_t> rest, std::size_t count, std::vector<BoolReader>& out) {
    const std::size_t sizes = 3 * (count - 1);
    if (rest.size() <= sizes) return false;
    auto partitions = rest.subspan(sizes);
    for (std::size_t i = 0; i + 1 < count; ++i) {
        const std::size_t size = std::min<std::size_t>(partitions.size(), read_little24(rest, 3 * i));
        out.emplace_back(partitions.first(size));
        partitions = partitions.subspan(size);
    }
    out.emplace_back(partitions);
    return !partitions.empty();
}

}  // namespace

std::optional<FrameHeader> read_frame_header(std::span<const std::uint8_t> frame) {
    constexpr std::size_t tag_size = 10;
    constexpr std::size_t start_code = 0x2a019d;
    constexpr std::size_t most_of_edge = (1U << 14) - 1;
    if (frame.size() < tag_size) return std::nullopt;
    const std::size_t tag = read_little24(frame, 0);
    const bool is_shown_key_frame = (tag & 1) == 0 && (tag >> 4 & 1) == 1;
    const std::size_t version = tag >> 1 & 7;
    const std::size_t first_size = tag >> 5;
    if (!is_shown_key_frame || version > 3 || read_little24(frame, 3) != start_code) return std::nullopt;

    FrameHeader header;
    header.width = static_cast<int>(read_little16(frame, 6) & most_of_edge);
    header.height = static_cast<int>(read_little16(frame, 8) & most_of_edge);
    const auto behind = frame.subspan(tag_size);
    if (header.width == 0 || header.height == 0 || first_size > behind.size()) return std::nullopt;

    BoolReader in(behind.first(first_size));
    in.get_bits(2);  // the space of colours, and whether what is decoded needs to be cut to its range: it always is
    const SegmentQuantisers segments = read_segments(in, header);
    skip_filter(in);
    const std::size_t partitions = std::size_t{1} << in.get_bits(2);
    if (!read_partitions(behind.subspan(first_size), partitions, header.tokens)) return std::nullopt;
    read_quantisers(in, segments, header);
    in.get_flag();  // whether the probabilities are for other frames, too
    read_probabilities(in, header.probabilities);
    header.has_empty = in.get_flag();
    if (header.has_empty) header.fullness = static_cast<std::uint8_t>(in.get_bits(8));
    if (in.ended()) return std::nullopt;
    header.modes = in;
    return header;
}

}  // namespace tessera::codecs::vp8
