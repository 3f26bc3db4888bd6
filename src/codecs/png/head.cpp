#include "codecs/png/head.hpp"

#include <cstring>

namespace tessera::codecs {
namespace {

constexpr std::uint32_t longest_edge = 10'000'000;  // of libvips' own
constexpr std::size_t longest_row = std::size_t{8} << 20;
constexpr int most_chunks = 20'000;  // before the pixels

bool is_known(PngColourType type, int bit_depth) {
    const bool few_bits = bit_depth == 1 || bit_depth == 2 || bit_depth == 4;
    switch (type) {
        case PngColourType::grey: return few_bits || bit_depth == 8 || bit_depth == 16;
        case PngColourType::palette: return few_bits || bit_depth == 8;
        case PngColourType::rgb:
        case PngColourType::grey_alpha:
        case PngColourType::rgba: return bit_depth == 8 || bit_depth == 16;
    }
    return false;
}

bool read_signature(BufferedFile& file) {
    std::array<std::uint8_t, 8> signature{};
    return file.read(signature) == signature.size() &&
           std::memcmp(signature.data(), "\x89PNG\r\n\x1a\n", signature.size()) == 0;
}

bool read_header(BufferedFile& file, PngHead& head) {
    const auto chunk = next_chunk(file);
    if (!chunk || chunk->type != ihdr || chunk->length != 13) return false;
    const auto data = chunk_data(file, *chunk);
    if (!data) return false;
    const std::uint8_t* at = data->data();
    head.width = big_endian(at);
    head.height = big_endian(at + 4);
    head.bit_depth = at[8];
    head.colour_type = static_cast<PngColourType>(at[9]);
    const bool only_known_methods = at[10] == 0 && at[11] == 0;
    const bool interlaced = at[12] != 0;
    const bool sized = head.width > 0 && head.width <= longest_edge && head.height > 0 && head.height <= longest_edge;
    return sized && is_known(head.colour_type, head.bit_depth) && only_known_methods && !interlaced;
}

bool read_palette(BufferedFile& file, const PngChunk& chunk, PngHead& head) {
    const auto data = chunk_data(file, chunk);
    if (!data || data->empty() || data->size() % 3 != 0) return false;
    if (head.colour_type != PngColourType::palette) return true;  // a mere suggestion
    if (data->size() > std::size_t{3} << head.bit_depth) return false;
    for (std::size_t i = 0; i < data->size() / 3; ++i) {
        head.colours[i] = {(*data)[3 * i], (*data)[3 * i + 1], (*data)[3 * i + 2], 255};
    }
    return true;
}

bool read_alphas(BufferedFile& file, const PngChunk& chunk, PngHead& head) {
    if (head.colour_type != PngColourType::palette) return false;
    const auto data = chunk_data(file, chunk);
    if (!data || data->empty() || data->size() > head.colours.size()) return false;
    for (std::size_t i = 0; i < data->size(); ++i) head.colours[i][3] = (*data)[i];
    head.has_alphas = true;
    return true;
}

bool read_chunks(BufferedFile& file, PngHead& head) {
    bool has_palette = false;
    for (int count = 0; count < most_chunks; ++count) {
        const auto chunk = next_chunk(file);
        if (!chunk) return false;
        if (chunk->type == idat) {
            head.first_pixels = *chunk;
            return has_palette || head.colour_type != PngColourType::palette;
        }
        if (chunk->type == plte) {
            if (has_palette || !read_palette(file, *chunk, head)) return false;
            has_palette = true;
        } else if (chunk->type == trns) {
            if (!has_palette || head.has_alphas || !read_alphas(file, *chunk, head)) return false;
        } else if (chunk->is_critical() || !skip_chunk(file, *chunk)) {
            return false;
        }
    }
    return false;
}

// Grey of a few bits spreads over the whole range.
void make_greys(PngHead& head) {
    const unsigned most = (1U << head.bit_depth) - 1;
    for (unsigned i = 0; i <= most; ++i) head.colours[i][0] = static_cast<std::uint8_t>(i * 255 / most);
}

}  // namespace

int PngHead::bands() const {
    if (colour_type == PngColourType::palette) return has_alphas ? 4 : 3;
    return channels();
}

std::optional<PngHead> read_plain_head(BufferedFile& file) {
    PngHead head;
    head.colours.fill({0, 0, 0, 255});  // what an index past the palette's end shows, as libpng has it
    if (!read_signature(file) || !read_header(file, head) || !read_chunks(file, head)) return std::nullopt;
    const std::size_t pixel_bytes = static_cast<std::size_t>(head.bands()) * (head.bit_depth == 16 ? 2 : 1);
    if (head.width * pixel_bytes > longest_row) return std::nullopt;
    if (head.colour_type == PngColourType::grey && head.bit_depth < 8) make_greys(head);
    return head;
}

}  // namespace tessera::codecs
