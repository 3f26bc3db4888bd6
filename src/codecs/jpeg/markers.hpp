// JPEG's markers by the names that the standard has for them (ITU-T T.81, table B.1), and a walk along the segments of
// a file that lies in memory.
#pragma once

#include <cstdint>
#include <optional>

#include "codecs/bytes/file_bytes.hpp"

namespace tessera::codecs {

enum JpegMarker : std::uint8_t {
    jpeg_tem = 0x01,
    jpeg_sof0 = 0xC0,  // baseline
    jpeg_sof1 = 0xC1,  // extended sequential
    jpeg_sof2 = 0xC2,  // progressive
    jpeg_dht = 0xC4,   // Huffman tables
    jpeg_jpg = 0xC8,
    jpeg_dac = 0xCC,
    jpeg_sof15 = 0xCF,
    jpeg_rst0 = 0xD0,
    jpeg_rst7 = 0xD7,
    jpeg_soi = 0xD8,
    jpeg_eoi = 0xD9,
    jpeg_sos = 0xDA,
    jpeg_dqt = 0xDB,  // quantisation tables
    jpeg_dnl = 0xDC,
    jpeg_dri = 0xDD,  // restart interval
    jpeg_app0 = 0xE0,
    jpeg_app1 = 0xE1,
    jpeg_app2 = 0xE2,
    jpeg_app13 = 0xED,
    jpeg_app14 = 0xEE,
    jpeg_app15 = 0xEF,
    jpeg_com = 0xFE,
};

constexpr bool is_restart(std::uint8_t marker) {
    return marker >= jpeg_rst0 && marker <= jpeg_rst7;
}
constexpr bool is_frame(std::uint8_t marker) {
    return marker >= jpeg_sof0 && marker <= jpeg_sof15 && marker != jpeg_dht && marker != jpeg_jpg &&
           marker != jpeg_dac;
}
// Application data and comments: nothing that decoding depends on, but for what JFIF and Adobe say of colours.
constexpr bool is_application_data(std::uint8_t marker) {
    return (marker >= jpeg_app0 && marker <= jpeg_app15) || marker == jpeg_com;
}
// Without a length and a body.
constexpr bool stands_alone(std::uint8_t marker) {
    return marker == jpeg_tem || is_restart(marker) || marker == jpeg_soi || marker == jpeg_eoi;
}

struct JpegSegment {
    std::uint8_t marker = 0;
    FileBytes body;
    std::size_t begin = 0;  // of the marker, in the file
    std::size_t end = 0;    // of the body
};

// The segment at `at`, past filling. Nothing where there is none, or not all of it.
inline std::optional<JpegSegment> segment_at(FileBytes file, std::size_t at) {
    while (at + 1 < file.size() && file[at] == 0xFF && file[at + 1] == 0xFF) ++at;
    if (at + 2 > file.size() || file[at] != 0xFF) return std::nullopt;
    JpegSegment segment{file[at + 1], {}, at, at + 2};
    if (stands_alone(segment.marker)) return segment;
    if (at + 4 > file.size()) return std::nullopt;
    const std::size_t length = read_big16(file, at + 2);
    if (length < 2 || length > file.size() - at - 2) return std::nullopt;
    segment.body = file.subspan(at + 4, length - 2);
    segment.end = at + 2 + length;
    return segment;
}

}  // namespace tessera::codecs
