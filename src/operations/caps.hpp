// Caps that are judged before any work, of every operation in one place: first what the service's workers take on, then
// the plan, then the format.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/image_format.hpp"
#include "operations/operation.hpp"

namespace tessera::operations {

// What a job will read and make, as far as it can be computed. Zero or empty: nothing of that sort.
struct Workload {
    std::vector<ImageInfo> inputs;
    std::int64_t output_width = 0;  // of a picture that is written as one file
    std::int64_t output_height = 0;
    std::optional<ImageFormat> output_format;
    std::int64_t further_pixels = 0;  // of pictures that are written beside it, each of which was judged by itself
    // What all results take to encode, in pixels of a quick encoder (encoding_pixels); 0: the picture, once.
    std::int64_t encoding_pixels = 0;
    std::int64_t fitted_pixels = 0;  // the most that one source grows to before it is cut to its place
    std::int64_t tiles = 0;
    std::int64_t canvas_pixels = 0;  // of a grid that is rendered as tiles
    std::int64_t patches = 0;
    std::int64_t patched_pixels = 0;
};

// The last of them, for the documentation.
inline constexpr Operation::Rule edges_of_formats{
    "edges_of_formats",
    "The result's edges must be ones that its format can hold: 65535 pixels for jpeg, 16383 for webp, 16384 for avif."};

Result<void> check_caps(const Workload& work, const SubmitContext& context);

// A job that would keep a worker busy for long: much to read or to make, or a slow encoder with much to do.
bool is_heavy(const Workload& work, const WorkerLimits& limits);

// How many pixels a quick encoder would write in the time that this format takes for so many.
std::int64_t encoding_pixels(ImageFormat format, std::int64_t pixels);

// Pixels that can't overflow: edges beyond 2^31 are refused long before.
std::int64_t pixels_of(std::int64_t width, std::int64_t height);

// One credit per started megapixel, at least one.
std::int64_t credits_for_pixels(std::int64_t pixels);

}  // namespace tessera::operations
