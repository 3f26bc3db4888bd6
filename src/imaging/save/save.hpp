// Encodes a picture into a file. Saving is what makes a pipeline's pixels move, so this is where decoding errors show.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>

#include "core/image_format.hpp"
#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/save/progress.hpp"

namespace tessera::imaging {

struct Encoding {
    ImageFormat format = ImageFormat::jpeg;
    double quality = 80;    // 1 to 100, for lossy encodings
    int effort = 4;         // 1 (fast) to 9 (small)
    bool lossless = false;  // webp, avif, jxl; png always is
    bool smallest = false;  // jpeg: progressive, with coefficients weighed against their bits
    // jpeg and avif: colour at full resolution, or at half. Left to the quality, and for avif the picture, where
    // absent. webp, which has no more than half of it: halved with care, which takes longer and most pictures look
    // better by.
    std::optional<bool> full_colour{};
    bool as_screen = false;  // avif, the smallest: looks for few colours, which takes three times as long
    int way = 0;  // of ways_of(): another file of about the same quality and size, which may look a little better
    bool keep_metadata = false;  // EXIF, XMP, IPTC and the colour profile
    bool keep_profile = false;   // the colour profile alone, for pixels that are not sRGB
    int threads = 1;
    std::chrono::milliseconds time_budget{60'000};  // slow encoders choose less effort rather than pass it
};

// For encoders that know nothing finer.
int whole_quality(const Encoding& encoding);
// Of a JPEG in colour.
bool has_full_colour_as_jpeg(const Encoding& encoding);
// The least difference in quality that makes another file of this format.
double finest_step(const Encoding& encoding);
// Ways to encode a picture at one quality; 1 where a format has no other.
int ways_of(const Encoding& encoding);
// Whether as_screen makes a difference.
bool has_way_of_screens(const Encoding& encoding);

struct SaveContext {
    std::int64_t max_bytes = 0;  // the file is given up where it would pass this
    Report progress;
    std::function<bool()> cancelled;
    double pixels_expected_s = 0;  // processor time until a picture's pixels have come; 0: they are in memory
};

// Processor time in seconds that encoding so many pixels may take: an estimate, for progress.
double expected_seconds(const Encoding& encoding, std::int64_t width, std::int64_t height);

// The size of the file written. Its pixels are taken as they are: eight-bit sRGB or grey is the caller's to see to.
JobResult<std::int64_t> save(const Image& image, const std::filesystem::path& path, const Encoding& encoding,
                             const SaveContext& context);

}  // namespace tessera::imaging
