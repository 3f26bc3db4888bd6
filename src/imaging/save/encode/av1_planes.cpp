#include "imaging/save/encode/av1_planes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>
#include <vips/vips8>

namespace tessera::imaging {
namespace {

// A plane's value of red, green and blue of 8 bits each. Weights are in 65536ths.
class Mix {
  public:
    Mix(double for_red, double for_green, double for_blue, bool is_signed, int bits)
        : most_((1 << bits) - 1),
          red_(weight(for_red)),
          green_(weight(for_green)),
          blue_(weight(for_blue)),
          zero_(is_signed ? 1 << (bits - 1) : 0) {}

    // Of the sums of 1 << shift pixels.
    [[nodiscard]] int of(int red, int green, int blue, int shift) const {
        const int places = 16 + shift;
        const int value = (red_ * red + green_ * green + blue_ * blue + (1 << (places - 1))) >> places;
        return std::clamp(value + zero_, 0, most_);
    }

  private:
    [[nodiscard]] int weight(double share) const { return static_cast<int>(std::lround(share * most_ / 255 * 65536)); }

    int most_;
    int red_;
    int green_;
    int blue_;
    int zero_;
};

// What red, green and blue add to lightness. BT.709 leaves less of red and blue in it than BT.601, and has coarser
// steps for colour beside those for lightness. That takes fewer bytes where colour has all of its resolution. Where
// colour is halved, details in red or blue are lost but for what lightness has of them.
struct Shares {
    double red;
    double green;
    double blue;
};
constexpr Shares bt601{0.299, 0.587, 0.114};
constexpr Shares bt709{0.2126, 0.7152, 0.0722};

Mix lightness(const Shares& of, int bits) {
    return {of.red, of.green, of.blue, false, bits};
}
Mix blueness(const Shares& of, int bits) {
    const double most = 2 * (1 - of.blue);
    return {-of.red / most, -of.green / most, 0.5, true, bits};
}
Mix redness(const Shares& of, int bits) {
    const double most = 2 * (1 - of.red);
    return {0.5, -of.green / most, -of.blue / most, true, bits};
}

const std::uint8_t* row_of(const PixelRows& rows, int y) {
    return rows.first + static_cast<std::size_t>(y) * rows.stride;
}

// Fills the planes of one picture, whose samples take a byte or, of more than 8 bits, two.
template <typename Sample>
class Writer {
  public:
    Writer(const PixelRows& rows, const aom_image_t& planes, int bits) : rows_(rows), planes_(planes), bits_(bits) {}

    void write_colour(Av1Colour colour) const {
        if (colour == Av1Colour::exact) {
            constexpr std::array order{1, 2, 0};  // what AV1 calls lightness is green where there is no mix
            for (int plane = 0; plane < 3; ++plane) write_band(plane, order[static_cast<std::size_t>(plane)]);
            return;
        }
        if (colour == Av1Colour::full) {
            write_mix(AOM_PLANE_Y, lightness(bt709, bits_));
            write_mix(AOM_PLANE_U, blueness(bt709, bits_));
            write_mix(AOM_PLANE_V, redness(bt709, bits_));
        } else {
            write_mix(AOM_PLANE_Y, lightness(bt601, bits_));
            write_halved_mix(AOM_PLANE_U, blueness(bt601, bits_));
            write_halved_mix(AOM_PLANE_V, redness(bt601, bits_));
        }
    }

    void write_band(int plane, int band) const {
        const int most = (1 << bits_) - 1;
        const auto step = static_cast<std::size_t>(rows_.channels);
        for (int y = 0; y < rows_.height; ++y) {
            const std::uint8_t* in = row_of(rows_, y) + band;
            Sample* out = row(plane, y);
            for (int x = 0; x < rows_.width; ++x, in += step) out[x] = static_cast<Sample>((*in * most + 127) / 255);
        }
    }

    // libaom wants planes of colour for grey too.
    void write_no_colour() const {
        for (const int plane : {AOM_PLANE_U, AOM_PLANE_V}) {
            for (int y = 0; y < (rows_.height + 1) / 2; ++y) {
                std::fill_n(row(plane, y), (rows_.width + 1) / 2, static_cast<Sample>(1 << (bits_ - 1)));
            }
        }
    }

  private:
    [[nodiscard]] Sample* row(int plane, int y) const {
        const auto stride = static_cast<std::size_t>(planes_.stride[plane]);
        return reinterpret_cast<Sample*>(planes_.planes[plane] + static_cast<std::size_t>(y) * stride);
    }

    void write_mix(int plane, const Mix& mix) const {
        const auto step = static_cast<std::size_t>(rows_.channels);
        for (int y = 0; y < rows_.height; ++y) {
            const std::uint8_t* in = row_of(rows_, y);
            Sample* out = row(plane, y);
            for (int x = 0; x < rows_.width; ++x, in += step) {
                out[x] = static_cast<Sample>(mix.of(in[0], in[1], in[2], 0));
            }
        }
    }

    // Of two by two pixels each; one that has no neighbour counts twice.
    void write_halved_mix(int plane, const Mix& mix) const {
        const auto step = static_cast<std::size_t>(rows_.channels);
        const auto last = static_cast<std::size_t>(rows_.width - 1) * step;
        for (int y = 0; y < (rows_.height + 1) / 2; ++y) {
            const std::uint8_t* above = row_of(rows_, 2 * y);
            const std::uint8_t* below = row_of(rows_, std::min(2 * y + 1, rows_.height - 1));
            Sample* out = row(plane, y);
            for (int x = 0; x < (rows_.width + 1) / 2; ++x) {
                const std::size_t left = 2 * static_cast<std::size_t>(x) * step;
                const std::size_t right = std::min(left + step, last);
                const auto sum = [&](std::size_t band) {
                    return above[left + band] + above[right + band] + below[left + band] + below[right + band];
                };
                out[x] = static_cast<Sample>(mix.of(sum(0), sum(1), sum(2), 2));
            }
        }
    }

    const PixelRows& rows_;
    const aom_image_t& planes_;
    int bits_;
};

Av1Planes empty_planes(const PixelRows& rows, bool halved, int bits) {
    auto format = static_cast<unsigned>(halved ? AOM_IMG_FMT_I420 : AOM_IMG_FMT_I444);
    if (bits > 8) format |= AOM_IMG_FMT_HIGHBITDEPTH;
    constexpr unsigned alignment = 32;
    Av1Planes planes(aom_img_alloc(nullptr, static_cast<aom_img_fmt_t>(format), static_cast<unsigned>(rows.width),
                                   static_cast<unsigned>(rows.height), alignment));
    if (!planes) throw vips::VError("avif: out of memory");
    planes->bit_depth = static_cast<unsigned>(bits);
    planes->range = AOM_CR_FULL_RANGE;
    return planes;
}

template <typename Write>
void with_writer(const PixelRows& rows, const aom_image_t& planes, int bits, Write&& write) {
    if (bits > 8) {
        write(Writer<std::uint16_t>(rows, planes, bits));
    } else {
        write(Writer<std::uint8_t>(rows, planes, bits));
    }
}

Av1Planes grey_planes_of(const PixelRows& rows, int band, int bits) {
    Av1Planes planes = empty_planes(rows, true, bits);
    planes->monochrome = 1;
    with_writer(rows, *planes, bits, [&](const auto& writer) {
        writer.write_band(AOM_PLANE_Y, band);
        writer.write_no_colour();
    });
    return planes;
}

}  // namespace

bool is_grey(const PixelRows& rows) {
    return rows.channels <= 2;
}

bool has_opacity(const PixelRows& rows) {
    return rows.channels % 2 == 0;
}

Av1Planes planes_of(const PixelRows& rows, Av1Colour colour, int bits) {
    if (is_grey(rows)) return grey_planes_of(rows, 0, bits);
    Av1Planes planes = empty_planes(rows, colour == Av1Colour::halved, bits);
    with_writer(rows, *planes, bits, [&](const auto& writer) { writer.write_colour(colour); });
    return planes;
}

Av1Planes opacity_of(const PixelRows& rows, int bits) {
    return grey_planes_of(rows, rows.channels - 1, bits);
}

}  // namespace tessera::imaging
