#include "imaging/pixels/resampler.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

namespace tessera::imaging {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes resampled(const Bytes& pixels, Size from, Size to, int bands, bool has_alpha) {
    Resampler resampler(from, to, {bands, has_alpha});
    const auto in_row = static_cast<std::size_t>(from.width * bands);
    const auto out_row = static_cast<std::size_t>(to.width * bands);
    Bytes out(out_row * static_cast<std::size_t>(to.height));
    for (std::size_t y = 0; y < static_cast<std::size_t>(to.height); ++y) {
        while (resampler.rows_added() < resampler.rows_needed()) {
            resampler.add(pixels.data() + static_cast<std::size_t>(resampler.rows_added()) * in_row);
        }
        resampler.take(out.data() + y * out_row);
    }
    EXPECT_LE(resampler.rows_added(), from.height);
    return out;
}

Bytes noise(Size size, int bands) {
    std::mt19937 random(3);
    Bytes pixels(static_cast<std::size_t>(size.width * size.height * bands));
    for (auto& value : pixels) value = static_cast<std::uint8_t>(random());
    return pixels;
}

// The definition, in double and without any order of things.
double weight(int source, int target, double factor) {
    const double x = (source - ((target + 0.5) * factor - 0.5)) / std::max(factor, 1.0);
    if (std::abs(x) >= 3) return 0;
    if (std::abs(x) < 1e-9) return 1;
    const double pi = std::numbers::pi;
    return std::sin(pi * x) / (pi * x) * std::sin(pi * x / 3) / (pi * x / 3);
}

double by_definition(const Bytes& pixels, Size from, Size to, int bands, int band, int x, int y) {
    const double across = static_cast<double>(from.width) / static_cast<double>(to.width);
    const double down = static_cast<double>(from.height) / static_cast<double>(to.height);
    const auto clamp = [](int at, std::int64_t edge) { return std::clamp(at, 0, static_cast<int>(edge) - 1); };
    double sum = 0;
    double all = 0;
    const auto first = [](int at, double factor) { return static_cast<int>(at * factor - 4 * std::max(factor, 1.0)); };
    const auto last = [](int at, double factor) { return static_cast<int>(at * factor + 5 * std::max(factor, 1.0)); };
    for (int sy = first(y, down); sy <= last(y, down); ++sy) {
        for (int sx = first(x, across); sx <= last(x, across); ++sx) {
            const double w = weight(sx, x, across) * weight(sy, y, down);
            const auto at = (clamp(sy, from.height) * from.width + clamp(sx, from.width)) * bands + band;
            sum += w * pixels[static_cast<std::size_t>(at)];
            all += w;
        }
    }
    return std::clamp(sum / all, 0.0, 255.0);
}

TEST(Resampler, IsLanczosByItsDefinition) {
    struct Case {
        Size from;
        Size to;
        int bands;
    };
    for (const auto& [from, to, bands] :
         {Case{{40, 30}, {17, 29}, 3}, Case{{9, 50}, {9, 7}, 1}, Case{{64, 5}, {3, 5}, 4}, Case{{33, 33}, {32, 32}, 2},
          Case{{7, 7}, {1, 1}, 3}, Case{{1, 1}, {1, 1}, 3}, Case{{20, 20}, {21, 61}, 3}, Case{{9, 30}, {40, 11}, 4},
          Case{{30, 9}, {11, 40}, 2}, Case{{1, 1}, {5, 4}, 1}, Case{{2, 3}, {50, 50}, 3}}) {
        const Bytes pixels = noise(from, bands);
        const Bytes made = resampled(pixels, from, to, bands, false);
        for (int y = 0; y < to.height; ++y) {
            for (int x = 0; x < to.width; ++x) {
                for (int band = 0; band < bands; ++band) {
                    const auto at = static_cast<std::size_t>((y * to.width + x) * bands + band);
                    ASSERT_NEAR(made[at], by_definition(pixels, from, to, bands, band, x, y), 0.51)
                        << from.width << " to " << to.width << " at " << x << ", " << y;
                }
            }
        }
    }
}

TEST(Resampler, KeepsAFlatColourExactly) {
    for (const int grey : {0, 1, 127, 254, 255}) {
        const auto value = static_cast<std::uint8_t>(grey);
        for (const Size to : {Size{41, 37}, Size{400, 260}}) {
            const Bytes made = resampled(Bytes(300 * 200 * 3, value), {300, 200}, to, 3, false);
            ASSERT_EQ(made, Bytes(made.size(), value));
        }
    }
}

// Samples of two bytes that hold 257 times those of one byte come out as 257 times theirs, but for the rounding.
TEST(Resampler, DoesTheSameWithSixteenBits) {
    const Size from{31, 23};
    Bytes pixels = noise(from, 4);
    for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] |= 0xC0;  // what is hardly there has no certain colour
    Bytes deep(pixels.size() * 2);
    for (std::size_t i = 0; i < pixels.size(); ++i) deep[2 * i] = deep[2 * i + 1] = pixels[i];
    for (const Size to : {Size{17, 9}, Size{50, 70}}) {
        Resampler resampler(from, to, {.bands = 4, .has_alpha = true, .deep = true});
        const Bytes plain = resampled(pixels, from, to, 4, true);
        std::vector<std::uint16_t> row(static_cast<std::size_t>(to.width) * 4);
        for (std::size_t y = 0; y < static_cast<std::size_t>(to.height); ++y) {
            while (resampler.rows_added() < resampler.rows_needed()) {
                resampler.add(deep.data() + static_cast<std::size_t>(resampler.rows_added()) * 31 * 4 * 2);
            }
            resampler.take(reinterpret_cast<std::uint8_t*>(row.data()));
            for (std::size_t x = 0; x < row.size(); ++x) {
                ASSERT_NEAR(row[x] / 257.0, plain[y * row.size() + x], 0.51) << x << ", " << y;
            }
        }
    }
}

TEST(Resampler, LetsTransparentColoursCountForNothing) {
    const Size from{60, 40};
    Bytes pixels;
    for (int i = 0; i < from.width * from.height; ++i) {
        const bool shown = i % 3 == 0;
        const Bytes pixel = shown ? Bytes{10, 200, 30, 255} : Bytes{255, 0, 255, 0};
        pixels.insert(pixels.end(), pixel.begin(), pixel.end());
    }
    const Bytes made = resampled(pixels, from, {20, 13}, 4, true);
    for (std::size_t i = 0; i < made.size(); i += 4) {
        ASSERT_NEAR(made[i], 10, 1);
        ASSERT_NEAR(made[i + 1], 200, 1);
        ASSERT_NEAR(made[i + 2], 30, 1);
        ASSERT_NEAR(made[i + 3], 85, 40);
    }
    const Bytes clear = resampled(Bytes(60 * 40 * 2, 0), from, {7, 7}, 2, true);
    EXPECT_EQ(clear, Bytes(7 * 7 * 2, 0));
}

}  // namespace
}  // namespace tessera::imaging
