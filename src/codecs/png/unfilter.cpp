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

TESSERA_INLINE Bytes load(const std::uint8_t* from) {
    Bytes bytes;
    std::memcpy(&bytes, from, sizeof bytes);
    return bytes;
}

TESSERA_INLINE void store(std::uint8_t* to, Bytes bytes) {
    std::memcpy(to, &bytes, sizeof bytes);
}

TESSERA_INLINE Words widened(Bytes bytes) {
    return __builtin_convertvector(bytes, Words);
}

TESSERA_INLINE Bytes narrowed(Words words) {
    return __builtin_convertvector(words, Bytes);
}

// What is to be the left neighbour stays in words: each pixel waits for the one before it.
constexpr std::int16_t low_byte = 0xff;

TESSERA_INLINE Words magnitude(Words words) {
    return words < 0 ? -words : words;
}

// Each takes the next pixel of a row, and what is above it.
struct Sub {
    Bytes left{};
    TESSERA_INLINE Bytes next(Bytes in, Bytes /*above*/) { return left += in; }
};

struct Average {
    Words left{};
    TESSERA_INLINE Bytes next(Bytes in, Bytes above) {
        left = (widened(in) + ((left + widened(above)) >> 1)) & low_byte;
        return narrowed(left);
    }
};

struct Paeth {
    Words left{};
    Words corner{};
    TESSERA_INLINE Bytes next(Bytes in, Bytes above) {
        const Words over = widened(above);
        const Words down = over - corner;
        const Words across = left - corner;
        const Words from_left = magnitude(down);
        const Words from_over = magnitude(across);
        const Words from_corner = magnitude(down + across);
        const Words second = from_over <= from_corner ? over : corner;
        const Words least = from_over <= from_corner ? from_over : from_corner;
        const Words guess = from_left <= least ? left : second;
        left = (widened(in) + guess) & low_byte;
        corner = over;
        return narrowed(left);
    }
};

template <typename Filter>
struct Row {
    const std::uint8_t* in;
    const std::uint8_t* above;
    std::uint8_t* out;
    Filter filter{};
    TESSERA_INLINE void step(std::size_t at) { store(out + at, filter.next(load(in + at), load(above + at))); }
};

template <int pixel, typename Filter>
TESSERA_INLINE void undo(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    Row<Filter> row{in, above, out};
    for (std::size_t at = 0; at < size; at += pixel) row.step(at);
}

// Two rows at once, the second one some pixels behind: a processor works on one while it waits for the other. So far
// behind that what was stored can be loaded without waiting for it.
constexpr std::size_t pixels_behind = 16;

template <int pixel, typename First, typename Second>
TESSERA_INLINE void undo_two(const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out, std::size_t size) {
    constexpr std::size_t behind = pixel * pixels_behind;
    Row<First> first{in, above, out};
    Row<Second> second{in + size + 1, out, out + size};
    for (std::size_t at = 0; at < behind; at += pixel) first.step(at);
    for (std::size_t at = behind; at < 2 * behind; at += pixel) {
        first.step(at);
        second.step(at - behind);
    }
    // What the first row's last pixels store after themselves is where the second row begins.
    const Bytes begin = load(second.out);
    for (std::size_t at = 2 * behind; at < size; at += pixel) {
        first.step(at);
        second.step(at - behind);
    }
    for (std::size_t at = size - behind; at < size; at += pixel) second.step(at);
    store(second.out, begin);
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
TESSERA_INLINE void undo_wide(int filter, const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out,
                              std::size_t size) {
    if (filter == sub) undo<pixel, Sub>(in, above, out, size);
    if (filter == average) undo<pixel, Average>(in, above, out, size);
    if (filter == paeth) undo<pixel, Paeth>(in, above, out, size);
}

template <int pixel, typename First>
TESSERA_INLINE bool undo_two(int second, const std::uint8_t* in, const std::uint8_t* above, std::uint8_t* out,
                             std::size_t size) {
    switch (second) {
        case sub: undo_two<pixel, First, Sub>(in, above, out, size); return true;
        case average: undo_two<pixel, First, Average>(in, above, out, size); return true;
        case paeth: undo_two<pixel, First, Paeth>(in, above, out, size); return true;
        default: return false;
    }
}

template <int pixel>
TESSERA_INLINE bool undo_two(const std::uint8_t* filtered, const std::uint8_t* above, std::uint8_t* out,
                             std::size_t size) {
    if (size < pixels_behind * 4 * pixel || size % pixel != 0) return false;
    const std::uint8_t* const in = filtered + 1;
    const int second = in[size];
    switch (filtered[0]) {
        case sub: return undo_two<pixel, Sub>(second, in, above, out, size);
        case average: return undo_two<pixel, Average>(second, in, above, out, size);
        case paeth: return undo_two<pixel, Paeth>(second, in, above, out, size);
        default: return false;
    }
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

TESSERA_VECTORISED
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

TESSERA_VECTORISED
bool unfilter_two(const std::uint8_t* filtered, const std::uint8_t* above, std::uint8_t* out, std::size_t row_bytes,
                  int pixel_bytes) {
    switch (pixel_bytes) {
        case 3: return undo_two<3>(filtered, above, out, row_bytes);
        case 4: return undo_two<4>(filtered, above, out, row_bytes);
        default: return false;
    }
}

}  // namespace tessera::codecs
