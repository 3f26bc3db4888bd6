#include "imaging/png/encoder.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <vector>

namespace tessera::imaging {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct FreeCompressor {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
};
using Compressor = std::unique_ptr<libdeflate_compressor, FreeCompressor>;

constexpr int filter_count = 5;
enum class Strategy { none, sub, up, average, paeth, smallest_sum };

std::uint8_t paeth(int left, int up, int corner) {
    const int to_left = std::abs(up - corner);
    const int to_up = std::abs(left - corner);
    const int to_corner = std::abs(left + up - 2 * corner);
    if (to_left <= to_up && to_left <= to_corner) return static_cast<std::uint8_t>(left);
    return static_cast<std::uint8_t>(to_up <= to_corner ? up : corner);
}

// `row` and `above` are preceded by `step` zero bytes each, so that the first pixel needs no case of its own.
void filter_row(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t size, std::size_t step,
                std::uint8_t* out) {
    const std::uint8_t* left = row - step;
    const std::uint8_t* corner = above - step;
    switch (filter) {
        case 1:
            for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(row[i] - left[i]);
            break;
        case 2:
            for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(row[i] - above[i]);
            break;
        case 3:
            for (std::size_t i = 0; i < size; ++i) {
                out[i] = static_cast<std::uint8_t>(row[i] - ((left[i] + above[i]) >> 1));
            }
            break;
        case 4:
            for (std::size_t i = 0; i < size; ++i) {
                out[i] = static_cast<std::uint8_t>(row[i] - paeth(left[i], above[i], corner[i]));
            }
            break;
        default: std::copy_n(row, size, out);
    }
}

// What is left after a good prediction is small, up or down.
std::uint64_t sum_of(const std::uint8_t* bytes, std::size_t size) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const int value = static_cast<std::int8_t>(bytes[i]);
        sum += static_cast<std::uint64_t>(value < 0 ? -value : value);
    }
    return sum;
}

class Filtering {
  public:
    explicit Filtering(const PngPicture& pixels)
        : pixels_(pixels),
          size_(pixels.row_bytes()),
          step_(std::max<std::size_t>(
              1, static_cast<std::size_t>(pixels.channels) * static_cast<std::size_t>(pixels.bit_depth) / 8)),
          above_(step_ + size_),
          row_(step_ + size_),
          tries_(filter_count, Bytes(size_)) {}

    Bytes apply(Strategy strategy) {
        Bytes out((size_ + 1) * pixels_.height);
        std::ranges::fill(above_, std::uint8_t{0});
        for (std::size_t y = 0; y < pixels_.height; ++y) {
            std::copy_n(pixels_.rows.data() + y * size_, size_, row_.data() + step_);
            std::uint8_t* to = out.data() + y * (size_ + 1);
            if (strategy == Strategy::smallest_sum) {
                smallest(to);
            } else {
                *to = static_cast<std::uint8_t>(strategy);
                filter_row(*to, row_.data() + step_, above_.data() + step_, size_, step_, to + 1);
            }
            std::swap(row_, above_);
        }
        return out;
    }

  private:
    void smallest(std::uint8_t* to) {
        int best = 0;
        std::uint64_t best_sum = ~std::uint64_t{0};
        for (int filter = 0; filter < filter_count; ++filter) {
            Bytes& tried = tries_[static_cast<std::size_t>(filter)];
            filter_row(filter, row_.data() + step_, above_.data() + step_, size_, step_, tried.data());
            const std::uint64_t sum = sum_of(tried.data(), size_);
            if (sum < best_sum) {
                best = filter;
                best_sum = sum;
            }
        }
        *to = static_cast<std::uint8_t>(best);
        std::ranges::copy(tries_[static_cast<std::size_t>(best)], to + 1);
    }

    const PngPicture& pixels_;
    std::size_t size_;
    std::size_t step_;
    Bytes above_;
    Bytes row_;
    std::vector<Bytes> tries_;
};

std::string compressed(const Bytes& bytes, int level) {
    const Compressor compressor(libdeflate_alloc_compressor(level));
    if (!compressor) throw std::bad_alloc();
    std::string out(libdeflate_zlib_compress_bound(compressor.get(), bytes.size()), '\0');
    out.resize(libdeflate_zlib_compress(compressor.get(), bytes.data(), bytes.size(), out.data(), out.size()));
    return out;
}

// What compresses best quickly, does so thoroughly too, or nearly: a thorough run for each would cost six times as
// much.
Strategy most_promising(Filtering& filtering) {
    constexpr int quick_level = 4;
    Strategy best = Strategy::none;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Strategy strategy :
         {Strategy::none, Strategy::sub, Strategy::up, Strategy::average, Strategy::paeth, Strategy::smallest_sum}) {
        const std::size_t size = compressed(filtering.apply(strategy), quick_level).size();
        if (size < least) {
            least = size;
            best = strategy;
        }
    }
    return best;
}

std::string compressed_pixels(const PngPicture& pixels, const PngEncoding& encoding) {
    Filtering filtering(pixels);
    // Neighbouring palette indexes and packed samples are not close in value: prediction rarely helps there.
    const bool plain = !pixels.palette.empty() || pixels.bit_depth < 8;
    const Strategy usual = plain ? Strategy::none : Strategy::smallest_sum;
    const Strategy chosen = encoding.try_filters ? most_promising(filtering) : usual;
    return compressed(filtering.apply(chosen), encoding.level);
}

void append_big_endian(std::string& out, std::uint32_t value) {
    for (const unsigned shift : {24U, 16U, 8U, 0U}) out += static_cast<char>(value >> shift & 255);
}

std::string header_of(const PngPicture& pixels) {
    std::string header;
    append_big_endian(header, pixels.width);
    append_big_endian(header, pixels.height);
    header += static_cast<char>(pixels.bit_depth);
    header += static_cast<char>(pixels.colour_type());
    header.append(3, '\0');
    return header;
}

std::string palette_chunks(const PngPicture& pixels) {
    if (pixels.palette.empty()) return {};
    std::string colours;
    std::string alphas;
    for (std::size_t i = 0; i < pixels.palette.size(); i += 4) {
        colours.append(reinterpret_cast<const char*>(pixels.palette.data() + i), 3);
        if (pixels.palette[i + 3] != 255)
            alphas.append(reinterpret_cast<const char*>(pixels.palette.data() + i + 3), 1);
    }
    return png_chunk("PLTE", colours) + (alphas.empty() ? std::string() : png_chunk("tRNS", alphas));
}

}  // namespace

std::string png_chunk(std::string_view type, std::string_view data) {
    std::string chunk;
    chunk.reserve(data.size() + 12);
    append_big_endian(chunk, static_cast<std::uint32_t>(data.size()));
    chunk += type;
    chunk += data;
    append_big_endian(chunk, libdeflate_crc32(0, chunk.data() + 4, chunk.size() - 4));
    return chunk;
}

std::string png_profile_chunk(std::string_view profile) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(profile.data());
    return png_chunk("iCCP", std::string("icc\0\0", 5) + compressed(Bytes(bytes, bytes + profile.size()), 9));
}

std::string encode_png(const PngPicture& pixels, const PngEncoding& encoding) {
    constexpr std::size_t largest_chunk = std::size_t{1} << 30;
    const std::string data = compressed_pixels(pixels, encoding);
    std::string file = "\x89PNG\r\n\x1a\n";
    file += png_chunk("IHDR", header_of(pixels));
    file += palette_chunks(pixels);
    for (std::size_t at = 0; at < data.size(); at += largest_chunk) {
        file += png_chunk("IDAT", std::string_view(data).substr(at, largest_chunk));
    }
    file += png_chunk("IEND", {});
    return file;
}

}  // namespace tessera::imaging
