// Writes a JPEG again from its DCT coefficients, without decoding it to pixels. As it is (smaller,
// and not one pixel different), or quantised anew, weighing each coefficient's worth against the bits it costs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tessera::codecs {

// What a JPEG's blocks are on average: a picture of an eighth of the size that costs nothing once coefficients are
// read. Of one component or three (luma and two chromas, or red, green and blue), each at its own resolution.
struct JpegMeans {
    struct Plane {
        int width = 0;
        int height = 0;
        std::vector<std::uint8_t> values;
    };
    std::vector<Plane> planes;
    bool is_rgb = false;
};

struct JpegRecoding {
    std::optional<double> quality;  // absent: coefficients stay as they are
    bool keep_metadata = false;
    bool keep_profile = true;
    int orientation = 1;         // written where metadata is dropped and it is not 1
    JpegMeans* means = nullptr;  // filled in where it is asked for; the file's own, before they are quantised anew
};

struct JpegFacts {
    int components = 0;
    bool halved_colour = false;  // both ways, as 4:2:0 is
    int quality = 0;             // of the scale of the IJG's library, estimated from the luma table
};

std::optional<JpegFacts> read_jpeg_facts(std::span<const std::uint8_t> file);

// Nothing where the file is damaged or not of a kind that can be recoded.
std::optional<std::string> recode_jpeg(std::span<const std::uint8_t> file, const JpegRecoding& recoding);

}  // namespace tessera::codecs
