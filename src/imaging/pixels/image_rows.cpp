#include "imaging/pixels/image_rows.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

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

// What VIPS_REGION_ADDR does, in types that agree.
const std::uint8_t* row_of(const VipsRegion& region, int y) {
    return region.data + std::ptrdiff_t{y - region.valid.top} * region.bpl;
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
        Pouring pouring{*this, sink, {}, nullptr};
        const bool poured = vips_sink_disc(image_.get_image(), &ImageRows::take, &pouring) == 0;
        if (poured && !rows_have_failed()) return {};
        if (pouring.unexpected) std::rethrow_exception(pouring.unexpected);
        if (pouring.failure) return *pouring.failure;
        return decode_failed(take_vips_error());
    }

  private:
    struct Pouring {
        ImageRows& rows;
        RowSink& sink;
        std::optional<JobError> failure;
        std::exception_ptr unexpected;
    };

    // libvips calls this with whole rows, in order, from one thread at a time. Nothing may be thrown through it.
    static int take(VipsRegion* region, VipsRect* area, void* pouring_pointer) {
        auto& pouring = *static_cast<Pouring*>(pouring_pointer);
        try {
            auto taken = pouring.rows.take_rows(region, *area, pouring.sink);
            if (taken) return 0;
            pouring.failure = std::move(taken).error();
        } catch (...) {
            pouring.unexpected = std::current_exception();
        }
        return -1;
    }

    JobResult<void> take_rows(VipsRegion* region, const VipsRect& area, RowSink& sink) const {
        for (int done = 0; done < area.height;) {
            auto space = sink.space();
            if (!space) return std::move(space).error();
            const auto count = static_cast<int>(std::min<std::int64_t>(space->count, area.height - done));
            for (int i = 0; i < count; ++i) {
                const std::uint8_t* from = row_of(*region, area.top + done + i);
                std::uint8_t* to = space->buffer->row(0, space->row + i);
                if (image_.bands() == 2) {
                    widen_gray_alpha(from, to, width());
                } else {
                    std::memcpy(to, from, static_cast<std::size_t>(width() * bytes_per_pixel(layout_)));
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
