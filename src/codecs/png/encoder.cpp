#include "codecs/png/encoder.hpp"

#include <libdeflate.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <new>

#include "codecs/png/bands.hpp"
#include "codecs/png/chunks.hpp"
#include "codecs/png/photo_deflate.hpp"
#include "codecs/png/thorough_deflate.hpp"
#include "core/owned.hpp"

namespace tessera::codecs {
namespace {

constexpr int quick_level = 5;  // of libdeflate, to compare filters

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

libdeflate_compressor* PngEncoder::compressor(int level) {
    if (!compressor_ || level != level_) compressor_.reset(libdeflate_alloc_compressor(level));
    if (!compressor_) throw std::bad_alloc();
    level_ = level;
    return compressor_.get();
}

void PngEncoder::filter(const PngPixels& pixels, Rows rows, Strategy strategy) {
    constexpr std::size_t rows_behind = 4;  // that a row's length is measured with
    const std::size_t size = pixels.row_bytes();
    filtered_.resize((size + 1) * pixels.height);
    PngRowFilter filter(size, pixel_bytes(pixels));
    const std::uint8_t* above = nullptr;
    for (std::size_t y = 0; y < pixels.height; ++y) {
        const std::uint8_t* row = rows.first + y * rows.stride;
        std::uint8_t* out = filtered_.data() + y * (size + 1);
        if (strategy == Strategy::shortest) {
            const std::uint8_t* begin = out - std::min(y, rows_behind) * (size + 1);
            filter.filter_by(shortest_filter(filter, row, above, {begin, out + size + 1}, out), row, above, out);
        } else if (strategy >= Strategy::smallest_sum) {
            const auto choice = static_cast<int>(strategy) - static_cast<int>(Strategy::smallest_sum);
            filter.filter(static_cast<PngRowChoice>(choice), row, above, out);
        } else {
            filter.filter_by(static_cast<std::uint8_t>(strategy), row, above, out);
        }
        above = row;
    }
}

// Leaves at `out` what the last one made of the row; `measured` ends with that.
std::uint8_t PngEncoder::shortest_filter(const PngRowFilter& filter, const std::uint8_t* row, const std::uint8_t* above,
                                         std::span<const std::uint8_t> measured, std::uint8_t* out) {
    constexpr std::uint8_t filters = 5;
    std::size_t least = std::numeric_limits<std::size_t>::max();
    std::uint8_t best = 0;
    for (std::uint8_t i = 0; i < filters; ++i) {
        filter.filter_by(i, row, above, out);
        const std::size_t its = deflated_size(measured, quick_level);
        if (its < least) {
            least = its;
            best = i;
        }
    }
    return best;
}

std::size_t PngEncoder::deflated_size(std::span<const std::uint8_t> bytes, int level) {
    libdeflate_compressor* chosen = compressor(level);
    tried_.resize(std::max(tried_.size(), libdeflate_zlib_compress_bound(chosen, bytes.size())));
    return libdeflate_zlib_compress(chosen, bytes.data(), bytes.size(), tried_.data(), tried_.size());
}

// What compresses best quickly, does so thoroughly too, or nearly: a thorough run for each would cost many times as
// much.
std::vector<PngEncoder::Strategy> PngEncoder::by_promise(const PngPixels& pixels, Rows rows, bool measures_rows) {
    std::vector<std::pair<std::size_t, Strategy>> sizes;
    const int count = static_cast<int>(Strategy::shortest) + (measures_rows ? 1 : 0);
    for (int i = 0; i < count; ++i) {
        filter(pixels, rows, static_cast<Strategy>(i));
        sizes.emplace_back(deflated_size(filtered_, quick_level), static_cast<Strategy>(i));
    }
    std::ranges::sort(sizes);
    std::vector<Strategy> strategies;
    std::ranges::transform(sizes, std::back_inserter(strategies), [](const auto& one) { return one.second; });
    return strategies;
}

void PngEncoder::try_filterings(const PngPixels& pixels, Rows rows, const PngEncoding& encoding) {
    const std::size_t start = file_.size();
    std::vector<std::uint8_t> smallest;
    const auto keep_if_smaller = [&] {
        const std::span<const std::uint8_t> made(file_.begin() + static_cast<std::ptrdiff_t>(start), file_.end());
        if (smallest.empty() || made.size() < smallest.size()) smallest.assign(made.begin(), made.end());
        file_.resize(start);
    };
    auto left = static_cast<std::size_t>(encoding.tried_filterings);
    for (const Strategy strategy : by_promise(pixels, rows, encoding.measures_rows)) {
        if (left-- == 0) break;
        filter(pixels, rows, strategy);
        append_deflated(encoding.level);
        keep_if_smaller();
        if (encoding.thorough_photos && promises_to_gain(encoding.level, smallest.size())) {
            thorough_deflate(filtered_, file_);
            keep_if_smaller();
        }
    }
    file_.insert(file_.end(), smallest.begin(), smallest.end());
}

// Whether thorough deflate makes less of some parts of the rows, or nearly, than libdeflate does, which made so many
// bytes of all of them.
bool PngEncoder::promises_to_gain(int level, std::size_t deflated) {
    constexpr std::size_t least_share = 12;  // of the rows: what is shorter is a drawing
    constexpr std::size_t parts = 3;
    constexpr std::size_t part_bytes = 72U << 10;
    if (deflated * least_share < filtered_.size()) return false;
    if (filtered_.size() < 2 * parts * part_bytes) return true;
    std::vector<std::uint8_t> sample;
    for (std::size_t i = 0; i < parts; ++i) {
        const std::size_t begin = (filtered_.size() - part_bytes) * (2 * i + 1) / (2 * parts);
        const auto from = filtered_.begin() + static_cast<std::ptrdiff_t>(begin);
        sample.insert(sample.end(), from, from + static_cast<std::ptrdiff_t>(part_bytes));
    }
    const std::size_t general = deflated_size(sample, level);
    tried_.clear();
    thorough_deflate(sample, tried_);
    return tried_.size() < general + general / 500;
}

void PngEncoder::append_deflated(int level) {
    libdeflate_compressor* chosen = compressor(level);
    const std::size_t start = file_.size();
    file_.resize(start + libdeflate_zlib_compress_bound(chosen, filtered_.size()));
    const std::size_t size = libdeflate_zlib_compress(chosen, filtered_.data(), filtered_.size(), file_.data() + start,
                                                      file_.size() - start);
    file_.resize(start + size);
}

void PngEncoder::append_photo(const PngPixels& pixels, Rows rows, bool in_bands) {
    const std::size_t line = pixels.row_bytes() + 1;
    const std::size_t band_rows = band_rows_for(line);
    const bool in_colour = pixels.colour == PngColourType::rgb || pixels.colour == PngColourType::rgba;
    if (!in_bands || !in_colour || band_rows >= pixels.height) {
        photo_deflate(filtered_, photo_blocks(filtered_.size()), file_);
        return;
    }
    const PngRowFilter filter(pixels.row_bytes(), pixel_bytes(pixels));
    for (std::size_t y = band_rows; y < pixels.height; y += band_rows) {
        filter.filter_alone(rows.first + y * rows.stride, filtered_.data() + y * line);
    }
    const auto blocks = blocks_of_bytes(filtered_.size(), band_rows * line);
    put_bands({band_rows, photo_deflate(filtered_, blocks, file_)}, bands_);
}

void PngEncoder::deflate(const PngPixels& pixels, Rows rows, const PngEncoding& encoding) {
    if (encoding.tried_filterings > 0) return try_filterings(pixels, rows, encoding);
    filter(pixels, rows, has_numbers(pixels) ? Strategy::none : Strategy::smallest_sum);
    // Photographs gain next to nothing from a search for what repeats; flat pictures gain much.
    if (encoding.quick_photos && !has_numbers(pixels) && suits_photo_deflate(filtered_)) {
        append_photo(pixels, rows, encoding.in_bands);
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
    constexpr std::array<std::uint8_t, 8> signature = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
    file_.assign(signature.begin(), signature.end());
    chunk("IHDR", [&] {
        put_big_endian(file_, pixels.width);
        put_big_endian(file_, pixels.height);
        const auto colour = static_cast<std::uint8_t>(pixels.colour);
        file_.insert(file_.end(), {static_cast<std::uint8_t>(pixels.bit_depth), colour, 0, 0, 0});
    });
    if (pixels.colour == PngColourType::palette) write_palette(pixels);
    bands_.clear();
    chunk("IDAT", [&] { deflate(pixels, source, encoding); });
    if (!bands_.empty()) chunk(bands_chunk, [&] { file_.insert(file_.end(), bands_.begin(), bands_.end()); });
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
