#include "imaging/formats/gif_image.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <new>
#include <span>

#include "codecs/bytes/mapped_file.hpp"
#include "codecs/gif/container.hpp"
#include "codecs/gif/lzw.hpp"
#include "imaging/formats/picture_model.hpp"
#include "imaging/pixels/row_image.hpp"

namespace tessera::imaging {
namespace {

using vips::VImage;
constexpr const char* damaged = "GIF data ends early or is damaged";

using Pixel = std::array<std::uint8_t, 4>;

struct Palette {
    std::array<Pixel, 256> colours;
    bool grey = true;
};

// A file without colours has black and white; indices beyond the colours are black.
Palette palette_of(const codecs::GifContainer& container) {
    static constexpr std::array<std::uint8_t, 6> black_and_white{0, 0, 0, 255, 255, 255};
    const codecs::FileBytes stored = container.colours.empty() ? codecs::FileBytes(black_and_white) : container.colours;
    Palette palette;
    palette.colours.fill({0, 0, 0, 255});
    for (std::size_t i = 0; i < stored.size() / 3; ++i) {
        palette.colours[i] = {stored[3 * i], stored[3 * i + 1], stored[3 * i + 2], 255};
        palette.grey = palette.grey && stored[3 * i] == stored[3 * i + 1] && stored[3 * i] == stored[3 * i + 2];
    }
    if (container.transparent) palette.colours[static_cast<std::size_t>(*container.transparent)] = {0, 0, 0, 0};
    return palette;
}

int bands_of(const codecs::GifContainer& container, const Palette& palette) {
    const bool alpha = container.transparent.has_value() || !container.frame_is_canvas();
    return (palette.grey ? 1 : 3) + (alpha ? 1 : 0);
}

class GifRows final : public RowMaker {
  public:
    GifRows(codecs::MappedFile file, const codecs::GifContainer& container, const Palette& palette)
        : file_(std::move(file)),
          container_(container),
          bands_(static_cast<std::size_t>(bands_of(container, palette))),
          width_(static_cast<std::size_t>(container.frame_width)),
          height_(static_cast<std::size_t>(container.frame_height)),
          lzw_(container.code_size, container.blocks) {
        for (std::size_t i = 0; i < palette.colours.size(); ++i) {
            const Pixel& colour = palette.colours[i];
            shown_[i] = bands_ == 2 ? Pixel{colour[0], colour[3], 0, 0} : colour;
        }
    }

    bool write(std::uint8_t* out, RowReader* /*upstream*/) override {
        const int row = next_++ - container_.top;
        const std::size_t canvas = static_cast<std::size_t>(container_.width) * bands_;
        if (width_ * bands_ < canvas) std::memset(out, 0, canvas);
        if (row < 0 || row >= container_.frame_height) return true;
        const std::uint8_t* indices =
            container_.interlaced ? interlaced_row(static_cast<std::size_t>(row)) : next_row();
        if (indices == nullptr) return false;
        paint(indices, out + static_cast<std::size_t>(container_.left) * bands_);
        return true;
    }

  private:
    static std::nullptr_t fail(const char* why) {
        vips_error("gif", "%s", why);
        return nullptr;
    }

    const std::uint8_t* next_row() {
        if (indices_.empty() && !take_room(width_)) return fail("out of memory");
        return lzw_.read(indices_) ? indices_.data() : fail(damaged);
    }

    const std::uint8_t* interlaced_row(std::size_t row) {
        if (indices_.empty()) {
            if (!take_room(width_ * height_)) return fail("out of memory");
            whole_ = read_passes();
        }
        return whole_ ? indices_.data() + row * width_ : fail(damaged);
    }

    bool take_room(std::size_t size) {
        room_.reset(new (std::nothrow) std::uint8_t[size]);
        if (room_) indices_ = {room_.get(), size};
        return room_ != nullptr;
    }

    bool read_passes() {
        struct Pass {
            std::size_t first;
            std::size_t step;
        };
        static constexpr std::array passes{Pass{0, 8}, Pass{4, 8}, Pass{2, 4}, Pass{1, 2}};
        for (const Pass& pass : passes) {
            for (std::size_t row = pass.first; row < height_; row += pass.step) {
                if (!lzw_.read(indices_.subspan(row * width_, width_))) return false;
            }
        }
        return true;
    }

    void paint(const std::uint8_t* indices, std::uint8_t* out) const {
        switch (bands_) {
            case 1: return paint_bands<1>(indices, out);
            case 2: return paint_bands<2>(indices, out);
            case 3: return paint_bands<3>(indices, out);
            default: return paint_bands<4>(indices, out);
        }
    }
    template <std::size_t bands>
    void paint_bands(const std::uint8_t* indices, std::uint8_t* out) const {
        for (std::size_t x = 0; x < width_; ++x, out += bands) std::memcpy(out, shown_[indices[x]].data(), bands);
    }

    codecs::MappedFile file_;
    const codecs::GifContainer container_;
    const std::size_t bands_;
    const std::size_t width_;  // of the frame
    const std::size_t height_;
    codecs::LzwReader lzw_;
    std::unique_ptr<std::uint8_t[]> room_;
    std::span<std::uint8_t> indices_;  // of a row, or of all where they are interlaced
    bool whole_ = false;
    std::array<Pixel, 256> shown_{};
    int next_ = 0;
};

}  // namespace

VImage load_gif(int fd) {
    auto mapped = codecs::MappedFile::open(fd);
    if (!mapped) throw vips::VError("gif: " + mapped.error().detail);
    const auto container = codecs::read_gif_container(mapped->bytes());
    if (!container) throw vips::VError("gif: its header is damaged");
    const Palette palette = palette_of(*container);
    VImage model = model_of({container->width, container->height, bands_of(*container, palette), false}, {});
    model.set("n-pages", container->frames);
    return image_of_rows(model, container->width, container->height,
                         std::make_unique<GifRows>(std::move(*mapped), *container, palette), false);
}

}  // namespace tessera::imaging
