#include "imaging/pixels/image_rows.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "imaging/pixels/pour.hpp"
#include "imaging/pixels/vips_image.hpp"

namespace tessera::imaging {
namespace {

// Grey with alpha has no layout of its own: it becomes colour with alpha.
void widen_gray_alpha(const std::uint8_t* from, std::uint8_t* to, std::int64_t pixels) {
    for (std::int64_t i = 0; i < pixels; ++i, from += 2, to += 4) {
        to[0] = to[1] = to[2] = from[0];
        to[3] = from[1];
    }
}

PixelLayout layout_for(int bands) {
    switch (bands) {
        case 1: return PixelLayout::gray;
        case 3: return PixelLayout::rgb;
        default: return PixelLayout::rgba;
    }
}

class ImageRows final : public RowSource {
  public:
    explicit ImageRows(vips::VImage image) : image_(std::move(image)), layout_(layout_for(image_.bands())) {}

    [[nodiscard]] std::int64_t width() const override { return image_.width(); }
    [[nodiscard]] std::int64_t height() const override { return image_.height(); }
    [[nodiscard]] PixelLayout layout() const override { return layout_; }

    JobResult<void> pour(RowSink& sink) override {
        std::optional<JobError> failure;
        try {
            pour_beside(image_, [&](const RowBlock& rows) {
                auto taken = take(rows, sink);
                if (!taken) failure = std::move(taken).error();
                return !failure;
            });
        } catch (const vips::VError&) {
            return decode_failed(take_vips_error());
        }
        if (failure) return *failure;
        return {};
    }

  private:
    JobResult<void> take(const RowBlock& rows, RowSink& sink) const {
        for (int done = 0; done < rows.count;) {
            auto space = sink.space();
            if (!space) return std::move(space).error();
            const auto count = static_cast<int>(std::min<std::int64_t>(space->count, rows.count - done));
            for (int i = 0; i < count; ++i) {
                std::uint8_t* to = space->buffer->row(0, space->row + i);
                if (image_.bands() == 2) {
                    widen_gray_alpha(rows.row(done + i), to, width());
                } else {
                    std::memcpy(to, rows.row(done + i), static_cast<std::size_t>(width() * bytes_per_pixel(layout_)));
                }
            }
            if (auto committed = sink.commit(count); !committed) return committed;
            done += count;
        }
        return {};
    }

    vips::VImage image_;
    PixelLayout layout_;
};

}  // namespace

JobResult<std::unique_ptr<RowSource>> rows_of(const Image& image) {
    const vips::VImage pixels = unwrap(image);
    const bool plain =
        pixels.format() == VIPS_FORMAT_UCHAR && pixels.coding() == VIPS_CODING_NONE && pixels.bands() <= 4;
    if (!plain) return JobError{JobErrorCode::internal_error, "the picture is not in eight-bit sRGB", ""};
    return std::unique_ptr<RowSource>(std::make_unique<ImageRows>(pixels));
}

}  // namespace tessera::imaging
