// Writes a JPEG again from its DCT coefficients, without decoding it to pixels. As it is (smaller,
// and not one pixel different), or quantised anew, weighing each coefficient's worth against the bits it costs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace tessera::codecs {

struct JpegRecoding {
    std::optional<int> quality;  // absent: coefficients stay as they are
    bool keep_metadata = false;
    bool keep_profile = true;
    int orientation = 1;  // written where metadata is dropped and it is not 1
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
