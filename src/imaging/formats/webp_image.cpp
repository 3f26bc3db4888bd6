#include "imaging/formats/webp_image.hpp"

#include <webp/decode.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/webp/container.hpp"
#include "imaging/formats/picture_model.hpp"
#include "imaging/formats/reduced_webp.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;

const char* reason(VP8StatusCode status) {
    switch (status) {
        case VP8_STATUS_OUT_OF_MEMORY: return "out of memory";
        case VP8_STATUS_SUSPENDED:
        case VP8_STATUS_NOT_ENOUGH_DATA: return "WebP data ends early";
        default: return "WebP data is damaged";
    }
}

class WebpRows final : public RowMaker {
  public:
    // The canvas is decoded in this size.
    WebpRows(codecs::MappedFile file, const codecs::WebpContainer& container, int bands, int width, int height,
             BoxFactors boxes)
        : file_(std::move(file)),
          container_(container),
          bands_(static_cast<std::size_t>(bands)),
          width_(container.frame_is_canvas() ? width : container.frame_width),
          height_(container.frame_is_canvas() ? height : container.frame_height),
          rows_(width, height, bands, 1, boxes) {
        if (!container.frame_is_canvas()) canvas_row_.resize(static_cast<std::size_t>(width) * bands_);
    }

    [[nodiscard]] int width() const { return rows_.width(); }
    [[nodiscard]] int height() const { return rows_.height(); }

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        if (pixels_ == nullptr && !start()) return false;
        return rows_.make(out, [this] { return next_row(); });
    }

  private:
    const std::uint8_t* next_row() {
        const int row = next_++ - container_.top;
        const std::size_t size = row_size();
        const auto decoded = [&] { return pixels_.get() + static_cast<std::size_t>(row) * size; };
        if (canvas_row_.empty()) return decoded();
        std::ranges::fill(canvas_row_, std::uint8_t{0});
        const std::size_t before = static_cast<std::size_t>(container_.left) * bands_;
        if (row >= 0 && row < height_) std::memcpy(canvas_row_.data() + before, decoded(), size);
        return canvas_row_.data();
    }

    [[nodiscard]] std::size_t row_size() const { return static_cast<std::size_t>(width_) * bands_; }

    bool start() {
        WebPDecoderConfig config;
        if (WebPInitDecoderConfig(&config) == 0) return fail("another libwebp than this was built for");
        const std::size_t size = row_size() * static_cast<std::size_t>(height_);
        pixels_.reset(new (std::nothrow) std::uint8_t[size]);
        if (!pixels_) return fail("out of memory");
        config.options.use_scaling = width_ != container_.frame_width || height_ != container_.frame_height ? 1 : 0;
        config.options.scaled_width = width_;
        config.options.scaled_height = height_;
        config.output.colorspace = bands_ == 4 ? MODE_RGBA : MODE_RGB;
        config.output.is_external_memory = 1;
        config.output.u.RGBA = {pixels_.get(), static_cast<int>(row_size()), size};
        const VP8StatusCode status = WebPDecode(container_.picture.data(), container_.picture.size(), &config);
        WebPFreeDecBuffer(&config.output);
        return status == VP8_STATUS_OK || fail(reason(status));
    }

    bool fail(const char* why) {
        pixels_.reset();
        vips_error("webp", "%s", why);
        return false;
    }

    codecs::MappedFile file_;
    const codecs::WebpContainer container_;
    const std::size_t bands_;
    const int width_;  // of what is decoded
    const int height_;
    BoxedRows rows_;
    std::unique_ptr<std::uint8_t[]> pixels_;
    std::vector<std::uint8_t> canvas_row_;  // where the frame is not all of it
    int next_ = 0;
};

int scaled(int edge, double scale) {
    return std::max(1, static_cast<int>(std::lround(edge * scale)));
}

bool has_alpha(const codecs::WebpContainer& container) {
    WebPBitstreamFeatures features;
    const VP8StatusCode status = WebPGetFeatures(container.picture.data(), container.picture.size(), &features);
    if (status != VP8_STATUS_OK) throw vips::VError(std::string("webp: ") + reason(status));
    return features.has_alpha != 0 || !container.frame_is_canvas();
}

}  // namespace

VImage load_webp(int fd, double scale, BoxFactors boxes) {
    auto mapped = codecs::MappedFile::open(fd);
    if (!mapped) throw vips::VError("webp: " + mapped.error().detail);
    const auto container = codecs::read_webp_container(mapped->bytes());
    if (!container) throw vips::VError("webp: its header is damaged");
    const bool whole = scale >= 1 || !container->frame_is_canvas();
    const int width = whole ? container->width : scaled(container->width, scale);
    const int height = whole ? container->height : scaled(container->height, scale);
    const int bands = has_alpha(*container) ? 4 : 3;
    VImage model = model_of({width, height, bands, false}, container->metadata);
    model.set("n-pages", container->frames);
    if (bands == 3 && !boxes.any()) {
        if (auto rows = reduced_webp_rows(*mapped, *container, width, height)) {
            return image_of_rows(model, width, height, std::move(rows), false);
        }
    }
    auto rows = std::make_unique<WebpRows>(std::move(*mapped), *container, bands, width, height, boxes);
    const int boxed_width = rows->width();
    const int boxed_height = rows->height();
    return image_of_rows(model, boxed_width, boxed_height, std::move(rows), false);
}

}  // namespace tessera::imaging
