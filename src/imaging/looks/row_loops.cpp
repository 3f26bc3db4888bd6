#include "imaging/looks/row_loops.hpp"

#include <bit>
#include <cmath>
#include <cstdint>

#include "core/simd.hpp"

namespace tessera::imaging::looks {
namespace {

// Of a positive number. A third of the exponent is a first guess, and each step of Halley's method triples the number
// of bits that are right.
TESSERA_INLINE float cube_root(float x) {
    constexpr float magic = 709921077.0F;
    const auto bits = std::bit_cast<std::int32_t>(x);
    float root = std::bit_cast<float>(static_cast<std::int32_t>(static_cast<float>(bits) * (1.0F / 3) + magic));
    for (int step = 0; step < 2; ++step) {
        const float cube = root * root * root;
        root = root * (cube + x + x) / (cube + cube + x);
    }
    return root;
}

TESSERA_INLINE float positive(float x) {
    return x > 0 ? x : 0;
}

constexpr std::size_t lanes = 16;

}  // namespace

TESSERA_VECTORISED void to_xyb(const ThreeConstRows& linear, const ThreeRows& xyb, std::size_t width) {
    const float* const red = linear[0];
    const float* const green = linear[1];
    const float* const blue = linear[2];
    float* __restrict const out_x = xyb[0];
    float* __restrict const out_y = xyb[1];
    float* __restrict const out_b = xyb[2];
    const float root_of_bias = std::cbrt(cone_bias);
    for (std::size_t i = 0; i < width; ++i) {
        const float r = red[i];
        const float g = green[i];
        const float b = blue[i];
        const float l = cube_root(cones[0][0] * r + cones[0][1] * g + cones[0][2] * b + cone_bias) - root_of_bias;
        const float m = cube_root(cones[1][0] * r + cones[1][1] * g + cones[1][2] * b + cone_bias) - root_of_bias;
        const float s = cube_root(cones[2][0] * r + cones[2][1] * g + cones[2][2] * b + cone_bias) - root_of_bias;
        const float y = 0.5F * (l + m);
        out_x[i] = 0.5F * (l - m) * stretch_of_x + offset_of_x;
        out_y[i] = y + offset_of_y;
        out_b[i] = s - y + offset_of_b;
    }
}

TESSERA_VECTORISED void multiply(const float* a, const float* b, float* __restrict product, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) product[i] = a[i] * b[i];
}

TESSERA_FUSED void blur_across(const ThreeConstRows& rows, const ThreeRows& blurred, std::size_t width,
                               const BlurRecursion& by) {
    const BlurRecursion r = by;
    // Nine recursions side by side: each waits for itself, not for the others.
    std::array<std::array<float, 3>, 3> last{};
    std::array<std::array<float, 3>, 3> before{};
    const auto end = static_cast<std::ptrdiff_t>(width);
    for (std::ptrdiff_t n = 1 - blur_radius; n < end; ++n) {
        const std::ptrdiff_t left = n - blur_radius - 1;
        const std::ptrdiff_t right = n + blur_radius - 1;
        for (std::size_t plane = 0; plane < 3; ++plane) {
            const float sum = (left >= 0 ? rows[plane][left] : 0.0F) + (right < end ? rows[plane][right] : 0.0F);
            float all = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                const float pushed = std::fma(-1.0F, before[plane][k], r.gain[k] * sum);
                const float now = std::fma(r.turn[k], last[plane][k], pushed);
                before[plane][k] = last[plane][k];
                last[plane][k] = now;
                all += now;
            }
            if (n >= 0) blurred[plane][n] = all;
        }
    }
}

TESSERA_FUSED void blur_down(const float* __restrict leaves, const float* __restrict comes, float* __restrict last,
                             float* __restrict before, float* __restrict blurred, std::size_t width, float gain,
                             float turn) {
    for (std::size_t i = 0; i < width; ++i) {
        const float now = std::fma(leaves[i] + comes[i], gain, -std::fma(last[i], -turn, before[i]));
        before[i] = last[i];
        last[i] = now;
        blurred[i] += now;
    }
}

TESSERA_VECTORISED void halve(const float* above, const float* below, float* __restrict half, std::size_t width) {
    for (std::size_t i = 0; i < width / 2; ++i) {
        half[i] = 0.25F * (above[2 * i] + above[2 * i + 1] + below[2 * i] + below[2 * i + 1]);
    }
    if (width % 2 != 0) half[width / 2] = 0.5F * (above[width - 1] + below[width - 1]);
}

TESSERA_VECTORISED void errors_of(const RowPair& rows, const ErrorRows& errors, std::size_t width) {
    const RowPair in = rows;
    float* __restrict const structure = errors.structure;
    float* __restrict const came = errors.came;
    float* __restrict const went = errors.went;
    for (std::size_t i = 0; i < width; ++i) {
        const float a = in.mean_a[i];
        const float b = in.mean_b[i];
        const float apart = a - b;
        const float both = 2 * (in.product[i] - a * b) + structure_constant;
        const float each = (in.square_a[i] - a * a) + (in.square_b[i] - b * b) + structure_constant;
        structure[i] = positive(1 - (1 - apart * apart) * both / each);
        const float edge_a = std::abs(in.a[i] - a);
        const float edge_b = std::abs(in.b[i] - b);
        const float change = (1 + edge_b) / (1 + edge_a) - 1;
        came[i] = positive(change);
        went[i] = positive(-change);
    }
}

TESSERA_VECTORISED void add_to_columns(const float* row, float* __restrict columns, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) columns[i] += row[i];
}

TESSERA_VECTORISED void add_fourths_to_columns(const float* row, float* __restrict columns, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) {
        const float square = row[i] * row[i];
        columns[i] += square * square;
    }
}

TESSERA_VECTORISED void add_norms(const float* row, std::size_t width, Norms& norms) {
    std::array<float, lanes> sums{};
    std::array<float, lanes> fourths{};
    std::size_t i = 0;
    for (; i + lanes <= width; i += lanes) {
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const float value = row[i + lane];
            const float square = value * value;
            sums[lane] += value;
            fourths[lane] += square * square;
        }
    }
    for (std::size_t lane = 0; i < width; ++i, ++lane) {
        const float square = row[i] * row[i];
        sums[lane] += row[i];
        fourths[lane] += square * square;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        norms.sum += static_cast<double>(sums[lane]);
        norms.fourth_powers += static_cast<double>(fourths[lane]);
    }
}

}  // namespace tessera::imaging::looks
