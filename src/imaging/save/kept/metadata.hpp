// Inside imaging only: what of a source's metadata goes into the picture that is made of it, and how each format holds
// it. All of it is true of the new picture.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vips/vips8>

#include "codecs/strip/strip.hpp"
#include "imaging/save/save.hpp"

namespace tessera::imaging {

struct Metadata {
    std::string exif;  // a TIFF structure
    std::string xmp;
    std::string iptc;  // as JPEG has it: "Photoshop 3.0" and resources
    std::string profile;
};

// What `encoding` wants kept. A profile for other colours than the picture's is not.
Metadata metadata_for(const vips::VImage& image, const Encoding& encoding);

// Gives one picture the metadata of another, in memory of its own.
void copy_metadata(const vips::VImage& from, const vips::VImage& to);

// Chunks of a PNG, and where in the file they go.
std::string png_metadata(const Metadata& metadata);
constexpr std::int64_t end_of_png_header = 33;

// Segments of a JPEG, and where in the file they go. What does not fit into segments is left out.
std::string jpeg_metadata(const Metadata& metadata);
std::int64_t place_in_jpeg(std::span<const std::uint8_t> start);  // of the file

// A file without metadata, with it. The codestream of a JPEG XL has its profile already.
codecs::Pieces webp_with(std::span<const std::uint8_t> file, const Metadata& metadata);
codecs::Pieces jxl_with(std::span<const std::uint8_t> file, const Metadata& metadata);

}  // namespace tessera::imaging
