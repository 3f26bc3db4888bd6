#include "imaging/save/encode/webp.hpp"

#include <webp/encode.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codecs/vp8/encoder.hpp"
#include "imaging/pixels/pour.hpp"
#include "imaging/save/encode/webp_search.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int most_effort = 6;
// The sixth method takes ten times as long as the fifth to save next to nothing where nothing may be lost, which goes
// for the opacity of every picture.
constexpr int most_lossless_effort = 5;

// Megapixels a second of a photograph at quality 80, measured on a slow core and rounded down.
struct Pace {
    int method;
    double lossy;
    double lossless;
};
constexpr Pace paces[] = {{6, 0.7, 0.0}, {5, 5.0, 1.2}, {4, 6.5, 1.4}, {3, 8.0, 1.4}, {2, 11.0, 1.5}};

// The hardest method up to `wanted` that is done in half of the time allowed; the other half is for decoding and a
// slower machine. The last one where none is.
const Pace& pace_for(int wanted, double megapixels, const Encoding& encoding) {
    const double seconds = std::chrono::duration<double>(encoding.time_budget).count() / 2;
    for (const Pace& pace : paces) {
        const double each_second = encoding.lossless ? pace.lossless : pace.lossy;
        if (pace.method <= wanted && megapixels <= seconds * each_second) return pace;
    }
    return std::end(paces)[-1];
}

int method_for(int wanted, const VImage& image, const Encoding& encoding) {
    const double megapixels = static_cast<double>(image.width()) * image.height() / 1e6;
    return std::min(wanted, pace_for(wanted, megapixels, encoding).method);
}

// A picture of libwebp's and what is written of it.
class WebpPicture {
  public:
    explicit WebpPicture(Progress& progress) {
        if (WebPPictureInit(&picture_) == 0) throw vips::VError("webp: another version than its headers");
        WebPMemoryWriterInit(&writer_);
        picture_.writer = WebPMemoryWrite;
        picture_.custom_ptr = &writer_;
        picture_.progress_hook = [](int percent, const WebPPicture* picture) {
            static_cast<Progress*>(picture->user_data)->rest(percent / 100.0);
            return 1;
        };
        picture_.user_data = &progress;
    }
    WebpPicture(const WebpPicture&) = delete;
    WebpPicture& operator=(const WebpPicture&) = delete;
    ~WebpPicture() {
        WebPPictureFree(&picture_);
        WebPMemoryWriterClear(&writer_);
    }

    // With `for_search` the pixels are kept: our own encoder then tries how to look most like them.
    void take(const VImage& image, bool as_colours, bool for_search) {
        picture_.use_argb = as_colours ? 1 : 0;
        picture_.width = image.width();
        picture_.height = image.height();
        source_ = all_pixels(image);
        const int stride = image.width() * image.bands();
        const int taken = image.bands() == 4 ? WebPPictureImportRGBA(&picture_, source_.data(), stride)
                                             : WebPPictureImportRGB(&picture_, source_.data(), stride);
        if (taken == 0) throw vips::VError("webp: out of memory");
        if (!for_search) source_ = {};
    }

    // With our own encoder, which knows no opacity and no more of the format than small files need. Nothing where that
    // will not do: then there is still libwebp.
    std::optional<std::span<const std::uint8_t>> encode_ours(const WebPConfig& config, Progress& progress) {
        const bool careful = picture_.use_argb != 0;
        if (careful && WebPPictureSharpARGBToYUVA(&picture_) == 0) throw vips::VError("webp: out of memory");
        if (picture_.a != nullptr) return std::nullopt;
        const codecs::vp8::Picture planes{picture_.width,
                                          picture_.height,
                                          {picture_.y, picture_.u, picture_.v},
                                          {picture_.y_stride, picture_.uv_stride, picture_.uv_stride}};
        const auto tell = [&](double share) { progress.rest(share); };
        if (!source_.empty()) {
            const looks::Pixels source{source_.data(), static_cast<std::size_t>(picture_.width) * 3, 3, picture_.width,
                                       picture_.height};
            found_ = search_webp(planes, source, config.quality, tell);
            return found_;
        }
        ours_ = std::make_unique<codecs::vp8::Encoder>(config.quality);
        return ours_->encode(planes, tell);
    }

    std::span<const std::uint8_t> encode(const WebPConfig& config) {
        if (WebPEncode(&config, &picture_) == 0) {
            const bool memory = picture_.error_code == VP8_ENC_ERROR_OUT_OF_MEMORY;
            throw vips::VError(memory ? "webp: out of memory" : "webp: error " + std::to_string(picture_.error_code));
        }
        return {writer_.mem, writer_.size};
    }

  private:
    WebPPicture picture_{};
    WebPMemoryWriter writer_{};
    std::vector<std::uint8_t> source_;
    std::unique_ptr<codecs::vp8::Encoder> ours_;
    std::optional<std::vector<std::uint8_t>> found_;
};

// The hardest method saves a little more than it should of a photograph's fine texture: this gives it back.
constexpr float hardest_shift = 0.8F;

// Colour at half resolution is all that the lossy format has, but it can be made so that edges of colours stay.
bool is_careful_with_colour(const Encoding& encoding) {
    return !encoding.lossless && encoding.full_colour.value_or(false);
}

// How much fewer bits detail gets than plain surfaces. Of a picture with few losses more of it shows.
constexpr float much_quality = 85;
constexpr int noise_shaping_of_much_quality = 40;

WebPConfig config_for(const Encoding& encoding, const VImage& image) {
    const bool exact_part = encoding.lossless || image.has_alpha();
    const int method = method_for(std::min(encoding.effort, most_effort), image, encoding);
    const float shift = method == most_effort ? hardest_shift : 0.0F;
    const float quality = std::min(100.0F, static_cast<float>(encoding.quality) + shift);
    WebPConfig config;
    if (WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) == 0) {
        throw vips::VError("webp: another version than its headers");
    }
    config.method = std::min(method, exact_part ? most_lossless_effort : most_effort);
    config.lossless = encoding.lossless ? 1 : 0;
    // The strength of the deblocking filter that keeps most of the likeness, rather than a rule of thumb: the same
    // bytes look more like the source.
    config.autofilter = method == most_effort ? 1 : 0;
    config.use_sharp_yuv = is_careful_with_colour(encoding) ? 1 : 0;
    if (encoding.smallest && quality >= much_quality) config.sns_strength = noise_shaping_of_much_quality;
    config.thread_level = encoding.threads > 1 ? 1 : 0;
    return config;
}

// Our own encoder does in the time of libwebp's lowest methods what its last but one does. Tokens of a frame are kept
// until all are known, about six bytes a pixel.
constexpr double most_megapixels_of_ours = 16;

bool suits_our_encoder(const WebPConfig& config, const VImage& image) {
    const double megapixels = static_cast<double>(image.width()) * image.height() / 1e6;
    return config.lossless == 0 && megapixels <= most_megapixels_of_ours;
}

// The hardest method is a search of our own in the place of libwebp's sixth.
bool is_searched(const WebPConfig& config, const VImage& image) {
    return suits_our_encoder(config, image) && config.method == most_effort &&
           std::min(image.width(), image.height()) >= smallest_searched_edge;
}

}  // namespace

double webp_seconds(const Encoding& encoding, double megapixels) {
    const Pace& pace = pace_for(std::min(encoding.effort, most_effort), megapixels, encoding);
    return megapixels / (encoding.lossless ? pace.lossless : pace.lossy);
}

void encode_webp(const VImage& image, FileTarget& file, const Encoding& encoding, const Metadata& metadata,
                 Progress& progress) {
    if (image.format() != VIPS_FORMAT_UCHAR) throw vips::VError("webp: more than eight bits a sample");
    const WebPConfig config = config_for(encoding, image);
    WebpPicture picture(progress);
    picture.take(image.bands() < 3 ? image.colourspace(VIPS_INTERPRETATION_sRGB) : image,
                 encoding.lossless || is_careful_with_colour(encoding), is_searched(config, image));
    std::optional<std::span<const std::uint8_t>> ours;
    if (suits_our_encoder(config, image)) ours = picture.encode_ours(config, progress);
    webp_with(ours ? *ours : picture.encode(config), metadata).write_to([&](std::span<const std::uint8_t> piece) {
        return file.write(piece);
    });
}

}  // namespace tessera::imaging
