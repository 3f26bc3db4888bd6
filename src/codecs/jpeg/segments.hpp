// What the segments of a JPEG file say, as the standard has it. Whether that is of a kind that can be dealt with is for
// their readers to judge.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tessera::codecs {

// The body of a segment.
using SegmentBody = std::span<const std::uint8_t>;

// SOFn.
struct FrameHeader {
    struct Component {
        int id = 0;
        int horizontal = 1;  // sampling factors
        int vertical = 1;
        std::size_t quantisation_table = 0;
    };
    int precision = 8;
    int width = 0;
    int height = 0;
    std::vector<Component> components;
};
std::optional<FrameHeader> parse_frame_header(SegmentBody body);

// SOS.
struct ScanHeader {
    struct Component {
        int id = 0;
        std::size_t dc_table = 0;
        std::size_t ac_table = 0;
    };
    std::vector<Component> components;
    int first = 0;  // zigzag indexes of the coefficients that the scan has
    int last = 63;
    int high_bit = 0;  // successive approximation
    int low_bit = 0;
};
std::optional<ScanHeader> parse_scan_header(SegmentBody body);

// DQT. In zigzag order.
using QuantisationTable = std::array<std::uint16_t, 64>;
using QuantisationTables = std::array<std::optional<QuantisationTable>, 4>;
bool parse_quantisation_tables(SegmentBody body, QuantisationTables& tables);

// DHT.
struct HuffmanTable {
    bool is_ac = false;
    std::size_t index = 0;                  // 0 to 3
    std::array<std::uint8_t, 16> counts{};  // of codes of each length from 1 to 16
    std::array<std::uint8_t, 256> symbols{};
};
std::optional<std::vector<HuffmanTable>> parse_huffman_tables(SegmentBody body);

}  // namespace tessera::codecs
