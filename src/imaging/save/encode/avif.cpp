#include "imaging/save/encode/avif.hpp"

#include <libheif/heif.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <memory>
#include <string>
#include <utility>

#include "core/owned.hpp"
#include "imaging/save/encode/colour_detail.hpp"
#include "imaging/save/encode/texture.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

using Context = Owned<heif_context, heif_context_free>;
using Encoder = Owned<heif_encoder, heif_encoder_release>;
using Picture = Owned<heif_image, heif_image_release>;
using Handle = Owned<heif_image_handle, heif_image_handle_release>;
using Options = Owned<heif_encoding_options, heif_encoding_options_free>;
using Nclx = Owned<heif_color_profile_nclx, heif_nclx_color_profile_free>;

void check(const heif_error& error) {
    if (error.code != heif_error_Ok) throw vips::VError(std::string("avif: ") + error.message);
}

// Speeds are libaom's, 0 (slow) to 9. Megapixels that one core encodes in a second, by CPU time: four fifths of what
// was measured on one photograph full of detail (1200x675, quality 80) with libaom 3.6 on a busy two-core Xeon machine.
struct Pace {
    int speed;
    double megapixels_per_second;
};
constexpr Pace paces[] = {{2, 0.025}, {3, 0.05}, {4, 0.095}, {5, 0.11}, {6, 0.7}, {7, 1.2}, {8, 1.5}, {9, 4.5}};

// libheif's scale is a quantiser's, so that one number looks good on foliage and bad on a soft sky. Ours is about
// looks: finer steps where there is little detail to hide them. Found on photographs and drawings at 80, beside what
// sharp makes of them; the whole shift applies up to there, and less and less of it on the way to 95.
double heif_quality(double quality, double texture) {
    const double shift = std::clamp(10.6 - 2.6 * std::log2(std::max(texture, 1.0)), -6.0, 10.0);
    return quality + shift * std::clamp((95 - quality) / 15.0, 0.0, 1.0);
}

// libaom's quantiser has 64 levels, which are up to two points of a score apart. Steeper matrices come to about a third
// of a level each.
struct Level {
    int number = 0;  // 0 is the finest
    int thirds = 0;  // beyond it
};

constexpr int last_level = 63;

Level level_of(double heif_quality, bool has_thirds) {
    const double exact = std::clamp((100 - heif_quality) * last_level / 100, 0.0, last_level * 1.0);
    if (!has_thirds) return {static_cast<int>(std::lround(exact)), 0};
    const auto thirds = static_cast<int>(std::lround(3 * exact));
    return {thirds / 3, thirds % 3};
}

// What libheif, which takes whole numbers from 0 to 100, makes this level of.
int heif_quality_of(const Level& level) {
    return 100 - static_cast<int>(std::lround(level.number * 100.0 / last_level));
}

const Pace& choose_pace(const Encoding& encoding, double megapixels) {
    const double seconds = std::chrono::duration<double>(encoding.time_budget).count() / 2;
    const int wanted = std::clamp(11 - encoding.effort, 2, 9);
    for (const Pace& pace : paces) {
        if (pace.speed >= wanted && megapixels / pace.megapixels_per_second <= seconds) return pace;
    }
    return paces[std::size(paces) - 1];
}

int choose_speed(const VImage& image, const Encoding& encoding) {
    return choose_pace(encoding, image.width() * 1e-6 * image.height()).speed;
}

// Copies one band, or a run of bands, of every row into a plane of libheif's.
void fill_plane(heif_image* picture, heif_channel channel, const VImage& pixels) {
    check(heif_image_add_plane(picture, channel, pixels.width(), pixels.height(), 8));
    int stride = 0;
    std::uint8_t* plane = heif_image_get_plane(picture, channel, &stride);
    if (plane == nullptr || stride < 0) throw vips::VError("avif: no plane");
    std::size_t bytes = 0;
    const Owned<void, g_free> rows(pixels.write_to_memory(&bytes));
    const std::size_t row_bytes = bytes / static_cast<std::size_t>(pixels.height());
    for (int y = 0; y < pixels.height(); ++y) {
        std::memcpy(plane + static_cast<std::size_t>(y) * static_cast<std::size_t>(stride),
                    static_cast<const std::uint8_t*>(rows.get()) + static_cast<std::size_t>(y) * row_bytes, row_bytes);
    }
}

Picture to_picture(const VImage& source) {
    const bool grey = source.bands() <= 2;
    const bool alpha = source.has_alpha();
    heif_image* made = nullptr;
    if (grey) {
        check(heif_image_create(source.width(), source.height(), heif_colorspace_monochrome, heif_chroma_monochrome,
                                &made));
        Picture picture(made);
        // Grey with alpha is read twice, so it has to be in memory.
        const VImage pixels = alpha ? source.copy_memory() : source;
        fill_plane(picture.get(), heif_channel_Y, alpha ? pixels.extract_band(0) : pixels);
        if (alpha) fill_plane(picture.get(), heif_channel_Alpha, pixels.extract_band(1));
        return picture;
    }
    check(heif_image_create(source.width(), source.height(), heif_colorspace_RGB,
                            alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, &made));
    Picture picture(made);
    fill_plane(picture.get(), heif_channel_interleaved, source);
    return picture;
}

Nclx srgb_profile(bool lossless) {
    Nclx profile(heif_nclx_color_profile_alloc());
    if (!profile) throw vips::VError("avif: out of memory");
    profile->color_primaries = heif_color_primaries_ITU_R_BT_709_5;
    profile->transfer_characteristics = heif_transfer_characteristic_IEC_61966_2_1;
    // The identity matrix stores red, green and blue as they are: the only one that loses nothing.
    profile->matrix_coefficients =
        lossless ? heif_matrix_coefficients_RGB_GBR : heif_matrix_coefficients_ITU_R_BT_601_6;
    profile->full_range_flag = 1;
    return profile;
}

// Grey, or colours side by side, as they are in the picture.
PixelRows rows_of(const heif_image* picture, const VImage& image) {
    const auto channel = image.bands() <= 2 ? heif_channel_Y : heif_channel_interleaved;
    int stride = 0;
    const std::uint8_t* plane = heif_image_get_plane_readonly(picture, channel, &stride);
    const int channels = image.bands() <= 2 ? 1 : image.bands();
    return {plane, static_cast<std::size_t>(stride), image.width(), image.height(), channels};
}

// Whether colour is stored at full resolution. Halving it costs looks that finer steps can't buy back, unless there is
// little of it or the steps are coarse anyway. Only where the smallest file is asked for: it takes longer.
bool wants_full_colour(const PixelRows& rows, const Encoding& encoding) {
    constexpr int least_quality = 30;
    if (encoding.lossless) return true;
    if (encoding.full_colour) return *encoding.full_colour;
    if (encoding.quality >= 90) return true;
    return encoding.smallest && encoding.quality >= least_quality && halving_shows(rows);
}

// The steepness of quantisation matrices, from 0 to 15, which is flat. Where steps are fine, almost flat ones look
// best; where they are coarse, steeper ones do.
int steepness_at(const Level& level) {
    constexpr double fine = 24;
    constexpr double for_each_level = 0.25;
    const double flat = std::clamp(11 - for_each_level * (level.number - fine), 8.0, 11.0);
    return static_cast<int>(std::lround(flat)) - level.thirds;
}

// Beyond what libheif asks of libaom: a filter against ringing, and matrices. An encoder that knows neither makes
// larger files, which is no reason to fail.
void ask_for_looks(heif_encoder* encoder, const Level& level) {
    const std::string steepness = std::to_string(steepness_at(level));
    for (const auto& [name, value] :
         {std::pair{"aom:enable-cdef", "1"}, std::pair{"aom:enable-qm", "1"},
          std::pair{"aom:qm-min", steepness.c_str()}, std::pair{"aom:qm-max", steepness.c_str()}}) {
        heif_encoder_set_parameter_string(encoder, name, value);
    }
}

// Tools of libaom that a picture may do without, or have: none is better for most, but each makes other choices, by
// which a picture of few pixels scores a point more or less.
struct Tool {
    const char* name;
    const char* value;
};
constexpr Tool other_ways[] = {
    {"aom:enable-intra-edge-filter", "0"}, {"aom:coeff-cost-upd-freq", "3"}, {"aom:tune-content", "screen"}};

void ask_for_way(heif_encoder* encoder, int way) {
    if (way == 0) return;
    const Tool& tool = other_ways[way - 1];
    heif_encoder_set_parameter_string(encoder, tool.name, tool.value);
}

// Of libheif's scale: what whole colour adds to the looks of a quality is taken back as bytes. Little of it next to
// where whole colour begins and next to 90, so that more quality is more bytes everywhere.
double full_colour_shift(double quality) {
    constexpr double most = 7;
    return most * std::clamp(std::min((quality - 20) / 50.0, (90 - quality) / 10.0), 0.0, 1.0);
}

Encoder make_encoder(const VImage& image, const PixelRows& rows, const Encoding& encoding) {
    heif_encoder* made = nullptr;
    check(heif_context_get_encoder_for_format(nullptr, heif_compression_AV1, &made));
    Encoder encoder(made);
    const bool full_colour = wants_full_colour(rows, encoding);
    check(heif_encoder_set_lossless(made, encoding.lossless ? 1 : 0));
    if (!encoding.lossless) {
        const double shift = full_colour ? full_colour_shift(encoding.quality) : 0;
        const Level level = level_of(heif_quality(encoding.quality, texture_of(rows)) - shift, encoding.smallest);
        check(heif_encoder_set_lossy_quality(made, heif_quality_of(level)));
        check(heif_encoder_set_parameter_integer(made, "alpha-quality", whole_quality(encoding)));
        if (encoding.smallest) ask_for_looks(made, level);
        if (encoding.smallest) ask_for_way(made, encoding.way);
    }
    check(heif_encoder_set_parameter_string(made, "chroma", full_colour ? "444" : "420"));
    check(heif_encoder_set_parameter_string(made, "tune", "ssim"));
    check(heif_encoder_set_parameter_integer(made, "speed", choose_speed(image, encoding)));
    check(heif_encoder_set_parameter_integer(made, "threads", encoding.threads));
    check(heif_encoder_set_parameter(made, "lossless-alpha", encoding.lossless ? "true" : "false"));
    return encoder;
}

void add_texts(heif_context* context, heif_image_handle* handle, const Metadata& metadata) {
    const std::string& exif = metadata.exif;
    const std::string& xmp = metadata.xmp;
    if (!exif.empty()) {
        check(heif_context_add_exif_metadata(context, handle, exif.data(), static_cast<int>(exif.size())));
    }
    if (!xmp.empty()) check(heif_context_add_XMP_metadata(context, handle, xmp.data(), static_cast<int>(xmp.size())));
}

void set_profile(heif_image* picture, const std::string& profile) {
    if (profile.empty()) return;
    check(heif_image_set_raw_color_profile(picture, "prof", profile.data(), profile.size()));
}

heif_error write_to_file(heif_context* /*context*/, const void* data, std::size_t size, void* file) {
    const std::span bytes(static_cast<const std::uint8_t*>(data), size);
    if (static_cast<FileTarget*>(file)->write(bytes)) return {heif_error_Ok, heif_suberror_Unspecified, ""};
    return {heif_error_Encoding_error, heif_suberror_Cannot_write_output_data, "the file can't be written"};
}

}  // namespace

double avif_step(const Encoding& encoding) {
    const double level = 100.0 / last_level;
    return encoding.smallest ? level / 3 : level;
}

int avif_ways(const Encoding& encoding) {
    return encoding.smallest && !encoding.lossless ? 1 + static_cast<int>(std::size(other_ways)) : 1;
}

double avif_seconds(const Encoding& encoding, double megapixels) {
    return megapixels / choose_pace(encoding, megapixels).megapixels_per_second;
}

void encode_avif(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata) {
    if (image.format() != VIPS_FORMAT_UCHAR) throw vips::VError("avif: more than eight bits a sample");
    const Context context(heif_context_alloc());
    const Picture picture = to_picture(image);
    const Encoder encoder = make_encoder(image, rows_of(picture.get(), image), encoding);
    const Nclx profile = srgb_profile(encoding.lossless && image.bands() > 2);
    check(heif_image_set_nclx_color_profile(picture.get(), profile.get()));
    set_profile(picture.get(), metadata.profile);
    const Options options(heif_encoding_options_alloc());
    options->output_nclx_profile = profile.get();
    options->macOS_compatibility_workaround_no_nclx_profile = 0;

    heif_image_handle* encoded = nullptr;
    check(heif_context_encode_image(context.get(), picture.get(), encoder.get(), options.get(), &encoded));
    const Handle handle(encoded);
    add_texts(context.get(), encoded, metadata);
    heif_writer writer{1, write_to_file};
    check(heif_context_write(context.get(), &writer, &file));
}

}  // namespace tessera::imaging
