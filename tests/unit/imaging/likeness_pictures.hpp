// Pictures made of whole numbers alone, the same on every machine, and ways to spoil them: what another implementation
// of the metric was given too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tessera::test {

struct Raster {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> rgb;

    [[nodiscard]] int at(int x, int y, int band) const {
        const int column = x < 0 ? 0 : x >= width ? width - 1 : x;
        const int row = y < 0 ? 0 : y >= height ? height - 1 : y;
        return rgb[(static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                    static_cast<std::size_t>(column)) *
                       3 +
                   static_cast<std::size_t>(band)];
    }
};

template <typename Sample>
Raster raster(int width, int height, const Sample& sample) {
    Raster made{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int band = 0; band < 3; ++band) {
                const int value = sample(x, y, band);
                made.rgb.push_back(static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value));
            }
        }
    }
    return made;
}

// A number between 0 and 255 that looks random.
inline int hashed(int x, int y, int band) {
    auto h = static_cast<std::uint32_t>(x) * 374761393U + static_cast<std::uint32_t>(y) * 668265263U +
             static_cast<std::uint32_t>(band) * 2246822519U;
    h = (h ^ (h >> 13U)) * 1274126177U;
    return static_cast<int>((h ^ (h >> 16U)) & 255U);
}

// Slopes, discs with hard edges, stripes of several widths and a little grain.
inline Raster scene(int width, int height) {
    return raster(width, height, [&](int x, int y, int band) {
        int value = 40 + (x * 120) / width + (y * 60) / height + band * 12;
        for (int disc = 0; disc < 6; ++disc) {
            const int dx = x - (disc * 67 + 40) % width;
            const int dy = y - (disc * 101 + 30) % height;
            const int radius = 10 + disc * 7;
            if (dx * dx + dy * dy < radius * radius) value = (disc * 53 + band * 71 + dx) % 256;
        }
        if (y > height * 3 / 4) value += (x / (1 + x * 6 / width)) % 2 == 0 ? 40 : -20;
        return value + (hashed(x, y, band) - 128) / 32;
    });
}

inline Raster with_noise(const Raster& of, int strength) {
    return raster(of.width, of.height, [&](int x, int y, int band) {
        return of.at(x, y, band) + (hashed(x + 999, y + 77, band) - 128) * strength / 128;
    });
}

inline Raster with_fewer_levels(const Raster& of, int step) {
    return raster(of.width, of.height,
                  [&](int x, int y, int band) { return of.at(x, y, band) / step * step + step / 2; });
}

inline Raster blurred(const Raster& of) {
    return raster(of.width, of.height, [&](int x, int y, int band) {
        int sum = 0;
        for (int dy = -1; dy <= 1; ++dy) {
            for (int dx = -1; dx <= 1; ++dx) sum += of.at(x + dx, y + dy, band);
        }
        return (sum + 4) / 9;
    });
}

// Each eight by eight pixels drawn towards their mean, as a coarse JPEG does.
inline Raster in_blocks(const Raster& of) {
    return raster(of.width, of.height, [&](int x, int y, int band) {
        int sum = 0;
        for (int dy = 0; dy < 8; ++dy) {
            for (int dx = 0; dx < 8; ++dx) sum += of.at(x / 8 * 8 + dx, y / 8 * 8 + dy, band);
        }
        return (of.at(x, y, band) * 3 + sum / 64) / 4;
    });
}

// Red and blue from the pixel beside.
inline Raster with_colours_off(const Raster& of) {
    return raster(of.width, of.height, [&](int x, int y, int band) {
        return of.at(x + (band == 0 ? 1 : band == 2 ? -1 : 0), y, band);
    });
}

}  // namespace tessera::test
