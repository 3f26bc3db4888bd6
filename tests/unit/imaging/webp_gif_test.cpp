// WebP and GIF: the first frame of however many, on its canvas, for no more than it costs.
#include <gmock/gmock.h>
#include <webp/decode.h>
#include <vips/vips8>

#include <cmath>

#include "codecs/gif/lzw.hpp"
#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "pixels.hpp"

namespace tessera::imaging {
namespace {

using namespace std::string_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using vips::VImage;

class FirstFrame : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    static std::string little(std::size_t value, int bytes) {
        std::string out;
        for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> 8 * i & 255);
        return out;
    }
    static std::string chunk(const std::string& type, const std::string& data) {
        return type + little(data.size(), 4) + data + std::string(data.size() % 2, '\0');
    }
    // The chunks of a picture, without the file around them.
    static std::string webp_chunks(int width, int height, int bands) {
        return test::make_image({.format = ImageFormat::webp, .width = width, .height = height, .bands = bands})
            .substr(12);
    }
    static std::string animation(int width, int height, const std::vector<std::string>& frames) {
        std::string body = "WEBP" +
                           chunk("VP8X", "\x02\0\0\0"s + little(static_cast<std::size_t>(width) - 1, 3) +
                                             little(static_cast<std::size_t>(height) - 1, 3)) +
                           chunk("ANIM", "\xff\xff\xff\xff\0\0"s);
        for (const std::string& frame : frames) body += chunk("ANMF", frame);
        return chunk("RIFF", body);
    }
    static std::string frame(int left, int top, int width, int height, const std::string& chunks) {
        const auto place = [](int value) { return little(static_cast<std::size_t>(value), 3); };
        return place(left / 2) + place(top / 2) + place(width - 1) + place(height - 1) + little(100, 3) + '\0' + chunks;
    }

    // As the library that libvips uses for the format reads it.
    static Pixels by_libvips(const std::string& bytes, ImageFormat format) {
        VipsBlob* blob = vips_blob_copy(bytes.data(), bytes.size());
        VImage image = format == ImageFormat::gif ? VImage::gifload_buffer(blob) : VImage::webpload_buffer(blob);
        image = image.cast(VIPS_FORMAT_DOUBLE);
        std::size_t size = 0;
        auto* memory = static_cast<double*>(image.write_to_memory(&size));
        Pixels pixels{image.width(), image.height(), image.bands(), {memory, memory + size / sizeof(double)}};
        g_free(memory);
        vips_area_unref(VIPS_AREA(blob));
        return pixels;
    }

    static void expect_same(const std::string& bytes, ImageFormat format) {
        std::string complaint;
        const auto ours = pixels_of(bytes, format, &complaint);
        ASSERT_TRUE(ours) << complaint;
        const Pixels theirs = by_libvips(bytes, format);
        ASSERT_EQ(ours->width, theirs.width);
        ASSERT_EQ(ours->height, theirs.height);
        ASSERT_EQ(ours->bands, theirs.bands);
        EXPECT_TRUE(ours->samples == theirs.samples);
    }
};

TEST_F(FirstFrame, AStillPictureIsWhatLibvipsMakesOfIt) {
    for (const int bands : {3, 4}) {
        expect_same(test::make_image({.format = ImageFormat::webp, .width = 71, .height = 53, .bands = bands}),
                    ImageFormat::webp);
    }
    for (const int bands : {1, 3, 4}) {
        expect_same(test::make_image({.format = ImageFormat::gif, .width = 71, .height = 53, .bands = bands}),
                    ImageFormat::gif);
        expect_same(test::make_image({.format = ImageFormat::gif, .width = 300, .height = 211, .bands = bands}),
                    ImageFormat::gif);
    }
}

TEST_F(FirstFrame, OfAnAnimationOnlyTheFirstFrameIsRead) {
    for (const ImageFormat format : {ImageFormat::gif, ImageFormat::webp}) {
        const std::string bytes = test::make_image({.format = format, .width = 40, .height = 30, .pages = 5});
        const auto ours = pixels_of(bytes, format);
        ASSERT_TRUE(ours);
        const Pixels theirs = by_libvips(bytes, format);
        ASSERT_EQ(ours->height, 30);
        for (int x = 0; x < 40; ++x) {
            for (int band = 0; band < 3; ++band) {
                ASSERT_EQ(ours->at(x, 29)[static_cast<std::size_t>(band)],
                          theirs.at(x, 29)[static_cast<std::size_t>(band)]);
            }
        }
        // All that comes after the first frame may be anything.
        std::string broken = bytes;
        for (std::size_t i = bytes.size() * 3 / 4; i < bytes.size() - 1; i += 3) broken[i] = 'x';
        EXPECT_TRUE(pixels_of(broken, format)) << to_string(format);
    }
}

TEST_F(FirstFrame, TwentyThousandFramesCostWhatOneDoes) {
    const std::string first = frame(0, 0, 16, 16, webp_chunks(16, 16, 3));
    const std::string bytes = animation(16, 16, std::vector<std::string>(20'000, first));
    const auto info = probe(test::file_with(bytes).get(), {});
    ASSERT_TRUE(info.ok()) << info.error().message;
    EXPECT_EQ(info->pages, 20'000);
    EXPECT_EQ(info->width, 16);
    const auto pixels = pixels_of(bytes, ImageFormat::webp);
    ASSERT_TRUE(pixels);
    EXPECT_EQ(pixels->height, 16);
}

TEST_F(FirstFrame, AFrameThatIsSmallerThanItsCanvasLiesOnTransparency) {
    const std::string bytes = animation(40, 30, {frame(10, 8, 16, 12, webp_chunks(16, 12, 3))});
    const auto pixels = pixels_of(bytes, ImageFormat::webp);
    ASSERT_TRUE(pixels);
    ASSERT_EQ(pixels->bands, 4);
    EXPECT_EQ(pixels->width, 40);
    EXPECT_EQ(pixels->height, 30);
    EXPECT_EQ(pixels->at(9, 8)[3], 0);
    EXPECT_EQ(pixels->at(10, 7)[3], 0);
    EXPECT_EQ(pixels->at(10, 8)[3], 255);
    EXPECT_EQ(pixels->at(25, 19)[3], 255);
    EXPECT_EQ(pixels->at(26, 19)[3], 0);
    EXPECT_EQ(pixels->at(25, 20)[3], 0);
    EXPECT_FALSE(pixels_of(animation(20, 30, {frame(10, 8, 16, 12, webp_chunks(16, 12, 3))}), ImageFormat::webp));

    // Two by two pixels of white at 1, 1.
    const std::string gif = "GIF89a\4\0\4\0\x80\0\0\0\0\0\xff\xff\xff,\1\0\1\0\2\0\2\0\0\2\3\x4c\x12\x05\0;"s;
    const auto small = pixels_of(gif, ImageFormat::gif);
    ASSERT_TRUE(small);
    EXPECT_THAT(small->samples, testing::SizeIs(4 * 4 * 2));
    EXPECT_THAT(small->at(0, 0), ElementsAre(0, 0));
    EXPECT_THAT(small->at(1, 1), ElementsAre(255, 255));
    EXPECT_THAT(small->at(2, 2), ElementsAre(255, 255));
    EXPECT_THAT(small->at(3, 3), ElementsAre(0, 0));
}

TEST_F(FirstFrame, TheLargestWebpIsReadWithoutRoomForItsPixels) {
    // One colour, 16383 x 16383: all codes have a single symbol.
    const std::string bytes = chunk("RIFF", "WEBP" + chunk("VP8L", "\x2f\xfe\xbf\xff\x0f\x88\x88\x08"s));
    int width = 0;
    ASSERT_EQ(WebPGetInfo(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &width, nullptr), 1);
    const auto info = probe(test::file_with(bytes).get(), {});
    ASSERT_TRUE(info.ok()) << info.error().message;
    EXPECT_EQ(info->width, 16383);
    EXPECT_EQ(info->height, 16383);
    const auto capped = probe(test::file_with(bytes).get(), {.max_edge = 16'000, .max_pixels = {}});
    ASSERT_FALSE(capped.ok());
    EXPECT_EQ(capped.error().code, JobErrorCode::source_too_large);
}

TEST_F(FirstFrame, LzwHoldsNoMoreThanItsBound) {
    EXPECT_EQ(codecs::most_from_lzw(2, 0), 0);
    // Codes of 3 bits, and 1, 2, 3 pixels at most: then the sizes grow.
    EXPECT_EQ(codecs::most_from_lzw(2, 1), 1 + 2);
    for (const std::size_t bytes : std::initializer_list<std::size_t>{10, 100, 1000, 10'000, 100'000}) {
        EXPECT_LT(codecs::most_from_lzw(2, bytes), codecs::most_from_lzw(2, bytes + 2));
        EXPECT_LE(codecs::most_from_lzw(8, bytes), codecs::most_from_lzw(2, bytes));
    }
    // The real thing: what a compressor makes of one colour is under the bound.
    VImage black = VImage::black(700, 700, VImage::option()->set("bands", 3));
    VipsBlob* blob = black.copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB)).gifsave_buffer();
    const std::string gif(static_cast<const char*>(VIPS_AREA(blob)->data), VIPS_AREA(blob)->length);
    vips_area_unref(VIPS_AREA(blob));
    EXPECT_TRUE(probe(test::file_with(gif).get(), {}).ok());
    expect_same(gif, ImageFormat::gif);
}

TEST_F(FirstFrame, AGifThatDeclaresMoreThanItsBytesHoldIsRefusedFromItsHeader) {
    std::string gif = "GIF89a\x50\x40\x50\x40\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\x50\x40\x50\x40\0\2\x4f"s;
    gif += std::string(0x4f, '\x55') + "\0;"s;
    const auto info = probe(test::file_with(gif).get(), {});
    ASSERT_FALSE(info.ok());
    EXPECT_EQ(info.error().code, JobErrorCode::decode_failed);
    EXPECT_THAT(info.error().message, HasSubstr("16464 x 16464 pixels, which 112 bytes can't hold"));
    // A canvas that the file leaves empty takes no bytes, and no memory.
    const std::string empty = "GIF89a\x50\x40\x50\x40\x80\0\0\0\0\0\xff\xff\xff,\1\0\1\0\2\0\2\0\0\2\3\x4c\x12\x05\0;"s;
    EXPECT_TRUE(probe(test::file_with(empty).get(), {}).ok());
}

TEST_F(FirstFrame, CodesMayBeginLongerThanTheColoursNeed) {
    // Codes of twelve bits from the first one on, as some writers take them: clear, pixels, end.
    const auto gif_of = [](const std::vector<unsigned>& pixels) {
        std::vector<unsigned> codes{2048};
        codes.insert(codes.end(), pixels.begin(), pixels.end());
        codes.push_back(2049);
        if (codes.size() % 2 != 0) codes.push_back(0);
        std::string data;
        for (std::size_t i = 0; i < codes.size(); i += 2) data += little(codes[i] | codes[i + 1] << 12, 3);
        return "GIF89a\4\0\1\0\x81\0\0\0\0\0\x40\x40\x40\x80\x80\x80\xff\xff\xff,\0\0\0\0\4\0\1\0\0\x0b"s +
               static_cast<char>(data.size()) + data + "\0;"s;
    };
    std::string complaint;
    const auto pixels = pixels_of(gif_of({3, 2, 1, 0}), ImageFormat::gif, &complaint);
    ASSERT_TRUE(pixels) << complaint;
    EXPECT_THAT(pixels->samples, ElementsAre(255, 128, 64, 0));
    // Of the longest strings: two pixels that are one code by then, and one that is none of the 256.
    EXPECT_TRUE(pixels_of(gif_of({3, 2, 2050}), ImageFormat::gif, &complaint)) << complaint;
    EXPECT_FALSE(pixels_of(gif_of({3, 2, 256, 0}), ImageFormat::gif));
    EXPECT_FALSE(pixels_of(gif_of({3, 2, 2047, 0}), ImageFormat::gif));
}

TEST_F(FirstFrame, InterlacedRowsAreInTheirPlaces) {
    // Eight rows of one pixel, of colours 0 to 3 and 0 to 3 again, stored as rows 0, 4, 2, 6, 1, 3, 5, 7.
    const std::string colours = "\0\0\0\x40\x40\x40\x80\x80\x80\xff\xff\xff"s;
    const unsigned stored[] = {4, 0, 0, 2, 2, 1, 3, 1, 3, 5};  // clear, pixels, end
    std::uint64_t bits = 0;
    int at = 0;
    int size = 3;
    unsigned next = 6;
    for (std::size_t i = 0; i < std::size(stored); ++i) {
        bits |= std::uint64_t{stored[i]} << at;
        at += size;
        if (i >= 2 && ++next == 1U << size && size < 12) ++size;
    }
    const std::string data = little(bits, (at + 7) / 8);
    const std::string gif = "GIF89a\1\0\x08\0\x81\0\0"s + colours + ",\0\0\0\0\1\0\x08\0\x40\2"s +
                            static_cast<char>(data.size()) + data + "\0;"s;
    std::string complaint;
    const auto pixels = pixels_of(gif, ImageFormat::gif, &complaint);
    ASSERT_TRUE(pixels) << complaint;
    EXPECT_THAT(pixels->samples, ElementsAre(0, 64, 128, 255, 0, 64, 128, 255));
}

}  // namespace
}  // namespace tessera::imaging
