// VP8 key frames read by us, beside what libwebp makes of the same files when it does not smooth the edges of blocks.
#include "codecs/vp8/decode/decoder.hpp"

#include <gmock/gmock.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <vector>

namespace tessera::codecs::vp8 {
namespace {

using Bytes = std::vector<std::uint8_t>;

struct Planes {
    Bytes of[3];
    bool operator==(const Planes&) const = default;
};

struct Settings {
    float quality = 80;
    int method = 4;
    int partitions = 0;
    int segments = 4;
    int sharpness = 0;
    bool noise = false;
};

// Waves, edges and grain, plain parts and busy ones; or nothing but noise.
Bytes pixels(int width, int height, bool noise) {
    Bytes rgb;
    std::mt19937 chance(11);  // NOLINT(cert-msc51-cpp): the same picture each time
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int band = 0; band < 3; ++band) {
                const double wave = 120 + 60 * std::sin(x / 23.0 + band) * std::cos(y / 31.0);
                const double edge = (x / 40 + y / 56) % 3 == 0 ? 60 : 0;
                const double grain = x > width / 2 ? static_cast<double>(chance() % 32) - 16 : 0;
                const double value = noise ? static_cast<double>(chance() % 256) : wave + edge + grain;
                rgb.push_back(static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0)));
            }
        }
    }
    return rgb;
}

Bytes encoded(int width, int height, const Settings& settings) {
    WebPConfig config;
    WebPConfigInit(&config);
    config.quality = settings.quality;
    config.method = settings.method;
    config.partitions = settings.partitions;
    config.segments = settings.segments;
    config.filter_sharpness = settings.sharpness;
    WebPPicture picture;
    WebPPictureInit(&picture);
    picture.width = width;
    picture.height = height;
    const Bytes rgb = pixels(width, height, settings.noise);
    WebPPictureImportRGB(&picture, rgb.data(), width * 3);
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    EXPECT_NE(WebPEncode(&config, &picture), 0);
    Bytes file(writer.mem, writer.mem + writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
    return file;
}

std::optional<Planes> by_libwebp(std::span<const std::uint8_t> file, int width, int height) {
    WebPDecoderConfig config;
    WebPInitDecoderConfig(&config);
    config.options.bypass_filtering = 1;
    config.output.colorspace = MODE_YUV;
    const auto size = [](int across, int down) {
        return static_cast<std::size_t>(across) * static_cast<std::size_t>(down);
    };
    const int half = (width + 1) / 2;
    Planes planes{
        {Bytes(size(width, height)), Bytes(size(half, (height + 1) / 2)), Bytes(size(half, (height + 1) / 2))}};
    auto& out = config.output.u.YUVA;
    out.y = planes.of[0].data();
    out.u = planes.of[1].data();
    out.v = planes.of[2].data();
    out.y_stride = width;
    out.u_stride = out.v_stride = half;
    out.y_size = planes.of[0].size();
    out.u_size = out.v_size = planes.of[1].size();
    config.output.is_external_memory = 1;
    const VP8StatusCode status = WebPDecode(file.data(), file.size(), &config);
    WebPFreeDecBuffer(&config.output);
    if (status != VP8_STATUS_OK) return std::nullopt;
    return planes;
}

std::span<const std::uint8_t> frame_of(std::span<const std::uint8_t> file) {
    constexpr std::size_t headers = 20;  // of the file and its only chunk
    return file.subspan(std::min(headers, file.size()));
}

std::optional<Planes> by_us(std::span<const std::uint8_t> file) {
    auto decoder = Decoder::open(frame_of(file));
    if (!decoder) return std::nullopt;
    Planes planes;
    while (decoder->next()) {
        for (int i = 0; i < 3; ++i) {
            const Decoder::Plane plane = decoder->plane(i);
            const int width = i == 0 ? decoder->width() : (decoder->width() + 1) / 2;
            for (int y = 0; y < plane.rows; ++y) {
                const std::uint8_t* const row = plane.pixels + static_cast<std::size_t>(y) * plane.stride;
                planes.of[i].insert(planes.of[i].end(), row, row + width);
            }
        }
    }
    if (decoder->failed()) return std::nullopt;
    return planes;
}

TEST(Vp8Decoder, MakesTheSamePixelsAsLibwebp) {
    const Settings all[] = {{},
                            {.quality = 5},
                            {.quality = 100},
                            {.quality = 95, .method = 6},
                            {.method = 0},
                            {.quality = 60, .method = 2, .partitions = 3, .segments = 1},
                            {.partitions = 2, .segments = 2, .sharpness = 5},
                            {.quality = 100, .noise = true},
                            {.quality = 0, .noise = true}};
    for (const Settings& settings : all) {
        SCOPED_TRACE("quality " + std::to_string(settings.quality) + " method " + std::to_string(settings.method));
        const Bytes file = encoded(211, 157, settings);
        const auto expected = by_libwebp(file, 211, 157);
        ASSERT_TRUE(expected);
        EXPECT_TRUE(by_us(file) == expected);
    }
}

TEST(Vp8Decoder, ReadsEverySize) {
    for (const int width : {1, 2, 15, 16, 17, 31, 33}) {
        for (const int height : {1, 2, 15, 16, 17, 32, 49}) {
            SCOPED_TRACE(std::to_string(width) + " x " + std::to_string(height));
            const Bytes file = encoded(width, height, {.quality = 90});
            EXPECT_TRUE(by_us(file) == by_libwebp(file, width, height));
        }
    }
}

TEST(Vp8Decoder, TakesNoFileThatLibwebpFindsTooShort) {
    const Bytes file = encoded(96, 80, {.quality = 70, .partitions = 1});
    int refused = 0;
    for (std::size_t size = 0; size < file.size(); ++size) {
        const auto part = std::span(file).first(size);
        const bool ours = by_us(part).has_value();
        // libwebp trusts lengths of chunks as well, so that it refuses all of these.
        refused += ours ? 0 : 1;
        EXPECT_TRUE(!ours || size + 8 > file.size()) << size;
    }
    EXPECT_GT(refused, 0);
}

TEST(Vp8Decoder, StaysWithinItsMemoryWhateverTheBytes) {
    const Bytes file = encoded(70, 50, {.quality = 50, .partitions = 2});
    std::mt19937 chance(3);  // NOLINT(cert-msc51-cpp): the same bytes each time
    for (int round = 0; round < 500; ++round) {
        Bytes damaged = file;
        for (int i = 0; i < 8; ++i)
            damaged[30 + chance() % (damaged.size() - 30)] = static_cast<std::uint8_t>(chance());
        const auto ours = by_us(damaged);
        const auto theirs = by_libwebp(damaged, 70, 50);
        EXPECT_TRUE(!ours || !theirs || ours == theirs) << round;
    }
}

TEST(Vp8Decoder, RefusesWhatIsNoKeyFrame) {
    Bytes file = encoded(32, 32, {});
    const auto frame = frame_of(file);
    EXPECT_TRUE(Decoder::open(frame));
    EXPECT_FALSE(Decoder::open(frame.first(9)));
    Bytes changed(frame.begin(), frame.end());
    changed[0] |= 1;
    EXPECT_FALSE(Decoder::open(changed));
    changed.assign(frame.begin(), frame.end());
    changed[3] = 0;
    EXPECT_FALSE(Decoder::open(changed));
}

}  // namespace
}  // namespace tessera::codecs::vp8
