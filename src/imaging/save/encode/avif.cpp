#include "imaging/save/encode/avif.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "codecs/heif/avif_file.hpp"
#include "imaging/pixels/vips_image.hpp"
#include "imaging/save/drawn.hpp"
#include "imaging/save/encode/av1.hpp"
#include "imaging/save/encode/texture.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

// A way through libaom's speeds, 0 (slow) to 9, and megapixels that one core encodes so in a second, by CPU time: four
// fifths of what was measured on photographs full of detail (quality 80) with libaom 3.6 on a busy two-core Xeon
// machine.
struct Pace {
    int speed;
    bool for_films;  // libaom's ways for films, which look further than those for pictures
    double megapixels_per_second;
};
constexpr std::array<Pace, 8> quick_paces{{{2, false, 0.025},
                                           {3, false, 0.05},
                                           {4, false, 0.095},
                                           {5, false, 0.11},
                                           {6, false, 0.7},
                                           {7, false, 1.2},
                                           {8, false, 1.5},
                                           {9, false, 4.5}}};
// With ten bits. Bytes at equal looks over eight photographs, of the second: 1.02, 1.08 and 1.13 for the next three.
constexpr std::array<Pace, 8> thorough_paces{{{2, true, 0.012},
                                              {3, true, 0.02},
                                              {5, true, 0.06},
                                              {6, true, 0.085},
                                              {6, false, 0.35},
                                              {7, false, 0.65},
                                              {8, false, 1.2},
                                              {9, false, 2.7}}};

// From 0, the coarsest of the quantiser's levels, to 100. By itself one number looks good on foliage and bad on a soft
// sky. Ours is about looks: finer steps where there is little detail to hide them. Found on photographs and drawings at
// 80, beside what sharp makes of them; the whole shift applies up to there, and less and less of it on the way to 95.
double aom_quality(double quality, double texture) {
    const double shift = std::clamp(10.6 - 2.6 * std::log2(std::max(texture, 1.0)), -6.0, 10.0);
    return quality + shift * std::clamp((95 - quality) / 15.0, 0.0, 1.0);
}

constexpr double last_level = 63;
constexpr double levels_apart = 100 / last_level;  // in qualities

// libaom's quantiser has 64 levels, which are up to four points of a score apart where a picture is smooth. A search
// finds quarters of them.
constexpr double quarter = 0.25;

double level_of(double aom_quality, double step) {
    const double exact = std::clamp((100 - aom_quality) / levels_apart, 0.0, last_level);
    return step * std::round(exact / step);
}

// Eight-bit pictures take 7 % fewer bytes for the same looks when they are encoded with ten: what libaom predicts and
// filters is rounded less. It takes half as much processor time more, and twice the memory.
int bits_of(const Encoding& encoding, double megapixels) {
    constexpr double most_with_ten = 40;
    return encoding.smallest && !encoding.lossless && megapixels <= most_with_ten ? 10 : 8;
}

// Of processor time. Half of the budget, so that a busy machine is no reason to fail; and no more than somebody waits
// for who did not ask for more than the usual effort.
double most_seconds(const Encoding& encoding) {
    constexpr int usual_effort = 6;
    constexpr double patience = 240;
    const double half = std::chrono::duration<double>(encoding.time_budget).count() / 2;
    return encoding.effort > usual_effort ? half : std::min(half, patience);
}

// Than usual.
constexpr double longer_as_screen = 3;

double seconds_at(const Pace& pace, const Encoding& encoding, double megapixels) {
    return megapixels / pace.megapixels_per_second * (encoding.as_screen ? longer_as_screen : 1);
}

const Pace& choose_pace(const Encoding& encoding, double megapixels) {
    const bool thorough = bits_of(encoding, megapixels) > 8;
    const auto& paces = thorough ? thorough_paces : quick_paces;
    const int wanted = std::clamp((thorough ? 9 : 11) - encoding.effort, 2, 9);
    for (const Pace& pace : paces) {
        if (pace.speed >= wanted && seconds_at(pace, encoding, megapixels) <= most_seconds(encoding)) return pace;
    }
    return paces.back();
}

// In the time that one encoding may take.
int most_tries(const Encoding& encoding, double megapixels) {
    constexpr double enough = 4;
    const double tries = most_seconds(encoding) / seconds_at(choose_pace(encoding, megapixels), encoding, megapixels);
    return static_cast<int>(std::clamp(tries, 1.0, enough));
}

double megapixels_of(const PixelRows& rows) {
    return rows.width * 1e-6 * rows.height;
}

// Of levels.
double step_of(const Encoding& encoding, const PixelRows& rows) {
    return bits_of(encoding, megapixels_of(rows)) > 8 ? quarter : 1;
}

PixelRows rows_of(const VImage& pixels) {
    const auto stride = static_cast<std::size_t>(pixels.width()) * static_cast<std::size_t>(pixels.bands());
    return {static_cast<const std::uint8_t*>(pixels.data()), stride, pixels.width(), pixels.height(), pixels.bands()};
}

// Where nobody has asked for one, colour is at half resolution while that hardly shows.
Av1Colour colour_of(const Encoding& encoding) {
    constexpr double from_quality = 90;
    if (encoding.lossless) return Av1Colour::exact;
    return encoding.full_colour.value_or(encoding.quality >= from_quality) ? Av1Colour::full : Av1Colour::halved;
}

// The steepness of quantisation matrices, from 0 to 15, which is flat. Where steps are fine, almost flat ones look
// best; where they are coarse, steeper ones do.
int steepness_at(double level) {
    constexpr double fine = 24;
    constexpr double for_each_level = 0.25;
    return static_cast<int>(std::lround(std::clamp(11 - for_each_level * (level - fine), 8.0, 11.0)));
}

// Tools of libaom that a picture may do without, or have: none is better for most, but each makes other choices, by
// which a picture of few pixels scores a point more or less.
constexpr Av1Tool other_ways[] = {{"enable-intra-edge-filter", "0"}, {"coeff-cost-upd-freq", "3"}};

// libaom may leave out a block's transform along rows or columns and code what differs from its prediction as it is.
// That is for lines and letters. In photographs it picks single bright points, stars above all, and drops what lies
// between them, which costs more looks than bytes; matrices do not apply to it, either.
constexpr Av1Tool no_bare_differences{"enable-flip-idtx", "0"};

// Of the quantiser's scale: what whole colour adds to the looks of a quality is taken back as bytes. Little of it at
// the lowest qualities and next to 90, so that more quality is more bytes, as long as colour is stored in the same way.
double full_colour_shift(double quality) {
    constexpr double most = 7;
    return most * std::clamp(std::min((quality - 20) / 50.0, (90 - quality) / 10.0), 0.0, 1.0);
}

std::string encode_colour(const PixelRows& rows, bool is_drawn, Av1Colour colour, const Encoding& encoding,
                          Av1Settings settings) {
    const Av1Planes planes = planes_of(rows, colour, bits_of(encoding, megapixels_of(rows)));
    settings.is_exact_colour = colour == Av1Colour::exact && !is_grey(rows);
    if (encoding.lossless) return encode_av1(*planes, settings);
    const double shift = colour == Av1Colour::full ? full_colour_shift(encoding.quality) : 0;
    settings.level = level_of(aom_quality(encoding.quality, texture_of(rows)) - shift, step_of(encoding, rows));
    const std::string steepness = std::to_string(steepness_at(settings.level));
    std::vector<Av1Tool> tools;
    if (encoding.smallest) {
        // The last one: choices between ways to code a block count errors as the matrices weigh them.
        tools = {{"enable-qm", "1"},
                 {"qm-min", steepness.c_str()},
                 {"qm-max", steepness.c_str()},
                 {"dist-metric", "qm-psnr"}};
        if (!is_drawn) tools.push_back(no_bare_differences);
        if (encoding.way > 0) tools.push_back(other_ways[encoding.way - 1]);
    }
    settings.tools = tools;
    return encode_av1(*planes, settings);
}

std::string encode_opacity(const PixelRows& rows, const Encoding& encoding, Av1Settings settings) {
    if (!has_opacity(rows)) return {};
    settings.as_screen = false;
    settings.level = encoding.lossless ? 0 : level_of(encoding.quality, step_of(encoding, rows));
    return encode_av1(*opacity_of(rows, bits_of(encoding, megapixels_of(rows))), settings);
}

codecs::FileBytes bytes_of(const std::string& text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

double avif_step(const Encoding& encoding) {
    return encoding.smallest ? levels_apart * quarter : levels_apart;
}

int avif_ways(const Encoding& encoding) {
    return encoding.smallest && !encoding.lossless ? 1 + static_cast<int>(std::size(other_ways)) : 1;
}

double avif_seconds(const Encoding& encoding, double megapixels) {
    return seconds_at(choose_pace(encoding, megapixels), encoding, megapixels);
}

void encode_avif(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    if (image.format() != VIPS_FORMAT_UCHAR) throw vips::VError("avif: more than eight bits a sample");
    const VImage pixels = image.copy_memory();
    const PixelRows rows = rows_of(pixels);
    const Av1Colour colour = colour_of(encoding);
    const double megapixels = megapixels_of(rows);
    const Pace& pace = choose_pace(encoding, megapixels);
    const Av1Settings settings{.lossless = encoding.lossless,
                               .speed = pace.speed,
                               .for_films = pace.for_films,
                               .threads = encoding.threads,
                               .most_tries = most_tries(encoding, megapixels),
                               .as_screen = encoding.as_screen,
                               .tools = {}};
    const bool is_drawn = encoding.smallest && looks_drawn(wrap(pixels));
    const std::string coded = encode_colour(rows, is_drawn, colour, encoding, settings);
    const std::string opacity = encode_opacity(rows, encoding, settings);
    const auto made = codecs::write_avif({.width = rows.width,
                                          .height = rows.height,
                                          .bits = bits_of(encoding, megapixels),
                                          .is_grey = is_grey(rows),
                                          .has_halved_colour = colour == Av1Colour::halved,
                                          .is_exact_colour = colour == Av1Colour::exact,
                                          .colour = bytes_of(coded),
                                          .opacity = bytes_of(opacity),
                                          .profile = bytes_of(metadata.profile),
                                          .exif = bytes_of(metadata.exif),
                                          .xmp = bytes_of(metadata.xmp)});
    if (!made) throw vips::VError("avif: what libaom wrote fits in no file");
    file.write(bytes_of(*made));
}

}  // namespace tessera::imaging
