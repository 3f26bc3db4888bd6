// VP8 key frames of our own, read by libwebp.
#include "codecs/vp8/encoder.hpp"

#include <gmock/gmock.h>
#include <webp/decode.h>
#include <webp/encode.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <vector>

#include "codecs/vp8/tables.hpp"

namespace tessera::codecs::vp8 {
namespace {

struct Planes {
    int width = 0;
    int height = 0;
    std::vector<std::uint8_t> bytes[3];

    Planes(int across, int down) : width(across), height(down) {
        for (int plane = 0; plane < 3; ++plane) {
            bytes[plane].resize(static_cast<std::size_t>(width_of(plane)) * static_cast<std::size_t>(height_of(plane)));
        }
    }
    [[nodiscard]] int width_of(int plane) const { return plane == 0 ? width : (width + 1) / 2; }
    [[nodiscard]] int height_of(int plane) const { return plane == 0 ? height : (height + 1) / 2; }
    [[nodiscard]] Picture picture() const {
        return {width,
                height,
                {bytes[0].data(), bytes[1].data(), bytes[2].data()},
                {width_of(0), width_of(1), width_of(2)}};
    }
    template <typename Value>
    void fill(Value value) {
        for (int plane = 0; plane < 3; ++plane) {
            for (int y = 0; y < height_of(plane); ++y) {
                for (int x = 0; x < width_of(plane); ++x) {
                    bytes[plane][static_cast<std::size_t>(y * width_of(plane) + x)] =
                        static_cast<std::uint8_t>(value(plane, x, y));
                }
            }
        }
    }
};

// Waves, edges and grain: plain parts and busy ones.
Planes photograph(int width, int height) {
    Planes planes(width, height);
    std::mt19937 chance(7);  // NOLINT(cert-msc51-cpp): the same picture each time
    planes.fill([&](int plane, int x, int y) {
        const int scale = plane == 0 ? 1 : 2;
        const double u = x * scale / 37.0;
        const double v = y * scale / 23.0;
        const double grain = std::sin(u / 3) > 0 ? static_cast<double>(chance() % 24) - 12.0 : 0.0;
        const double edge = std::fmod(u + v, 3.0) < 1 ? 40.0 : 0.0;
        return std::clamp(120 + 50 * std::sin(u) * std::cos(v + plane) + (plane == 0 ? edge + grain : grain / 4), 16.0,
                          235.0);
    });
    return planes;
}

Planes decoded(std::span<const std::uint8_t> file) {
    int width = 0;
    int height = 0;
    int strides[2] = {};
    std::uint8_t* colours[2] = {};
    const std::unique_ptr<std::uint8_t, decltype(&WebPFree)> luma(
        WebPDecodeYUV(file.data(), file.size(), &width, &height, &colours[0], &colours[1], &strides[0], &strides[1]),
        WebPFree);
    if (luma == nullptr) return {0, 0};
    Planes planes(width, height);
    planes.fill([&](int plane, int x, int y) {
        return plane == 0 ? luma.get()[y * strides[0] + x] : colours[plane - 1][y * strides[1] + x];
    });
    return planes;
}

double psnr(const Planes& a, const Planes& b) {
    double squares = 0;
    double count = 0;
    for (int plane = 0; plane < 3; ++plane) {
        if (a.bytes[plane].size() != b.bytes[plane].size()) return 0;
        for (std::size_t i = 0; i < a.bytes[plane].size(); ++i) {
            const double off = static_cast<double>(a.bytes[plane][i]) - b.bytes[plane][i];
            squares += off * off;
            ++count;
        }
    }
    return squares == 0 ? 99 : 10 * std::log10(255.0 * 255.0 * count / squares);
}

std::vector<std::uint8_t> encoded(Encoder& encoder, const Planes& planes) {
    const auto bytes = encoder.encode(planes.picture());
    if (!bytes) return {};
    return {bytes->begin(), bytes->end()};
}

// Were one pixel predicted otherwise than a decoder does, all that follow would drift away from it.
TEST(Vp8Encoder, ADecoderSeesWhatWasMeantAtEverySize) {
    Encoder encoder(100);
    for (const int height : {1, 2, 15, 16, 17, 33, 64}) {
        for (const int width : {1, 2, 15, 16, 17, 31, 47, 100}) {
            const Planes source = photograph(width, height);
            EXPECT_GT(psnr(source, decoded(encoded(encoder, source))), 46) << width << " x " << height;
        }
    }
}

TEST(Vp8Encoder, NoiseFromBlackToWhiteIsNotTooMuch) {
    std::mt19937 chance(3);  // NOLINT(cert-msc51-cpp): the same noise each time
    Planes source(80, 80);
    source.fill([&](int, int, int) { return chance() % 2 * 255; });
    for (const double quality : {100.0, 50.0, 0.0}) {
        Encoder encoder(quality);
        const Planes seen = decoded(encoded(encoder, source));
        EXPECT_GT(psnr(source, seen), quality == 100 ? 40 : 5) << quality;
    }
}

TEST(Vp8Encoder, APlainTileTakesNextToNothing) {
    Planes source(256, 256);
    source.fill([](int plane, int, int) { return plane == 0 ? 90 : 140; });
    Encoder encoder(80);
    const std::vector<std::uint8_t> file = encoded(encoder, source);
    EXPECT_LT(file.size(), 400U);
    EXPECT_GT(psnr(source, decoded(file)), 45);
}

TEST(Vp8Encoder, MoreQualityIsMoreBytesAndMoreLikeness) {
    const Planes source = photograph(256, 256);
    std::size_t bytes = 0;
    double likeness = 0;
    for (const double quality : {0.0, 20.0, 40.0, 60.0, 80.0, 90.0, 100.0}) {
        Encoder encoder(quality);
        const std::vector<std::uint8_t> file = encoded(encoder, source);
        const double like = psnr(source, decoded(file));
        EXPECT_GT(file.size(), bytes) << quality;
        EXPECT_GT(like, likeness) << quality;
        bytes = file.size();
        likeness = like;
    }
}

TEST(Vp8Encoder, WhatWasEncodedBeforeChangesNothing) {
    const Planes source = photograph(130, 70);
    Encoder fresh(80);
    const std::vector<std::uint8_t> first = encoded(fresh, source);
    Encoder used(80);
    encoded(used, photograph(300, 200));
    encoded(used, photograph(16, 16));
    EXPECT_EQ(encoded(used, source), first);
}

std::vector<std::uint8_t> copied(const std::optional<std::span<const std::uint8_t>>& file) {
    if (!file) return {};
    return {file->begin(), file->end()};
}

// Coarse on the left and fine on the right.
Segments in_halves(const Planes& planes) {
    const int across = (planes.width + 15) / 16;
    const int down = (planes.height + 15) / 16;
    Segments segments;
    for (Segment& segment : segments.all) segment = {80, 0};
    segments.all[3] = {4, 0};
    for (int i = 0; i < across * down; ++i) segments.of.push_back(i % across < across / 2 ? 0 : 3);
    return segments;
}

double squares_of(const Planes& a, const Planes& b, int plane, int from, int to) {
    double squares = 0;
    for (int y = 0; y < a.height_of(plane); ++y) {
        for (int x = from; x < to; ++x) {
            const auto at = static_cast<std::size_t>(y * a.width_of(plane) + x);
            squares += std::pow(static_cast<double>(a.bytes[plane].at(at)) - b.bytes[plane].at(at), 2);
        }
    }
    return squares;
}

TEST(Vp8Encoder, TakesSegmentsThatSomebodyElseChose) {
    const Planes source = photograph(128, 64);
    Encoder encoder(50);
    const Planes seen = decoded(copied(encoder.encode(source.picture(), in_halves(source))));
    EXPECT_GT(squares_of(source, seen, 0, 0, 64), 10 * squares_of(source, seen, 0, 64, 128));
    ASSERT_EQ(encoder.sizes().size(), 32U);
    EXPECT_LT(encoder.sizes().front(), encoder.sizes().back());
    // Those of a picture before are not those of the next.
    Encoder fresh(50);
    EXPECT_EQ(encoded(encoder, source), encoded(fresh, source));
}

TEST(Vp8Encoder, MeansOfColourAreAsFineAsIsAsked) {
    Planes source(128, 64);
    source.fill([](int plane, int x, int y) { return plane == 0 ? 120 : 90 + x / 4 * 7 % 60 + y / 4 * 5 % 40; });
    Encoder encoder(50);
    const auto squares_with = [&](int colour_means) {
        Segments segments = in_halves(source);
        segments.colour_means = colour_means;
        const Planes seen = decoded(copied(encoder.encode(source.picture(), segments)));
        return squares_of(source, seen, 1, 0, 64) + squares_of(source, seen, 2, 0, 64);
    };
    EXPECT_LT(1.2 * squares_with(-15), squares_with(15));
}

TEST(Vp8Encoder, OtherFiltersChangeNothingElse) {
    const Planes source = photograph(128, 64);
    Encoder encoder(50);
    const std::vector<std::uint8_t> first = encoded(encoder, source);
    std::array<int, most_segments> filters{};
    for (std::size_t i = 0; i < filters.size(); ++i) filters.at(i) = encoder.segments().all[i].filter;
    const std::vector<std::uint8_t> without = copied(encoder.with_filters({0, 0, 0, 0}));
    EXPECT_NE(decoded(without).bytes[0], decoded(first).bytes[0]);
    EXPECT_EQ(copied(encoder.with_filters(filters)), first);
}

TEST(Vp8Segments, AreMadeOfTheStepsThatMacroblocksWouldHave) {
    const std::vector<float> steps{std::log(10.0F), std::log(40.0F), std::log(10.0F), std::log(90.0F)};
    const Segments segments = segments_for_steps(steps);
    ASSERT_EQ(segments.of.size(), 4U);
    EXPECT_EQ(segments.of[0], segments.of[2]);
    EXPECT_EQ(ac_steps[segments.all[segments.of[0]].quantiser], 10);
    EXPECT_EQ(ac_steps[segments.all[segments.of[1]].quantiser], 40);
    EXPECT_EQ(ac_steps[segments.all[segments.of[3]].quantiser], 90);
    EXPECT_GT(segments.all[segments.of[3]].filter, segments.all[segments.of[1]].filter);
}

// What it is for: no more bytes than libwebp at its own balance for at least the likeness.
TEST(Vp8Encoder, IsNotBehindLibwebp) {
    const Planes source = photograph(256, 256);
    Encoder encoder(80);
    const std::vector<std::uint8_t> ours = encoded(encoder, source);
    const double our_likeness = psnr(source, decoded(ours));

    WebPConfig config;
    WebPPicture picture;
    ASSERT_NE(WebPPictureInit(&picture), 0);
    picture.width = source.width;
    picture.height = source.height;
    ASSERT_NE(WebPPictureAlloc(&picture), 0);
    for (int plane = 0; plane < 3; ++plane) {
        std::uint8_t* const to = plane == 0 ? picture.y : plane == 1 ? picture.u : picture.v;
        const int stride = plane == 0 ? picture.y_stride : picture.uv_stride;
        for (int y = 0; y < source.height_of(plane); ++y) {
            std::copy_n(source.bytes[plane].data() + y * source.width_of(plane), source.width_of(plane),
                        to + y * stride);
        }
    }
    WebPMemoryWriter writer;
    WebPMemoryWriterInit(&writer);
    picture.writer = WebPMemoryWrite;
    picture.custom_ptr = &writer;
    // The lowest quality at which its likeness is ours.
    double their_likeness = 0;
    for (float quality = 60; quality <= 95 && their_likeness < our_likeness; ++quality) {
        writer.size = 0;
        ASSERT_NE(WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality), 0);
        ASSERT_NE(WebPEncode(&config, &picture), 0);
        their_likeness = psnr(source, decoded({writer.mem, writer.size}));
    }
    EXPECT_LE(ours.size(), writer.size);
    WebPMemoryWriterClear(&writer);
    WebPPictureFree(&picture);
}

}  // namespace
}  // namespace tessera::codecs::vp8
