#include "support/pngs.hpp"

#include <png.h>

#include <algorithm>
#include <map>
#include <stdexcept>

#include "support/images.hpp"

namespace tessera::test {
namespace {

// The samples of one pixel as the file has them.
std::vector<unsigned> samples_of(const PngKind& kind, const DeepPixel& pixel) {
    std::vector<unsigned> samples;
    const std::size_t colours = kind.is_grey() ? 1 : 3;
    const auto shift = static_cast<unsigned>(16 - kind.bit_depth);
    for (std::size_t i = 0; i < colours; ++i) samples.push_back(unsigned{pixel[i]} >> shift);
    if (kind.has_alpha()) samples.push_back(unsigned{pixel[3]} >> shift);
    return samples;
}

class Packer {
  public:
    explicit Packer(int depth) : depth_(depth) {}
    void add(unsigned sample) {
        if (depth_ == 16) row_ += static_cast<char>(sample >> 8);
        if (depth_ >= 8) {
            row_ += static_cast<char>(sample & 255);
            return;
        }
        bits_ = bits_ << depth_ | sample;
        count_ += depth_;
        if (count_ == 8) flush();
    }
    std::string take() {
        if (count_ > 0) {
            bits_ <<= 8 - count_;
            flush();
        }
        return std::move(row_);
    }

  private:
    void flush() {
        row_ += static_cast<char>(bits_);
        bits_ = 0;
        count_ = 0;
    }
    int depth_;
    std::string row_;
    unsigned bits_ = 0;
    int count_ = 0;
};

struct Pass {
    int left, top, across, down;
};
std::vector<Pass> passes_of(const PngKind& kind) {
    if (!kind.interlaced) return {{0, 0, 1, 1}};
    return {{0, 0, 8, 8}, {4, 0, 8, 8}, {0, 4, 4, 8}, {2, 0, 4, 4}, {0, 2, 2, 4}, {1, 0, 2, 2}, {0, 1, 1, 2}};
}

std::string big_endian16(unsigned value) {
    return {static_cast<char>(value >> 8), static_cast<char>(value & 255)};
}

}  // namespace

std::vector<PngKind> all_png_kinds() {
    std::vector<PngKind> kinds;
    for (const bool interlaced : {false, true}) {
        for (const bool transparent : {false, true}) {
            for (const int depth : {1, 2, 4, 8, 16}) {
                kinds.push_back({0, depth, transparent, interlaced, {}});
                if (depth >= 8) kinds.push_back({2, depth, transparent, interlaced, {}});
                if (depth >= 2 && depth <= 8) kinds.push_back({3, depth, transparent, interlaced, {}});
                if (depth < 8 || transparent) continue;
                kinds.push_back({4, depth, false, interlaced, {}});
                kinds.push_back({6, depth, false, interlaced, {}});
            }
        }
    }
    return kinds;
}

std::string name_of(const PngKind& kind) {
    return "colour type " + std::to_string(kind.colour_type) + ", " + std::to_string(kind.bit_depth) + " bits" +
           (kind.transparent ? ", tRNS" : "") + (kind.interlaced ? ", interlaced" : "");
}

std::string make_png(const PngKind& kind, int width, int height, const std::function<DeepPixel(int x, int y)>& pixel) {
    std::map<DeepPixel, unsigned> palette;
    std::string colours;
    std::string alphas;
    std::string rows;
    const auto index_of = [&](const DeepPixel& colour) {
        const auto [place, fresh] = palette.try_emplace(colour, static_cast<unsigned>(palette.size()));
        if (fresh) {
            for (std::size_t i = 0; i < 3; ++i) colours += static_cast<char>(colour[i] >> 8);
            alphas += static_cast<char>(colour[3] >> 8);
        }
        return place->second;
    };
    for (const Pass& pass : passes_of(kind)) {
        for (int y = pass.top; y < height; y += pass.down) {
            Packer packer(kind.bit_depth);
            for (int x = pass.left; x < width; x += pass.across) {
                if (kind.colour_type == 3) {
                    packer.add(index_of(pixel(x, y)));
                } else {
                    for (const unsigned sample : samples_of(kind, pixel(x, y))) packer.add(sample);
                }
            }
            rows += '\0' + packer.take();
        }
    }
    std::string file = png_header(static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height), kind.bit_depth,
                                  kind.colour_type);
    if (kind.interlaced) {
        file = file.substr(0, 8) + png_chunk("IHDR", file.substr(16, 12) + '\1');
    }
    file += kind.chunks;
    if (kind.colour_type == 3) file += png_chunk("PLTE", colours);
    if (kind.transparent && kind.colour_type == 3) file += png_chunk("tRNS", alphas);
    if (kind.transparent && kind.colour_type != 3) {
        std::string colour;
        for (const unsigned sample : samples_of(kind, pixel(0, 0))) colour += big_endian16(sample);
        file += png_chunk("tRNS", colour);
    }
    return file + png_chunk("IDAT", zlib_compressed(rows)) + png_chunk("IEND", "");
}

int eight_bits_of(const PngKind& kind, std::uint16_t sample) {
    const int depth = kind.colour_type == 3 ? 8 : kind.bit_depth;
    const double most = (1 << depth) - 1;
    return static_cast<int>((sample >> (16 - depth)) * 255 / most + 0.5);
}

std::array<int, 4> PngPixels::at(int x, int y) const {
    const std::size_t from =
        4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
    return {samples[from], samples[from + 1], samples[from + 2], samples[from + 3]};
}

PngPixels read_by_libpng(const std::string& bytes) {
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    if (png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) == 0)
        throw std::runtime_error(image.message);
    image.format = PNG_FORMAT_RGBA;
    image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // and not linear
    PngPixels pixels{static_cast<int>(image.width), static_cast<int>(image.height), {}};
    pixels.samples.resize(PNG_IMAGE_SIZE(image));
    if (png_image_finish_read(&image, nullptr, pixels.samples.data(), 0, nullptr) == 0) {
        throw std::runtime_error(image.message);
    }
    if ((image.warning_or_error & 3) != 0) throw std::runtime_error(image.message);
    return pixels;
}

}  // namespace tessera::test
