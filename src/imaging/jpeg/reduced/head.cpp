#include "imaging/jpeg/reduced/head.hpp"

#include <algorithm>
#include <cstring>

namespace tessera::imaging {

constexpr std::array<std::uint8_t, 64> jpeg_places = {0,  1,  8,  16, 9,  2,  3,  10, 17, 24, 32, 25, 18, 11, 4,  5,
                                                      12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6,  7,  14, 21, 28,
                                                      35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51,
                                                      58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63};

namespace {

using Body = std::span<const std::uint8_t>;

constexpr int most_pixels_along = 65500;  // libjpeg's own limit
constexpr int longest_factor = 4;

enum Marker : std::uint8_t {
    baseline_frame = 0xC0,
    extended_frame = 0xC1,
    progressive_frame = 0xC2,
    huffman_codes = 0xC4,
    start_of_picture = 0xD8,
    end_of_picture = 0xD9,
    start_of_scan = 0xDA,
    quantisers = 0xDB,
    number_of_lines = 0xDC,
    restart_interval = 0xDD,
    jfif = 0xE0,
    adobe = 0xEE,
    comment = 0xFE,
};

int big_endian_16(const std::uint8_t* from) {
    return from[0] * 256 + from[1];
}

int divided_up(int value, int by) {
    return (value + by - 1) / by;
}

bool read_quantisers(Body body, JpegTables& tables) {
    while (!body.empty()) {
        const bool wide = body[0] >> 4 != 0;
        const std::size_t index = body[0] & 15;
        const std::size_t size = wide ? 128 : 64;
        if (index >= tables.quantisers.size() || body.size() < 1 + size) return false;
        Quantiser steps;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            steps[i] = static_cast<std::uint16_t>(wide ? big_endian_16(&body[1 + 2 * i]) : body[1 + i]);
        }
        tables.quantisers[index] = steps;
        body = body.subspan(1 + size);
    }
    return true;
}

bool read_huffman_codes(Body body, JpegTables& tables) {
    while (!body.empty()) {
        if (body.size() < 17) return false;
        HuffmanDefinition definition;
        std::copy_n(body.begin() + 1, 16, definition.counts.begin());
        std::size_t symbols = 0;
        for (const std::uint8_t count : definition.counts) symbols += count;
        const bool is_ac = body[0] >> 4 == 1;
        const std::size_t index = body[0] & 15;
        if (symbols > 256 || body.size() < 17 + symbols || body[0] >> 4 > 1 || index >= 4) return false;
        std::copy_n(body.begin() + 17, symbols, definition.symbols.begin());
        auto& code = (is_ac ? tables.ac_codes : tables.dc_codes)[index];
        code = HuffmanSymbols::make(definition);
        // Differences have no run, only a size.
        if (code && !is_ac && std::ranges::any_of(code->all(), [](int symbol) { return symbol > 15; })) code.reset();
        body = body.subspan(17 + symbols);
    }
    return true;
}

bool read_tables(std::uint8_t marker, Body body, JpegTables& tables) {
    switch (marker) {
        case quantisers: return read_quantisers(body, tables);
        case huffman_codes: return read_huffman_codes(body, tables);
        case restart_interval:
            if (body.size() != 2) return false;
            tables.restart_interval = big_endian_16(body.data());
            return true;
        default: return marker == number_of_lines || (marker >= jfif && marker <= comment);  // nothing to us
    }
}

bool is_power_of_two(int factor) {
    return factor == 1 || factor == 2 || factor == longest_factor;
}

std::optional<JpegPart> read_part(Body body) {
    JpegPart part;
    part.id = body[0];
    part.across_factor = body[1] >> 4;
    part.down_factor = body[1] & 15;
    part.quantiser = body[2];
    if (!is_power_of_two(part.across_factor) || !is_power_of_two(part.down_factor) || part.quantiser > 3) {
        return std::nullopt;
    }
    return part;
}

void lay_out(JpegHead& head) {
    if (head.parts.size() == 1) head.parts[0].across_factor = head.parts[0].down_factor = 1;
    for (const JpegPart& part : head.parts) {
        head.across_factor = std::max(head.across_factor, part.across_factor);
        head.down_factor = std::max(head.down_factor, part.down_factor);
    }
    head.units_across = divided_up(head.width, 8 * head.across_factor);
    head.units_down = divided_up(head.height, 8 * head.down_factor);
    for (JpegPart& part : head.parts) {
        part.blocks_across = divided_up(head.width * part.across_factor, 8 * head.across_factor);
        part.blocks_down = divided_up(head.height * part.down_factor, 8 * head.down_factor);
    }
}

std::optional<JpegHead> read_frame(std::uint8_t marker, Body body) {
    if (body.size() < 6 || body[0] != 8) return std::nullopt;
    JpegHead head;
    head.progressive = marker == progressive_frame;
    head.height = big_endian_16(&body[1]);
    head.width = big_endian_16(&body[3]);
    const std::size_t parts = body[5];
    const bool is_usual = (parts == 1 || parts == 3) && body.size() == 6 + 3 * parts;
    if (!is_usual || head.width < 1 || head.height < 1) return std::nullopt;
    if (head.width > most_pixels_along || head.height > most_pixels_along) return std::nullopt;
    int unit_blocks = 0;
    for (std::size_t i = 0; i < parts; ++i) {
        const auto part = read_part(body.subspan(6 + 3 * i, 3));
        if (!part) return std::nullopt;
        for (const JpegPart& other : head.parts) {
            if (other.id == part->id) return std::nullopt;
        }
        unit_blocks += part->across_factor * part->down_factor;
        head.parts.push_back(*part);
    }
    constexpr int most_unit_blocks = 10;
    if (parts > 1 && unit_blocks > most_unit_blocks) return std::nullopt;
    lay_out(head);
    return head;
}

bool read_scan(Body body, const JpegHead& head, const JpegTables& tables, JpegScan& scan) {
    const std::size_t count = body.empty() ? 0 : body[0];
    if (count < 1 || count > head.parts.size() || body.size() != 4 + 2 * count) return false;
    scan = {};
    std::size_t next_part = 0;  // scans have the components in the picture's order
    for (std::size_t i = 0; i < count; ++i) {
        const int id = body[1 + 2 * i];
        while (next_part < head.parts.size() && head.parts[next_part].id != id) ++next_part;
        const std::size_t dc = body[2 + 2 * i] >> 4;
        const std::size_t ac = body[2 + 2 * i] & 15;
        if (next_part == head.parts.size() || dc > 3 || ac > 3) return false;
        if (!tables.quantisers[head.parts[next_part].quantiser]) return false;
        scan.parts.push_back({next_part++, dc, ac});
    }
    scan.first = body[1 + 2 * count];
    scan.last = body[2 + 2 * count];
    scan.known_shift = body[3 + 2 * count] >> 4;
    scan.shift = body[3 + 2 * count] & 15;
    if (!head.progressive) return scan.first == 0 && scan.last == 63 && scan.known_shift == 0 && scan.shift == 0;
    constexpr int longest_shift = 13;
    if (scan.shift > longest_shift || (scan.refines() && scan.shift != scan.known_shift - 1)) return false;
    if (scan.first == 0) return scan.last == 0;
    return count == 1 && scan.first <= scan.last && scan.last < 64;
}

// libjpeg's way to tell which of the two it is.
bool is_rgb(const JpegHead& head, bool has_jfif, std::optional<std::uint8_t> adobe_transform) {
    if (head.parts.size() != 3 || has_jfif) return false;
    if (adobe_transform) return *adobe_transform == 0;
    return head.parts[0].id == 'R' && head.parts[1].id == 'G' && head.parts[2].id == 'B';
}

}  // namespace

std::optional<JpegBeginning> read_jpeg_beginning(JpegInput& input) {
    JpegBeginning it;
    std::optional<JpegHead> head;
    bool has_jfif = false;
    std::optional<std::uint8_t> adobe_transform;
    std::vector<std::uint8_t> body;
    if (input.next_marker() != start_of_picture) return std::nullopt;
    while (true) {
        const auto marker = input.next_marker();
        if (!marker || !input.read_segment(body)) return std::nullopt;
        if (*marker >= baseline_frame && *marker <= progressive_frame) {
            if (head) return std::nullopt;
            head = read_frame(*marker, body);
            if (!head) return std::nullopt;
        } else if (*marker == start_of_scan) {
            if (!head || !read_scan(body, *head, it.tables, it.scan)) return std::nullopt;
            break;
        } else if (!read_tables(*marker, body, it.tables)) {
            return std::nullopt;
        } else if (*marker == jfif && body.size() >= 14) {
            has_jfif = has_jfif || std::memcmp(body.data(), "JFIF", 5) == 0;
        } else if (*marker == adobe && body.size() >= 12 && std::memcmp(body.data(), "Adobe", 5) == 0) {
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
        if (*marker == end_of_picture) return HeadEnd::picture;
        if (!input.read_segment(body)) return input.ended() ? HeadEnd::file : HeadEnd::unsuitable;
        if (*marker == start_of_scan) {
            return read_scan(body, head, tables, scan) ? HeadEnd::scan : HeadEnd::unsuitable;
        }
        if (!read_tables(*marker, body, tables)) return HeadEnd::unsuitable;
    }
}

}  // namespace tessera::imaging
