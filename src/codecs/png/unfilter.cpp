#include "codecs/png/unfilter.hpp"

#include <cstdlib>
#include <cstring>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

// A pixel at a time, all of its bytes at once, in the low lanes of a vector; what the other lanes hold is overwritten
// by the pixels that follow. The compiler makes SSE2 or NEON of it.
using Bytes [[gnu::vector_size(8)]] = std::uint8_t;
using Words [[gnu::vector_size(16)]] = std::int16_t;

Bytes load(const std::uint8_t* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

void store(std::uint8_t* to, Bytes bytes) {
    std::memcpy(to, &bytes, sizeof bytes);
}

Words widened(Bytes bytes) {
    return __builtin_convertvector(bytes, Words);
}

Bytes narrowed(Words words) {
    return __builtin_convertvector(words, Bytes);
}

// What is to be the left neighbour stays in words: each pixel waits for the one before it.
constexpr std::int16_t low_byte = 0xff;

Words magnitude(Words words) {
    return words < 0 ? -words : words;
}

template <int pixel>
void undo_sub(const std::uint8_t* in, std::uint8_t* out, std::size_t size) {
    Bytes left{};
    for (std::size_t at = 0; at < size; at += pixel) {
        left += load(in + at);
        store(out + at, left);
    }
}

template <int pixel>
void undo_average(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    Words left{};
    for (std::size_t at = 0; at < size; at += pixel) {
        left = (widened(load(in + at)) + ((left + widened(load(above + at))) >> 1)) & low_byte;
        store(out + at, narrowed(left));
    }
}

template <int pixel>
void undo_paeth(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    Words left{};
    Words corner{};
    for (std::size_t at = 0; at < size; at += pixel) {
        const Words over = widened(load(above + at));
        const Words down = over - corner;
        const Words across = left - corner;
        const Words from_left = magnitude(down);
        const Words from_over = magnitude(across);
        const Words from_corner = magnitude(down + across);
        const Words second = from_over <= from_corner ? over : corner;
        const Words least = from_over <= from_corner ? from_over : from_corner;
        const Words guess = from_left <= least ? left : second;
        left = (widened(load(in + at)) + guess) & low_byte;
        store(out + at, narrowed(left));
        corner = over;
    }
}

// One or two bytes a pixel: too few for vectors to pay.
int paeth_of(int left, int over, int corner) {
    const int from_left = std::abs(over - corner);
    const int from_over = std::abs(left - corner);
    const int from_corner = std::abs(left + over - 2 * corner);
    if (from_left <= from_over && from_left <= from_corner) return left;
    return from_over <= from_corner ? over : corner;
}

template <std::size_t pixel, typename Guess>
void undo_narrow(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size, Guess guess) {
    for (std::size_t i = 0; i < size && i < pixel; ++i) {
        out[i] = static_cast<std::uint8_t>(in[i] + guess(0, int{above[i]}, 0));
    }
    for (std::size_t i = pixel; i < size; ++i) {
        out[i] = static_cast<std::uint8_t>(in[i] + guess(int{out[i - pixel]}, int{above[i]}, int{above[i - pixel]}));
    }
}

TESSERA_VECTORISED
void undo_up(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* __restrict out, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) out[i] = static_cast<std::uint8_t>(in[i] + above[i]);
}

enum Filter { none, sub, up, average, paeth };

template <int pixel>
void undo_wide(int filter, const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    if (filter == sub) undo_sub<pixel>(in, out, size);
    if (filter == average) undo_average<pixel>(in, above, out, size);
    if (filter == paeth) undo_paeth<pixel>(in, above, out, size);
}

template <std::size_t pixel>
void undo_narrow(int filter, const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    if (filter == sub) undo_narrow<pixel>(in, above, out, size, [](int left, int, int) { return left; });
    if (filter == average) {
        undo_narrow<pixel>(in, above, out, size, [](int left, int over, int) { return (left + over) >> 1; });
    }
    if (filter == paeth) undo_narrow<pixel>(in, above, out, size, paeth_of);
}

}  // namespace

bool unfilter(int filter, const std::uint8_t* filtered, const std::uint8_t* above, std::uint8_t* out,
              std::size_t row_bytes, int pixel_bytes) {
    if (filter == none) {
        std::memcpy(out, filtered, row_bytes);
        return true;
    }
    if (filter == up) {
        undo_up(filtered, above, out, row_bytes);
        return true;
    }
    if (filter < none || filter > paeth) return false;
    switch (pixel_bytes) {
        case 1: undo_narrow<1>(filter, filtered, above, out, row_bytes); return true;
        case 2: undo_narrow<2>(filter, filtered, above, out, row_bytes); return true;
        case 3: undo_wide<3>(filter, filtered, above, out, row_bytes); return true;
        case 4: undo_wide<4>(filter, filtered, above, out, row_bytes); return true;
        case 6: undo_wide<6>(filter, filtered, above, out, row_bytes); return true;
        case 8: undo_wide<8>(filter, filtered, above, out, row_bytes); return true;
        default: return false;
    }
}

}  // namespace tessera::codecs
