#include "codecs/jpeg/reduced/colour.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

constexpr int fraction_bits = 14;
constexpr int half = 1 << (fraction_bits - 1);

constexpr int fixed(double value) {
    return static_cast<int>(value * (1 << fraction_bits) + 0.5);
}

inline std::uint8_t level(int value) {
    return static_cast<std::uint8_t>(std::min(std::max(value >> fraction_bits, 0), 255));
}

}  // namespace

TESSERA_VECTORISED void rgb_from_ycbcr(const std::uint8_t* y, const std::uint8_t* cb, const std::uint8_t* cr,
                                       std::size_t width, std::uint8_t* out) {
    for (std::size_t x = 0; x < width; ++x) {
        const int light = (y[x] << fraction_bits) + half;
        const int blue = cb[x] - 128;
        const int red = cr[x] - 128;
        out[3 * x] = level(light + fixed(1.402) * red);
        out[3 * x + 1] = level(light - fixed(0.344136) * blue - fixed(0.714136) * red);
        out[3 * x + 2] = level(light + fixed(1.772) * blue);
    }
}

TESSERA_VECTORISED void interleave(const std::uint8_t* a, const std::uint8_t* b, const std::uint8_t* c,
                                   std::size_t width, std::uint8_t* out) {
    for (std::size_t x = 0; x < width; ++x) {
        out[3 * x] = a[x];
        out[3 * x + 1] = b[x];
        out[3 * x + 2] = c[x];
    }
}

}  // namespace tessera::codecs
