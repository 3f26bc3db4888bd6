#include "codecs/jpeg/head.hpp"

#include <algorithm>
#include <cstring>

#include "codecs/jpeg/markers.hpp"

namespace tessera::codecs {
namespace {

constexpr int most_pixels_along = 65500;  // libjpeg's own limit
constexpr int largest_factor = 4;
constexpr std::size_t most_blocks_in_mcu = 10;

int divided_up(int value, int by) {
    return (value + by - 1) / by;
}

bool take_huffman_tables(SegmentBody body, JpegTables& tables) {
    const auto parsed = parse_huffman_tables(body);
    if (!parsed) return false;
    for (const HuffmanTable& table : *parsed) {
        auto& symbols = (table.is_ac ? tables.ac_tables : tables.dc_tables)[table.index];
        symbols = HuffmanSymbols::make(table);
        // A DC difference has no run, only a size.
        const bool is_dc = symbols && !table.is_ac;
        if (is_dc && std::ranges::any_of(symbols->all(), [](int symbol) { return symbol > 15; })) symbols.reset();
    }
    return true;
}

bool take_tables(std::uint8_t marker, SegmentBody body, JpegTables& tables) {
    switch (marker) {
        case jpeg_dqt: return parse_quantisation_tables(body, tables.quantisation_tables);
        case jpeg_dht: return take_huffman_tables(body, tables);
        case jpeg_dri:
            if (body.size() != 2) return false;
            tables.restart_interval = body[0] * 256 + body[1];
            return true;
        default: return marker == jpeg_dnl || (marker >= jpeg_app0 && marker <= jpeg_com);  // nothing to us
    }
}

bool is_power_of_two(int factor) {
    return factor == 1 || factor == 2 || factor == largest_factor;
}

void lay_out(JpegHead& head) {
    if (head.components.size() == 1) head.components[0].horizontal = head.components[0].vertical = 1;
    for (const JpegComponent& component : head.components) {
        head.horizontal = std::max(head.horizontal, component.horizontal);
        head.vertical = std::max(head.vertical, component.vertical);
    }
    head.mcus_across = divided_up(head.width, 8 * head.horizontal);
    head.mcus_down = divided_up(head.height, 8 * head.vertical);
    for (JpegComponent& component : head.components) {
        component.blocks_across = divided_up(head.width * component.horizontal, 8 * head.horizontal);
        component.blocks_down = divided_up(head.height * component.vertical, 8 * head.vertical);
    }
}

std::optional<JpegHead> take_frame(std::uint8_t marker, SegmentBody body) {
    const auto frame = parse_frame_header(body);
    if (!frame || frame->precision != 8) return std::nullopt;
    if (frame->components.size() != 1 && frame->components.size() != 3) return std::nullopt;
    if (frame->width < 1 || frame->width > most_pixels_along) return std::nullopt;
    if (frame->height < 1 || frame->height > most_pixels_along) return std::nullopt;
    JpegHead head;
    head.progressive = marker == jpeg_sof2;
    head.width = frame->width;
    head.height = frame->height;
    std::size_t blocks_in_mcu = 0;
    for (const FrameHeader::Component& each : frame->components) {
        const bool is_usual = is_power_of_two(each.horizontal) && is_power_of_two(each.vertical);
        const bool is_new = std::ranges::find(head.components, each.id, &JpegComponent::id) == head.components.end();
        if (!is_usual || !is_new || each.quantisation_table > 3) return std::nullopt;
        blocks_in_mcu += static_cast<std::size_t>(each.horizontal * each.vertical);
        head.components.push_back({each.id, each.horizontal, each.vertical, each.quantisation_table, 0, 0});
    }
    if (head.components.size() > 1 && blocks_in_mcu > most_blocks_in_mcu) return std::nullopt;
    lay_out(head);
    return head;
}

bool take_scan(SegmentBody body, const JpegHead& head, const JpegTables& tables, JpegScan& scan) {
    const auto header = parse_scan_header(body);
    if (!header || header->components.empty() || header->components.size() > head.components.size()) return false;
    scan = {{}, header->first, header->last, header->high_bit, header->low_bit};
    std::size_t next = 0;  // scans have the components in the picture's order
    for (const ScanHeader::Component& each : header->components) {
        while (next < head.components.size() && head.components[next].id != each.id) ++next;
        if (next == head.components.size() || each.dc_table > 3 || each.ac_table > 3) return false;
        if (!tables.quantisation_tables[head.components[next].quantisation_table]) return false;
        scan.components.push_back({next++, each.dc_table, each.ac_table});
    }
    if (!head.progressive) return scan.first == 0 && scan.last == 63 && scan.high_bit == 0 && scan.low_bit == 0;
    constexpr int highest_low_bit = 13;
    if (scan.low_bit > highest_low_bit || (scan.refines() && scan.low_bit != scan.high_bit - 1)) return false;
    if (scan.first == 0) return scan.last == 0;
    return scan.components.size() == 1 && scan.first <= scan.last && scan.last < 64;
}

// libjpeg's way to tell which of the two it is.
bool is_rgb(const JpegHead& head, bool has_jfif, std::optional<std::uint8_t> adobe_transform) {
    if (head.components.size() != 3 || has_jfif) return false;
    if (adobe_transform) return *adobe_transform == 0;
    return head.components[0].id == 'R' && head.components[1].id == 'G' && head.components[2].id == 'B';
}

}  // namespace

std::optional<JpegBeginning> read_jpeg_beginning(JpegInput& input) {
    JpegBeginning it;
    std::optional<JpegHead> head;
    bool has_jfif = false;
    std::optional<std::uint8_t> adobe_transform;
    std::vector<std::uint8_t> body;
    if (input.next_marker() != jpeg_soi) return std::nullopt;
    while (true) {
        const auto marker = input.next_marker();
        if (!marker || !input.read_segment(body)) return std::nullopt;
        if (*marker >= jpeg_sof0 && *marker <= jpeg_sof2) {
            if (head) return std::nullopt;
            head = take_frame(*marker, body);
            if (!head) return std::nullopt;
        } else if (*marker == jpeg_sos) {
            if (!head || !take_scan(body, *head, it.tables, it.scan)) return std::nullopt;
            break;
        } else if (!take_tables(*marker, body, it.tables)) {
            return std::nullopt;
        } else if (*marker == jpeg_app0 && body.size() >= 14) {
            has_jfif = has_jfif || std::memcmp(body.data(), "JFIF", 5) == 0;
        } else if (*marker == jpeg_app14 && body.size() >= 12 && std::memcmp(body.data(), "Adobe", 5) == 0) {
            adobe_transform = body[11];
        }
    }
    it.head = std::move(*head);
    it.head.is_rgb = is_rgb(it.head, has_jfif, adobe_transform);
    return it;
}

HeadEnd read_to_next_scan(JpegInput& input, const JpegHead& head, JpegTables& tables, JpegScan& scan) {
    std::vector<std::uint8_t> body;
    while (true) {
        const auto marker = input.next_marker_after_scan();
        if (!marker) return HeadEnd::file;
        if (*marker == jpeg_eoi) return HeadEnd::picture;
        if (!input.read_segment(body)) return input.ended() ? HeadEnd::file : HeadEnd::unsuitable;
        if (*marker == jpeg_sos) {
            return take_scan(body, head, tables, scan) ? HeadEnd::scan : HeadEnd::unsuitable;
        }
        if (!take_tables(*marker, body, tables)) return HeadEnd::unsuitable;
    }
}

}  // namespace tessera::codecs
