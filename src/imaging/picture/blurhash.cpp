// BlurHash, by its published format: four by three cosines of linear light, in base 83.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <string_view>

#include "imaging/picture/impression.hpp"

namespace tessera::imaging {
namespace {

constexpr std::string_view digits =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~";
using Light = std::array<double, 3>;

double linear(double value) {
    return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

int as_srgb(double light) {
    const double value = std::clamp(light, 0.0, 1.0);
    const double srgb = value <= 0.0031308 ? value * 12.92 : 1.055 * std::pow(value, 1 / 2.4) - 0.055;
    return static_cast<int>(std::lround(srgb * 255));
}

void append(std::string& hash, int value, int length) {
    std::string text(static_cast<std::size_t>(length), '0');
    for (std::size_t i = text.size(); i-- > 0; value /= 83) text[i] = digits[static_cast<std::size_t>(value % 83)];
    hash += text;
}

std::vector<Light> lights_of(const SmallPicture& picture) {
    std::vector<Light> lights;
    lights.reserve(picture.cells.size());
    Light mean{};
    double opacity = 0;
    for (const SmallPicture::Cell& cell : picture.cells) {
        const auto alpha = static_cast<double>(cell[3]);
        Light light{};
        for (std::size_t i = 0; i < 3; ++i) {
            light[i] = linear(static_cast<double>(cell[i]));
            mean[i] += alpha * light[i];
        }
        opacity += alpha;
        lights.push_back(light);
    }
    for (double& part : mean) part /= std::max(opacity, 1e-9);
    for (std::size_t at = 0; at < lights.size(); ++at) {
        const auto alpha = static_cast<double>(picture.cells[at][3]);
        for (std::size_t i = 0; i < 3; ++i) lights[at][i] = mean[i] * (1 - alpha) + alpha * lights[at][i];
    }
    return lights;
}

std::vector<double> cosine(int waves, int edge) {
    std::vector<double> values;
    for (int i = 0; i < edge; ++i) values.push_back(std::cos(std::numbers::pi * waves * i / edge));
    return values;
}

Light wave_of(const SmallPicture& picture, const std::vector<Light>& lights, int cx, int cy) {
    const std::vector<double> across = cosine(cx, picture.width);
    Light sum{};
    std::size_t at = 0;
    for (const double down : cosine(cy, picture.height)) {
        for (const double part : across) {
            for (std::size_t i = 0; i < 3; ++i) sum[i] += down * part * lights[at][i];
            ++at;
        }
    }
    const double scale = (cx == 0 && cy == 0 ? 1.0 : 2.0) / static_cast<double>(lights.size());
    for (double& part : sum) part *= scale;
    return sum;
}

int quantised(double value, double most) {
    const double share = value / most;
    const double root = std::copysign(std::sqrt(std::abs(share)), share);
    return static_cast<int>(std::clamp(std::floor(root * 9 + 9.5), 0.0, 18.0));
}

}  // namespace

std::string blurhash_of(const SmallPicture& picture) {
    const bool stands = picture.height > picture.width;
    const int across = stands ? 3 : 4;
    const int down = stands ? 4 : 3;
    const std::vector<Light> lights = lights_of(picture);
    std::vector<Light> waves;
    double most = 0;
    for (int cy = 0; cy < down; ++cy) {
        for (int cx = 0; cx < across; ++cx) {
            waves.push_back(wave_of(picture, lights, cx, cy));
            if (waves.size() == 1) continue;
            for (const double part : waves.back()) most = std::max(most, std::abs(part));
        }
    }
    const int step = static_cast<int>(std::clamp(std::floor(most * 166 - 0.5), 0.0, 82.0));
    const double scale = (step + 1) / 166.0;
    std::string hash;
    append(hash, across - 1 + (down - 1) * 9, 1);
    append(hash, step, 1);
    const Light& mean = waves.front();
    append(hash, as_srgb(mean[0]) << 16 | as_srgb(mean[1]) << 8 | as_srgb(mean[2]), 4);
    for (std::size_t i = 1; i < waves.size(); ++i) {
        const Light& wave = waves[i];
        append(hash, quantised(wave[0], scale) * 19 * 19 + quantised(wave[1], scale) * 19 + quantised(wave[2], scale),
               2);
    }
    return hash;
}

}  // namespace tessera::imaging
