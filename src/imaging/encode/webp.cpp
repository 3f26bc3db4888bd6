#include "imaging/encode/webp.hpp"

#include <webp/encode.h>

#include <algorithm>
#include <memory>
#include <string>

namespace tessera::imaging {
namespace {

using vips::VImage;

constexpr int most_effort = 6;
// The sixth method takes ten times as long as the fifth to save next to nothing where nothing may be lost, which goes
// for the opacity of every picture.
constexpr int most_lossless_effort = 5;

struct FreeMemory {
    void operator()(void* memory) const { g_free(memory); }
};

// A picture of libwebp's and what is written of it.
class WebpPicture {
  public:
    WebpPicture() {
        if (WebPPictureInit(&picture_) == 0) throw vips::VError("webp: another version than its headers");
        WebPMemoryWriterInit(&writer_);
        picture_.writer = WebPMemoryWrite;
        picture_.custom_ptr = &writer_;
    }
    WebpPicture(const WebpPicture&) = delete;
    WebpPicture& operator=(const WebpPicture&) = delete;
    ~WebpPicture() {
        WebPPictureFree(&picture_);
        WebPMemoryWriterClear(&writer_);
    }

    void take(const VImage& image, bool lossless) {
        picture_.use_argb = lossless ? 1 : 0;
        picture_.width = image.width();
        picture_.height = image.height();
        std::size_t size = 0;
        const std::unique_ptr<void, FreeMemory> memory(image.write_to_memory(&size));
        const auto* pixels = static_cast<const std::uint8_t*>(memory.get());
        const int stride = image.width() * image.bands();
        const int taken = image.bands() == 4 ? WebPPictureImportRGBA(&picture_, pixels, stride)
                                             : WebPPictureImportRGB(&picture_, pixels, stride);
        if (taken == 0) throw vips::VError("webp: out of memory");
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
};

// The hardest method saves a little more than it should of a photograph's fine texture: this gives it back.
constexpr float hardest_shift = 0.8F;

WebPConfig config_for(const Encoding& encoding, bool has_alpha) {
    const float shift = encoding.effort >= most_effort ? hardest_shift : 0.0F;
    const float quality = std::min(100.0F, static_cast<float>(encoding.quality) + shift);
    WebPConfig config;
    if (WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) == 0) {
        throw vips::VError("webp: another version than its headers");
    }
    const bool exact_part = encoding.lossless || has_alpha;
    config.method = std::min(encoding.effort, exact_part ? most_lossless_effort : most_effort);
    config.lossless = encoding.lossless ? 1 : 0;
    // The strength of the deblocking filter that keeps most of the likeness, rather than a rule of thumb: the same
    // bytes look more like the source.
    config.autofilter = encoding.effort >= most_effort ? 1 : 0;
    config.thread_level = encoding.threads > 1 ? 1 : 0;
    return config;
}

}  // namespace

bool can_encode_webp(const VImage& image, const Encoding& encoding) {
    return !encoding.keep_metadata && !encoding.keep_profile && image.format() == VIPS_FORMAT_UCHAR &&
           image.bands() <= 4;
}

void encode_webp(const VImage& image, FileTarget& file, const Encoding& encoding) {
    WebpPicture picture;
    picture.take(image.bands() < 3 ? image.colourspace(VIPS_INTERPRETATION_sRGB) : image, encoding.lossless);
    file.write(picture.encode(config_for(encoding, image.has_alpha())));
}

}  // namespace tessera::imaging
