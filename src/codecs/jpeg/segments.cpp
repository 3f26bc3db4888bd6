#include "codecs/jpeg/segments.hpp"

#include <algorithm>
#include <numeric>

namespace tessera::codecs {
namespace {

int big_endian_16(SegmentBody body, std::size_t at) {
    return body[at] * 256 + body[at + 1];
}

}  // namespace

std::optional<FrameHeader> parse_frame_header(SegmentBody body) {
    constexpr std::size_t fixed = 6;
    constexpr std::size_t each = 3;
    if (body.size() < fixed || body.size() != fixed + each * body[5]) return std::nullopt;
    FrameHeader frame{body[0], big_endian_16(body, 3), big_endian_16(body, 1), {}};
    for (body = body.subspan(fixed); !body.empty(); body = body.subspan(each)) {
        frame.components.push_back({body[0], body[1] >> 4, body[1] & 15, body[2]});
    }
    return frame;
}

std::optional<ScanHeader> parse_scan_header(SegmentBody body) {
    if (body.empty() || body.size() != 4 + 2 * std::size_t{body[0]}) return std::nullopt;
    ScanHeader scan;
    for (body = body.subspan(1); body.size() > 3; body = body.subspan(2)) {
        scan.components.push_back({body[0], static_cast<std::size_t>(body[1] >> 4), body[1] & 15U});
    }
    scan.first = body[0];
    scan.last = body[1];
    scan.high_bit = body[2] >> 4;
    scan.low_bit = body[2] & 15;
    return scan;
}

bool parse_quantisation_tables(SegmentBody body, QuantisationTables& tables) {
    while (!body.empty()) {
        const bool wide = body[0] >> 4 != 0;
        const std::size_t index = body[0] & 15;
        const std::size_t size = wide ? 128 : 64;
        if (index >= tables.size() || body.size() < 1 + size) return false;
        QuantisationTable& table = tables[index].emplace();
        for (std::size_t i = 0; i < table.size(); ++i) {
            table[i] = static_cast<std::uint16_t>(wide ? big_endian_16(body, 1 + 2 * i) : body[1 + i]);
        }
        body = body.subspan(1 + size);
    }
    return true;
}

std::optional<std::vector<HuffmanTable>> parse_huffman_tables(SegmentBody body) {
    constexpr std::size_t fixed = 17;
    std::vector<HuffmanTable> tables;
    while (!body.empty()) {
        if (body.size() < fixed || body[0] >> 4 > 1 || (body[0] & 15) > 3) return std::nullopt;
        HuffmanTable& table = tables.emplace_back();
        table.is_ac = body[0] >> 4 == 1;
        table.index = body[0] & 15;
        std::copy_n(body.begin() + 1, table.counts.size(), table.counts.begin());
        const auto symbols = std::accumulate(table.counts.begin(), table.counts.end(), std::size_t{0});
        if (symbols > table.symbols.size() || body.size() < fixed + symbols) return std::nullopt;
        std::copy_n(body.begin() + fixed, symbols, table.symbols.begin());
        body = body.subspan(fixed + symbols);
    }
    return tables;
}

}  // namespace tessera::codecs
