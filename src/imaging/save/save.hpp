// Encodes a picture into a file. Saving is what makes a pipeline's pixels move, so this is where decoding errors show.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>

#include "core/image_format.hpp"
#include "core/job.hpp"
#include "imaging/pixels/image.hpp"
#include "imaging/save/progress.hpp"

namespace tessera::imaging {

struct Encoding {
    ImageFormat format = ImageFormat::jpeg;
    int quality = 80;            // 1 to 100, for lossy encodings
    int effort = 4;              // 1 (fast) to 9 (small)
    bool lossless = false;       // webp, avif, jxl; png always is
    bool smallest = false;       // jpeg: progressive, with coefficients weighed against their bits
    bool keep_metadata = false;  // EXIF, XMP, IPTC and the colour profile
    bool keep_profile = false;   // the colour profile alone, for pixels that are not sRGB
    int threads = 1;
    std::chrono::milliseconds time_budget{60'000};  // slow encoders choose less effort rather than pass it
};

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
