// Hostile and broken files through real engines: each ends in an answer, none ends the engine.
#include <gmock/gmock.h>

#include "pool_fixture.hpp"

namespace tessera::engine {
namespace {

using namespace std::string_literals;
using testing::AnyOf;
using testing::HasSubstr;

class BadInput : public PoolTest {
  protected:
    void TearDown() override { EXPECT_EQ(pool().counters().crashed, 0U); }

    // Refused with a reason that a client can be shown.
    void expect_refused(const std::string& bytes, const std::string& reason, const ProbeLimits& limits = {},
                        ErrorCode code = ErrorCode::unsupported_media_type) {
        const auto info = probe(bytes, limits);
        ASSERT_FALSE(info.ok()) << reason;
        EXPECT_EQ(to_string(info.error().code), to_string(code)) << info.error().message;
        EXPECT_THAT(info.error().message, HasSubstr(reason));
    }
};

TEST_F(BadInput, EveryFormatCutAtTwentyPointsIsReadRightlyOrRefused) {
    for (const ImageFormat format : all_image_formats) {
        const std::string whole = test::make_image({.format = format, .width = 200, .height = 150});
        for (std::size_t i = 0; i < 20; ++i) {
            const auto info = probe(whole.substr(0, whole.size() * i / 20));
            if (info.ok()) {
                EXPECT_EQ(info->width, 200) << to_string(format) << " at " << i;
                EXPECT_EQ(info->height, 150) << to_string(format) << " at " << i;
            } else {
                EXPECT_EQ(info.error().code, ErrorCode::unsupported_media_type) << to_string(format) << " at " << i;
                EXPECT_FALSE(info.error().message.empty());
            }
        }
        EXPECT_FALSE(probe(whole.substr(0, 3)).ok()) << to_string(format);
    }
}

TEST_F(BadInput, AFewBytesThatDeclareHugePicturesAreRefusedFromTheHeader) {
    const ProbeLimits limits{.max_edge_pixels = 20'000, .max_megapixels = 100};
    const std::string jpeg = test::jpeg_header(65535, 65535);
    expect_refused(jpeg, "65535 x 65535", limits, ErrorCode::image_too_large);
    expect_refused(jpeg, "image can't be read");
    expect_refused(test::jpeg_header(65000, 65000), "65000 x 65000 pixels, which");  // more than its bytes can hold

    const std::string end = test::png_chunk("IDAT", test::zlib_compressed("x")) + test::png_chunk("IEND", "");
    expect_refused(test::png_header(65535, 65535) + end, "65535 x 65535", limits, ErrorCode::image_too_large);
    expect_refused(test::png_header(65535, 65535) + end, "can't hold");
    expect_refused(test::png_header(0x7fffffff, 1) + end, "2147483647 x 1", limits, ErrorCode::image_too_large);
    expect_refused(test::png_header(0x7fffffff, 1) + end, "image can't be read");
    expect_refused(test::png_header(0xffffffff, 0xffffffff) + end, "image can't be read");
    expect_refused(test::png_header(0, 0) + end, "image can't be read");

    // One colour takes no room in a GIF: only the limits speak against it.
    const std::string gif = "GIF89a\xff\xff\xff\xff\x80\0\0\0\0\0\xff\xff\xff,\0\0\0\0\xff\xff\xff\xff\0\2\2D\1\0;"s;
    expect_refused(gif, "65535 x 65535", limits, ErrorCode::image_too_large);
}

TEST_F(BadInput, PolyglotsAreTheImageThatTheyStartAs) {
    const auto jpeg_zip = probe(test::make_image({}) + "PK\3\4" + std::string(300, 'z') + "PK\5\6");
    ASSERT_TRUE(jpeg_zip.ok()) << jpeg_zip.error().message;
    EXPECT_EQ(jpeg_zip->format, ImageFormat::jpeg);

    const std::string gif = test::make_image({.format = ImageFormat::gif});
    const std::size_t body = 13 + (std::size_t{3} << ((gif[10] & 7) + 1));  // after the table of colours
    const std::string html = "<html><script>alert(1)</script></html>";
    const std::string comment = "!\xfe" + std::string(1, static_cast<char>(html.size())) + html + '\0';
    const auto with_html = probe(gif.substr(0, body) + comment + gif.substr(body));
    ASSERT_TRUE(with_html.ok()) << with_html.error().message;
    EXPECT_EQ(with_html->format, ImageFormat::gif);
    expect_refused("<html>" + gif, "an HTML page");
}

TEST_F(BadInput, OtherTypesAreNamedWhateverTheyAreCalled) {
    expect_refused("<svg xmlns='http://www.w3.org/2000/svg' width='10' height='10'/>", "an SVG drawing");
    expect_refused("%PDF-1.4\n%\xe2\xe3\n1 0 obj", "a PDF document");
    expect_refused("II*\0\x08\0\0\0"s + std::string(100, '\0'), "a TIFF image");
    expect_refused("", "an empty file");
    expect_refused("push graphic-context\nimage over 0,0 0,0 'label:@/etc/passwd'", "an unknown type");
}

TEST_F(BadInput, APngWithTenThousandTextsIsAnsweredSoon) {
    std::string png = test::png_header(8, 8, 8, 0);
    for (int i = 0; i < 10'000; ++i) png += test::png_chunk("tEXt", "Comment\0number "s + std::to_string(i));
    png += test::png_chunk("IDAT", test::zlib_compressed(std::string(8 * 9, '\0'))) + test::png_chunk("IEND", "");
    const auto info = probe(png);
    if (info.ok()) {
        EXPECT_EQ(info->width, 8);
    } else {
        EXPECT_EQ(info.error().code, ErrorCode::unsupported_media_type);
        EXPECT_THAT(info.error().message, testing::Not(testing::HasSubstr("too long")))
            << "processor time, not the wall's";
    }
}

TEST_F(BadInput, CompressedMetadataThatUnfoldsToHundredsOfMegabytesIsRefusedAtOnce) {
    const std::string bomb = test::zlib_compressed(std::string(std::size_t{48} << 20, 'A'));
    const std::string end =
        test::png_chunk("IDAT", test::zlib_compressed(std::string(8 * 9, '\0'))) + test::png_chunk("IEND", "");
    for (const auto& [type, name] : {std::pair("iCCP", "icc\0\0"s), std::pair("zTXt", "Comment\0\0"s),
                                     std::pair("iTXt", "Comment\0\1\0en\0Comment\0"s)}) {
        std::string png = test::png_header(8, 8, 8, 0);
        for (int i = 0; i < 8; ++i) png += test::png_chunk(type, name + bomb);
        expect_refused(png + end, "unfolds to more than");
    }
    const std::string honest = test::zlib_compressed(std::string(100'000, 'A'));
    const auto info = probe(test::png_header(8, 8, 8, 0) + test::png_chunk("zTXt", "Comment\0\0"s + honest) + end);
    EXPECT_TRUE(info.ok()) << info.error().message;
}

TEST_F(BadInput, AGifOfTenThousandFramesIsAnsweredWithoutDecodingThem) {
    std::string gif = "GIF89a\2\0\2\0\x80\0\0\0\0\0\xff\xff\xff"s;
    const std::string frame = "!\xf9\4\0\1\0\0\0,\0\0\0\0\2\0\2\0\0\2\3\x84\x51\x05\0"s;
    for (int i = 0; i < 10'000; ++i) gif += frame;
    const auto info = probe(gif + ";");
    ASSERT_TRUE(info.ok()) << info.error().message;
    EXPECT_GE(info->pages, 4096);  // where the decoder stops counting
    EXPECT_EQ(info->height, 2);
}

TEST_F(BadInput, AJpegOfTenThousandEmptySegmentsIsRefusedAtOnce) {
    const std::string jpeg = test::make_image({});
    const auto with_segments = [&](int count) {
        std::string bytes = jpeg.substr(0, 2);
        for (int i = 0; i < count; ++i) bytes += "\xff\xed\0\2"s;
        return bytes + jpeg.substr(2);
    };
    expect_refused(with_segments(20'000), "too many parts");
    EXPECT_TRUE(probe(with_segments(1'000)).ok());
}

TEST_F(BadInput, AnAvifOfTenThousandBoxesIsRefusedAtOnce) {
    std::string avif = test::make_image({.format = ImageFormat::avif});
    EXPECT_TRUE(probe(avif).ok());
    for (int i = 0; i < 10'000; ++i) avif += "\0\0\0\x08"s + "free";
    expect_refused(avif, "too many parts");
}

TEST_F(BadInput, HeifBoxesWithWrongSizesAreRefusedOrRead) {
    for (const ImageFormat format : {ImageFormat::heif, ImageFormat::avif}) {
        const std::string whole = test::make_image({.format = format});
        for (const char* box : {"meta", "hdlr", "pitm", "iloc", "iinf", "infe", "iprp", "ipco", "ispe", "ipma"}) {
            const auto at = whole.find(box);
            ASSERT_NE(at, std::string::npos) << box;
            for (const std::string& size :
                 {"\0\0\0\0"s, "\0\0\0\1"s, "\0\0\0\7"s, "\x7f\xff\xff\xff"s, "\xff\xff\xff\xff"s}) {
                std::string broken = whole;
                broken.replace(at - 4, 4, size);
                const auto info = probe(broken);
                if (!info.ok()) {
                    EXPECT_EQ(info.error().code, ErrorCode::unsupported_media_type) << box;
                }
            }
        }
    }
}

TEST_F(BadInput, RandomDamageToHeadersEndsInAnAnswer) {
    std::uint32_t state = 7;
    const auto random = [&](std::size_t below) {
        state = state * 1664525U + 1013904223U;
        return (state >> 8) % below;
    };
    for (const ImageFormat format : all_image_formats) {
        const std::string whole = test::make_image({.format = format});
        for (int round = 0; round < 60; ++round) {
            std::string broken = whole;
            for (std::size_t hit = 0; hit <= random(6); ++hit) {
                broken[12 + random(std::min<std::size_t>(broken.size() - 12, 400))] = static_cast<char>(random(256));
            }
            const auto info = probe(broken, {.max_edge_pixels = 30'000, .max_megapixels = 500});
            if (!info.ok()) {
                EXPECT_THAT(info.error().code,
                            AnyOf(ErrorCode(ErrorCode::unsupported_media_type), ErrorCode(ErrorCode::image_too_large)))
                    << to_string(format) << " " << info.error().detail;
            }
        }
    }
}

}  // namespace
}  // namespace tessera::engine
