#include "codecs/jpeg/reduced/transform.hpp"

#include <algorithm>

#include "core/simd.hpp"

namespace tessera::codecs {
namespace {

constexpr std::size_t lanes = 16;  // blocks at once
using Lane = float[lanes];

// √2 cos(n π / 16)
constexpr float cos1 = 1.3870398F;
constexpr float cos2 = 1.3065630F;
constexpr float cos3 = 1.1758756F;
constexpr float cos5 = 0.7856950F;
constexpr float cos6 = 0.5411961F;
constexpr float cos7 = 0.2758994F;

// The inverse transform of `count` values, a step apart from each other, in place.
template <std::size_t count, std::size_t step>
TESSERA_INLINE void transform(Lane* v) {
    static_assert(count == 1 || count == 2 || count == 4 || count == 8);
    for (std::size_t i = 0; i < lanes; ++i) {
        if constexpr (count == 2) {
            const float a = v[0][i], b = v[step][i];
            v[0][i] = a + b;
            v[step][i] = a - b;
        } else if constexpr (count == 4) {
            const float a = v[0][i] + v[2 * step][i], b = v[0][i] - v[2 * step][i];
            const float c = v[step][i] * cos2 + v[3 * step][i] * cos6;
            const float d = v[step][i] * cos6 - v[3 * step][i] * cos2;
            v[0][i] = a + c;
            v[step][i] = b + d;
            v[2 * step][i] = b - d;
            v[3 * step][i] = a - c;
        } else if constexpr (count == 8) {
            const float a = v[0][i] + v[4 * step][i], b = v[0][i] - v[4 * step][i];
            const float c = v[2 * step][i] * cos2 + v[6 * step][i] * cos6;
            const float d = v[2 * step][i] * cos6 - v[6 * step][i] * cos2;
            const float e = v[step][i], f = v[3 * step][i], g = v[5 * step][i], h = v[7 * step][i];
            const float odd0 = e * cos1 + f * cos3 + g * cos5 + h * cos7;
            const float odd1 = e * cos3 - f * cos7 - g * cos1 - h * cos5;
            const float odd2 = e * cos5 - f * cos1 + g * cos7 + h * cos3;
            const float odd3 = e * cos7 - f * cos5 + g * cos3 - h * cos1;
            v[0][i] = a + c + odd0;
            v[step][i] = b + d + odd1;
            v[2 * step][i] = b - d + odd2;
            v[3 * step][i] = a - c + odd3;
            v[4 * step][i] = a - c - odd3;
            v[5 * step][i] = b - d - odd2;
            v[6 * step][i] = b + d - odd1;
            v[7 * step][i] = a + c - odd0;
        }
    }
}

template <std::size_t across, std::size_t down>
TESSERA_INLINE void transform_blocks(const std::int16_t* in, std::size_t stride, std::size_t blocks,
                                     const float* scales, std::uint8_t* out, std::size_t out_stride) {
    for (std::size_t first = 0; first < blocks; first += lanes) {
        Lane values[across * down];
        for (std::size_t k = 0; k < across * down; ++k) {
            for (std::size_t i = 0; i < lanes; ++i) {
                values[k][i] = static_cast<float>(in[k * stride + first + i]) * scales[k];
            }
        }
        for (std::size_t x = 0; x < across; ++x) transform<down, across>(values + x);
        for (std::size_t y = 0; y < down; ++y) {
            transform<across, 1>(values + y * across);
            std::uint8_t levels[across][lanes];
            for (std::size_t x = 0; x < across; ++x) {
                for (std::size_t i = 0; i < lanes; ++i) {
                    const float level = std::min(std::max(values[y * across + x][i] + 128.5F, 0.0F), 255.0F);
                    levels[x][i] = static_cast<std::uint8_t>(static_cast<int>(level));
                }
            }
            std::uint8_t* row = out + y * out_stride + first * across;
            for (std::size_t i = 0; i < lanes; ++i) {
                for (std::size_t x = 0; x < across; ++x) row[i * across + x] = levels[x][i];
            }
        }
    }
}

TESSERA_VECTORISED void transform_any(BlockSize size, const std::int16_t* in, std::size_t stride, std::size_t blocks,
                                      const float* scales, std::uint8_t* out, std::size_t out_stride) {
#define TESSERA_SIZE(across, down) \
    case (across)*16 + (down): transform_blocks<across, down>(in, stride, blocks, scales, out, out_stride); break;
    switch (size.across * 16 + size.down) {
        TESSERA_SIZE(1, 1)
        TESSERA_SIZE(1, 2)
        TESSERA_SIZE(1, 4)
        TESSERA_SIZE(1, 8)
        TESSERA_SIZE(2, 1)
        TESSERA_SIZE(2, 2)
        TESSERA_SIZE(2, 4)
        TESSERA_SIZE(2, 8)
        TESSERA_SIZE(4, 1)
        TESSERA_SIZE(4, 2)
        TESSERA_SIZE(4, 4)
        TESSERA_SIZE(4, 8)
        TESSERA_SIZE(8, 1)
        TESSERA_SIZE(8, 2)
        TESSERA_SIZE(8, 4)
        TESSERA_SIZE(8, 8)
        default: break;
    }
#undef TESSERA_SIZE
}

}  // namespace

void transform_row(ReducedComponent& component, int block_row, std::uint8_t* out, std::size_t out_stride) {
    transform_any(component.size(), component.row(block_row), component.stride(),
                  static_cast<std::size_t>(component.blocks_across()), component.scales().data(), out, out_stride);
}

}  // namespace tessera::codecs
