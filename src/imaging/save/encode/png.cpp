#include "imaging/save/encode/png.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>

#include "codecs/png/encoder.hpp"
#include "codecs/png/reduce.hpp"
#include "imaging/pixels/pour.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr double most_bytes_held = 512e6;

int sample_bytes(const VImage& image) {
    return image.format() == VIPS_FORMAT_USHORT ? 2 : 1;
}

codecs::PngPixels pixels_of(const VImage& image) {
    codecs::PngPixels pixels;
    pixels.width = static_cast<std::uint32_t>(image.width());
    pixels.height = static_cast<std::uint32_t>(image.height());
    pixels.colour = codecs::colour_type_of(image.bands());
    pixels.bit_depth = sample_bytes(image) * 8;
    pixels.rows = all_pixels(image);
    if (pixels.bit_depth == 16 && std::endian::native == std::endian::little) {
        for (std::size_t i = 0; i + 1 < pixels.rows.size(); i += 2) std::swap(pixels.rows[i], pixels.rows[i + 1]);
    }
    return pixels;
}

// Levels of libdeflate with the megabytes of filtered pixels that one core compresses in a second: rough, from
// the slowest of a photograph, a drawing and a gradient.
struct Pace {
    int level;
    double megabytes_per_second;
};
constexpr Pace paces[] = {{12, 1.5}, {11, 2.5}, {10, 5}, {9, 25}, {7, 30}, {6, 30}};

// Filterings that are tried where the time allows: how many are compressed thoroughly, and megabytes a second of
// finding these. The hardest takes three to four times the time of the next, for a third of a percent of a photograph.
struct Trial {
    int effort;
    int finalists;
    bool measures_rows;
    bool thorough_photos;
    double megabytes_per_second;
};
constexpr Trial trials[] = {{7, 3, true, true, 1.5}, {6, 1, false, true, 4}, {6, 1, false, false, 4}};
// Of the slowest of photographs and gradients.
constexpr double thorough_megabytes_per_second = 1;

struct Choice {
    codecs::PngEncoding encoding;
    double seconds = 0;  // that it may take
};

Choice choose(double megabytes, const Encoding& encoding) {
    const double seconds = std::chrono::duration<double>(encoding.time_budget).count() / 4;
    Choice choice;
    codecs::PngEncoding& chosen = choice.encoding;
    const int wanted = encoding.effort >= 6 ? 12 : encoding.effort == 5 ? 9 : encoding.effort >= 3 ? 6 : 3;
    chosen.level = std::min(wanted, 6);
    choice.seconds = megabytes / std::end(paces)[-1].megabytes_per_second;
    for (const Pace& pace : paces) {
        const double compressing = megabytes / pace.megabytes_per_second;
        if (pace.level > wanted || compressing > seconds) continue;
        chosen.level = pace.level;
        choice.seconds = compressing;
        for (const Trial& trial : trials) {
            const double thorough = trial.thorough_photos ? megabytes / thorough_megabytes_per_second : 0;
            const double of_all = trial.finalists * (compressing + thorough) + megabytes / trial.megabytes_per_second;
            if (trial.effort > encoding.effort || of_all > seconds) continue;
            chosen.tried_filterings = trial.finalists;
            chosen.measures_rows = trial.measures_rows;
            chosen.thorough_photos = trial.thorough_photos;
            choice.seconds = of_all;
            break;
        }
        break;
    }
    return choice;
}

}  // namespace

double png_seconds(const Encoding& encoding, double megapixels) {
    constexpr double bytes_a_pixel = 3;
    return choose(megapixels * bytes_a_pixel, encoding).seconds;
}

bool can_encode_png(const VImage& image) {
    const double bytes = 1.0 * image.width() * image.height() * image.bands() * sample_bytes(image);
    return bytes <= most_bytes_held;
}

void encode_png(const VImage& image, FileTarget& file, const Encoding& encoding) {
    const bool free = image.get_typeof(VIPS_META_ICC_NAME) == 0;
    const bool grey = image.bands() <= 2;
    const codecs::PngPixels pixels =
        codecs::reduced(pixels_of(image), {.to_grey = free || grey, .to_colours = free || !grey});
    codecs::PngEncoder encoder;
    file.write(encoder.encode(pixels, choose(static_cast<double>(pixels.rows.size()) * 1e-6, encoding).encoding));
}

}  // namespace tessera::imaging
