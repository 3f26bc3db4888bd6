// ThumbHash, by its published format: a few cosines of lightness, two of colour differences, and opacity.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "imaging/picture/impression.hpp"

namespace tessera::imaging {
namespace {

struct Channel {
    double mean = 0;
    double scale = 0;           // of the waves
    std::vector<double> waves;  // 0 to 1
};

std::uint32_t whole(double value) {
    return static_cast<std::uint32_t>(std::lround(value));
}

// Of so many waves, one after the other, what they are at each place along an edge.
std::vector<double> cosines(int waves, int edge) {
    std::vector<double> values;
    for (int wave = 0; wave < waves; ++wave) {
        for (int i = 0; i < edge; ++i) values.push_back(std::cos(std::numbers::pi / edge * wave * (i + 0.5)));
    }
    return values;
}

// The waves of a triangle: few across and few down, but not many of both.
Channel channel_of(const SmallPicture& picture, const std::vector<double>& values, int across, int down) {
    Channel channel;
    const auto width = static_cast<std::size_t>(picture.width);
    const auto height = static_cast<std::size_t>(picture.height);
    const double count = static_cast<double>(picture.width) * picture.height;
    const std::vector<double> rows = cosines(across, picture.width);
    const std::vector<double> columns = cosines(down, picture.height);
    for (int cy = 0; cy < down; ++cy) {
        for (int cx = 0; cx * down < across * (down - cy); ++cx) {
            const double* row = rows.data() + static_cast<std::size_t>(cx) * width;
            const double* column = columns.data() + static_cast<std::size_t>(cy) * height;
            double sum = 0;
            const double* value = values.data();
            for (std::size_t y = 0; y < height; ++y) {
                for (std::size_t x = 0; x < width; ++x) sum += *value++ * row[x] * column[y];
            }
            sum /= count;
            if (cx == 0 && cy == 0) {
                channel.mean = sum;
            } else {
                channel.waves.push_back(sum);
                channel.scale = std::max(channel.scale, std::abs(sum));
            }
        }
    }
    if (channel.scale > 0) {
        for (double& wave : channel.waves) wave = 0.5 + 0.5 / channel.scale * wave;
    }
    return channel;
}

// Lightness, yellow against blue, red against green, and opacity; over the mean colour where it shows through.
struct Channels {
    std::vector<double> lightness;
    std::vector<double> yellow_blue;
    std::vector<double> red_green;
    std::vector<double> opacity;
    bool has_alpha = false;
};

Channels channels_of(const SmallPicture& picture) {
    std::array<double, 4> mean{};
    for (const SmallPicture::Cell& cell : picture.cells) {
        for (std::size_t i = 0; i < 3; ++i) mean[i] += static_cast<double>(cell[3]) * static_cast<double>(cell[i]);
        mean[3] += static_cast<double>(cell[3]);
    }
    for (std::size_t i = 0; i < 3 && mean[3] > 0; ++i) mean[i] /= mean[3];
    Channels channels;
    for (const SmallPicture::Cell& cell : picture.cells) {
        const auto alpha = static_cast<double>(cell[3]);
        std::array<double, 3> colour{};
        for (std::size_t i = 0; i < 3; ++i) colour[i] = mean[i] * (1 - alpha) + alpha * static_cast<double>(cell[i]);
        const auto [red, green, blue] = colour;
        channels.lightness.push_back((red + green + blue) / 3);
        channels.yellow_blue.push_back((red + green) / 2 - blue);
        channels.red_green.push_back(red - green);
        channels.opacity.push_back(alpha);
        channels.has_alpha = channels.has_alpha || cell[3] < 1;
    }
    return channels;
}

int share_of(int most, int edge, int longest) {
    return std::max(1, static_cast<int>(std::lround(static_cast<double>(most) * edge / longest)));
}

}  // namespace

std::vector<std::uint8_t> thumbhash_of(const SmallPicture& picture) {
    const Channels channels = channels_of(picture);
    const int most = channels.has_alpha ? 5 : 7;
    const int longest = std::max(picture.width, picture.height);
    const int across = share_of(most, picture.width, longest);
    const int down = share_of(most, picture.height, longest);
    std::vector<Channel> all{channel_of(picture, channels.lightness, std::max(3, across), std::max(3, down)),
                             channel_of(picture, channels.yellow_blue, 3, 3),
                             channel_of(picture, channels.red_green, 3, 3)};
    if (channels.has_alpha) all.push_back(channel_of(picture, channels.opacity, 5, 5));

    const bool lies = picture.width > picture.height;
    const std::uint32_t first = whole(63 * all[0].mean) | whole(31.5 + 31.5 * all[1].mean) << 6 |
                                whole(31.5 + 31.5 * all[2].mean) << 12 | whole(31 * all[0].scale) << 18 |
                                (channels.has_alpha ? 1U << 23 : 0U);
    const std::uint32_t second = static_cast<std::uint32_t>(lies ? down : across) | whole(63 * all[1].scale) << 3 |
                                 whole(63 * all[2].scale) << 9 | (lies ? 1U << 15 : 0U);
    std::vector<std::uint8_t> hash;
    for (int shift = 0; shift < 24; shift += 8) hash.push_back(static_cast<std::uint8_t>(first >> shift & 0xff));
    for (int shift = 0; shift < 16; shift += 8) hash.push_back(static_cast<std::uint8_t>(second >> shift & 0xff));
    if (channels.has_alpha) {
        hash.push_back(static_cast<std::uint8_t>(whole(15 * all[3].mean) | whole(15 * all[3].scale) << 4));
    }
    bool is_low = true;
    for (const Channel& channel : all) {
        for (const double wave : channel.waves) {
            const auto nibble = static_cast<std::uint8_t>(whole(15 * wave));
            if (is_low) {
                hash.push_back(nibble);
            } else {
                hash.back() = static_cast<std::uint8_t>(hash.back() | nibble << 4);
            }
            is_low = !is_low;
        }
    }
    return hash;
}

}  // namespace tessera::imaging
