// Inside imaging only: what a JPEG file says of itself before and between its coded data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "imaging/jpeg/reduced/huffman.hpp"
#include "imaging/jpeg/reduced/input.hpp"

namespace tessera::imaging {

// Places in a block by the order in which they are coded: 8 times the row, plus the column.
extern const std::array<std::uint8_t, 64> jpeg_places;

struct JpegPart {  // a component: lightness, or one of the colours
    int id = 0;
    int across_factor = 1;
    int down_factor = 1;
    std::size_t quantiser = 0;
    int blocks_across = 0;  // that show something of the picture
    int blocks_down = 0;
};

// Pictures of eight bits in one or three components, Huffman coded.
struct JpegHead {
    bool progressive = false;
    bool is_rgb = false;
    int width = 0;
    int height = 0;
    int across_factor = 1;  // the largest of all
    int down_factor = 1;
    int units_across = 0;  // the pieces that interleaved scans are made of
    int units_down = 0;
    std::vector<JpegPart> parts;
};

using Quantiser = std::array<std::uint16_t, 64>;  // in the order of coding

// What later scans may replace.
struct JpegTables {
    std::array<std::optional<Quantiser>, 4> quantisers;
    std::array<std::optional<HuffmanSymbols>, 4> dc_codes;
    std::array<std::optional<HuffmanSymbols>, 4> ac_codes;
    int restart_interval = 0;
};

struct JpegScan {
    struct Part {
        std::size_t part = 0;  // of the picture's
        std::size_t dc_code = 0;
        std::size_t ac_code = 0;
    };
    std::vector<Part> parts;
    int first = 0;  // coefficients, in the order of coding
    int last = 63;
    int known_shift = 0;  // 0: first scan of these coefficients. Otherwise what they were shifted by so far
    int shift = 0;        // the bits of coefficients that this scan leaves out
    [[nodiscard]] bool refines() const { return known_shift != 0; }
};

enum class HeadEnd { scan, picture, file, unsuitable };

// From the start of the file to the first scan. Nothing where the file is not of the kind above, or is damaged.
struct JpegBeginning {
    JpegHead head;
    JpegTables tables;
    JpegScan scan;
};
std::optional<JpegBeginning> read_jpeg_beginning(JpegInput& input);

// From the end of a scan to the next. `scan` is where there is one.
HeadEnd read_to_next_scan(JpegInput& input, const JpegHead& head, JpegTables& tables, JpegScan& scan);

}  // namespace tessera::imaging
