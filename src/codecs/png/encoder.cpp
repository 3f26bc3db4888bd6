#include "codecs/png/encoder.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <limits>
#include <new>

#include "codecs/png/chunks.hpp"
#include "codecs/png/photo_deflate.hpp"
#include "core/owned.hpp"

namespace tessera::codecs {
namespace {

// How far filters look back: one byte at least.
std::size_t pixel_bytes(const PngPixels& pixels) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(channels_of(pixels.colour) * pixels.bit_depth) / 8);
}

// Neighbouring palette indexes and packed samples are not close in value: prediction rarely helps there.
bool has_numbers(const PngPixels& pixels) {
    return pixels.colour == PngColourType::palette || pixels.bit_depth < 8;
}

}  // namespace

void PngEncoder::Free::operator()(libdeflate_compressor* compressor) const {
    libdeflate_free_compressor(compressor);
}

PngEncoder::PngEncoder() = default;
PngEncoder::~PngEncoder() = default;

void PngEncoder::filter(const PngPixels& pixels, Rows rows, Strategy strategy) {
    const std::size_t size = pixels.row_bytes();
    filtered_.resize((size + 1) * pixels.height);
    PngRowFilter filter(size, pixel_bytes(pixels));
    const std::uint8_t* above = nullptr;
    for (std::size_t y = 0; y < pixels.height; ++y) {
        const std::uint8_t* row = rows.first + y * rows.stride;
        std::uint8_t* out = filtered_.data() + y * (size + 1);
        if (strategy == Strategy::smallest_sum) {
            filter.filter(row, above, out);
        } else {
            filter.filter_by(static_cast<std::uint8_t>(strategy), row, above, out);
        }
        above = row;
    }
}

// What compresses best quickly, does so thoroughly too, or nearly: a thorough run for each would cost six times as
// much.
PngEncoder::Strategy PngEncoder::most_promising(const PngPixels& pixels, Rows rows) {
    constexpr int quick_level = 4;
    Strategy best = Strategy::none;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (const Strategy strategy :
         {Strategy::none, Strategy::sub, Strategy::up, Strategy::average, Strategy::paeth, Strategy::smallest_sum}) {
        filter(pixels, rows, strategy);
        file_.clear();
        append_deflated(quick_level);
        if (file_.size() < least) {
            least = file_.size();
            best = strategy;
        }
    }
    return best;
}

void PngEncoder::append_deflated(int level) {
    if (!compressor_ || level != level_) compressor_.reset(libdeflate_alloc_compressor(level));
    if (!compressor_) throw std::bad_alloc();
    level_ = level;
    const std::size_t start = file_.size();
    file_.resize(start + libdeflate_zlib_compress_bound(compressor_.get(), filtered_.size()));
    const std::size_t size = libdeflate_zlib_compress(compressor_.get(), filtered_.data(), filtered_.size(),
                                                      file_.data() + start, file_.size() - start);
    file_.resize(start + size);
}

void PngEncoder::deflate(const PngPixels& pixels, const PngEncoding& encoding) {
    // Photographs gain next to nothing from a search for what repeats; flat pictures gain much.
    if (encoding.quick_photos && !has_numbers(pixels) && suits_photo_deflate(filtered_)) {
        photo_deflate(filtered_, file_);
    } else {
        append_deflated(encoding.level);
    }
}

template <typename Body>
void PngEncoder::chunk(std::string_view type, Body body) {
    const std::size_t start = file_.size();
    put_big_endian(file_, 0);
    file_.insert(file_.end(), type.begin(), type.end());
    body();
    const std::size_t length = file_.size() - start - 8;
    for (std::size_t i = 0; i < 4; ++i) file_[start + i] = static_cast<std::uint8_t>(length >> (24 - 8 * i));
    put_big_endian(file_, libdeflate_crc32(0, file_.data() + start + 4, length + 4));
}

void PngEncoder::write_palette(const PngPixels& pixels) {
    const auto byte = [](std::uint32_t colour, int index) { return static_cast<std::uint8_t>(colour >> (8 * index)); };
    chunk("PLTE", [&] {
        for (const std::uint32_t colour : pixels.palette) {
            file_.insert(file_.end(), {byte(colour, 0), byte(colour, 1), byte(colour, 2)});
        }
    });
    const auto opaque = std::ranges::find(pixels.palette, 0xFFU, [](std::uint32_t colour) { return colour >> 24; });
    if (opaque == pixels.palette.begin()) return;
    chunk("tRNS", [&] {
        for (auto it = pixels.palette.begin(); it != opaque; ++it) file_.push_back(byte(*it, 3));
    });
}

std::span<const std::uint8_t> PngEncoder::encode(const PngPixels& pixels, const PngEncoding& encoding,
                                                 const std::uint8_t* rows, std::size_t stride) {
    const Rows source = pixels.rows.empty() ? Rows{rows, stride} : Rows{pixels.rows.data(), pixels.row_bytes()};
    const Strategy usual = has_numbers(pixels) ? Strategy::none : Strategy::smallest_sum;
    filter(pixels, source, encoding.try_filters ? most_promising(pixels, source) : usual);

    constexpr std::array<std::uint8_t, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    file_.assign(signature.begin(), signature.end());
    chunk("IHDR", [&] {
        put_big_endian(file_, pixels.width);
        put_big_endian(file_, pixels.height);
        const auto colour = static_cast<std::uint8_t>(pixels.colour);
        file_.insert(file_.end(), {static_cast<std::uint8_t>(pixels.bit_depth), colour, 0, 0, 0});
    });
    if (pixels.colour == PngColourType::palette) write_palette(pixels);
    chunk("IDAT", [&] { deflate(pixels, encoding); });
    chunk("IEND", [] {});
    return file_;
}

std::string png_chunk(std::string_view type, std::string_view data) {
    std::string chunk;
    chunk.reserve(data.size() + 12);
    const auto append_big_endian = [&](std::uint32_t value) {
        for (const unsigned shift : {24U, 16U, 8U, 0U}) chunk += static_cast<char>(value >> shift & 255);
    };
    append_big_endian(static_cast<std::uint32_t>(data.size()));
    chunk += type;
    chunk += data;
    append_big_endian(libdeflate_crc32(0, chunk.data() + 4, chunk.size() - 4));
    return chunk;
}

std::string png_profile_chunk(std::string_view profile) {
    constexpr int level = 9;
    const Owned<libdeflate_compressor, libdeflate_free_compressor> compressor(libdeflate_alloc_compressor(level));
    if (!compressor) throw std::bad_alloc();
    std::string deflated(libdeflate_zlib_compress_bound(compressor.get(), profile.size()), '\0');
    deflated.resize(
        libdeflate_zlib_compress(compressor.get(), profile.data(), profile.size(), deflated.data(), deflated.size()));
    return png_chunk("iCCP", std::string("icc\0\0", 5) + deflated);
}

}  // namespace tessera::codecs
