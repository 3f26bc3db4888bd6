// What a JPEG file of a plain kind says of itself before and between its coded data.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "codecs/jpeg/huffman.hpp"
#include "codecs/jpeg/input.hpp"
#include "codecs/jpeg/segments.hpp"

namespace tessera::codecs {

struct JpegComponent {  // luma, or one of the two chromas
    int id = 0;
    int horizontal = 1;  // sampling factors
    int vertical = 1;
    std::size_t quantisation_table = 0;
    int blocks_across = 0;  // that show something of the picture
    int blocks_down = 0;
};

// Pictures of eight bits in one or three components, Huffman coded.
struct JpegHead {
    bool progressive = false;
    bool is_rgb = false;
    int width = 0;
    int height = 0;
    int horizontal = 1;  // the largest sampling factors of all components
    int vertical = 1;
    int mcus_across = 0;  // of scans of all components
    int mcus_down = 0;
    std::vector<JpegComponent> components;
};

// What later scans may replace.
struct JpegTables {
    QuantisationTables quantisation_tables;
    std::array<std::optional<HuffmanSymbols>, 4> dc_tables;
    std::array<std::optional<HuffmanSymbols>, 4> ac_tables;
    int restart_interval = 0;
};

struct JpegScan {
    struct Component {
        std::size_t component = 0;  // of the picture's
        std::size_t dc_table = 0;
        std::size_t ac_table = 0;
    };
    std::vector<Component> components;
    int first = 0;  // zigzag indexes of coefficients
    int last = 63;
    int high_bit = 0;  // 0: the first scan of these coefficients. Otherwise the lowest bit of them that is known
    int low_bit = 0;   // the lowest bit that this scan brings
    [[nodiscard]] bool refines() const { return high_bit != 0; }
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

}  // namespace tessera::codecs
