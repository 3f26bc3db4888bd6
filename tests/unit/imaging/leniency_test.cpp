// One rule for all formats: where all pixels are there it is a picture, and where some are missing it is damage.
#include <gmock/gmock.h>
#include <vips/vips8>

#include "imaging/pixels/vips_runtime.hpp"
#include "pixels.hpp"
#include "support/jpegs.hpp"

namespace tessera::imaging {
namespace {

using namespace std::string_literals;
using vips::VImage;

class Leniency : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    static bool at_an_eighth(const std::string& bytes, ImageFormat format) {
        take_vips_error();
        const UniqueFd file = test::file_with(bytes);
        const Source source{.fd = file.get(), .format = format, .max_pixels = 1'000'000};
        const auto opened = open(source);
        if (!opened) return false;
        const auto image = reduced(*opened, source, {12, 12});
        if (!image) return false;
        const bool read = guarded([&] { return unwrap(image->image).copy_memory().width() > 0; }).ok();
        return read && !rows_have_failed();
    }
    static void expect_picture(const std::string& bytes, ImageFormat format, const std::optional<Pixels>& whole,
                               const std::string& what) {
        std::string complaint;
        const auto pixels = pixels_of(bytes, format, &complaint);
        ASSERT_TRUE(whole && pixels) << what << ": " << complaint;
        EXPECT_TRUE(pixels->samples == whole->samples) << what;
        EXPECT_TRUE(at_an_eighth(bytes, format)) << what;
    }
    static void expect_damage(const std::string& bytes, ImageFormat format, const std::string& what) {
        EXPECT_FALSE(pixels_of(bytes, format)) << what;
        EXPECT_FALSE(at_an_eighth(bytes, format)) << what;
    }

    static std::string interlaced_png() {
        const std::string plain = test::make_image({.format = ImageFormat::png, .width = 150, .height = 110});
        VipsBlob* in = vips_blob_copy(plain.data(), plain.size());
        VipsBlob* out = VImage::pngload_buffer(in).pngsave_buffer(VImage::option()->set("interlace", true));
        std::string bytes(static_cast<const char*>(VIPS_AREA(out)->data), VIPS_AREA(out)->length);
        vips_area_unref(VIPS_AREA(in));
        vips_area_unref(VIPS_AREA(out));
        return bytes;
    }
    // All of the pixels in one chunk, after chunks that do no harm.
    static std::string png_with(const std::string& before, const std::string& packed, const std::string& after) {
        return test::png_header(150, 110, 8, 0) + before + test::png_chunk("IDAT", packed) + after;
    }
    static std::string packed_rows() {
        std::string rows;
        for (int y = 0; y < 110; ++y) {
            rows += '\0';
            for (int x = 0; x < 150; ++x) rows += static_cast<char>(x * y / 7 + x);
        }
        return test::zlib_compressed(rows);
    }
};

TEST_F(Leniency, APngMayLackWhatComesAfterItsPixels) {
    const std::string end = test::png_chunk("IEND", "");
    const std::string packed = packed_rows();
    // Read by us, and by libpng.
    for (const std::string& before : {""s, test::png_chunk("tRNS", "\0\7"s)}) {
        const std::string good = png_with(before, packed, end);
        const auto whole = pixels_of(good, ImageFormat::png);
        // In IEND; and where we read it ourselves in the checksums of IDAT and of the pixels, too.
        for (const std::size_t cut : {4U, 8U, 12U, 14U, 16U, 18U, 20U}) {
            if (cut > 12 && !before.empty()) break;
            expect_picture(good.substr(0, good.size() - cut), ImageFormat::png, whole, "cut by " + std::to_string(cut));
        }
        std::string wrong_sum = packed;
        wrong_sum.back() ^= 1;
        expect_picture(png_with(before, wrong_sum, end), ImageFormat::png, whole, "the checksum of all pixels");
        std::string wrong_text = test::png_chunk("tEXt", "Comment\0hello"s);
        wrong_text.back() ^= 1;
        expect_picture(png_with(before + wrong_text, packed, end), ImageFormat::png, whole, "a comment's checksum");

        expect_damage(good.substr(0, good.size() - 40), ImageFormat::png, "pixels are missing");
        std::string wrong = good;
        wrong[good.size() - 13] ^= 1;
        expect_damage(wrong, ImageFormat::png, "the checksum of a chunk of pixels");
    }
}

TEST_F(Leniency, AnInterlacedPngIsJudgedAsAnyOther) {
    const std::string good = interlaced_png();
    const auto whole = pixels_of(good, ImageFormat::png);
    expect_picture(good.substr(0, good.size() - 12), ImageFormat::png, whole, "without IEND");
    expect_damage(good.substr(0, good.size() / 2), ImageFormat::png, "half of it");
    std::string wrong = good;
    wrong[good.size() - 13] ^= 1;
    expect_damage(wrong, ImageFormat::png, "the checksum of a chunk of pixels");
}

TEST_F(Leniency, AJpegMayLackItsEndAndHaveBytesBetweenItsParts) {
    std::vector<std::pair<std::string, std::string>> files;
    for (const auto scans : {test::JpegScans::one, test::JpegScans::progressive, test::JpegScans::bits}) {
        files.emplace_back(std::to_string(static_cast<int>(scans)),
                           test::make_jpeg({.width = 320, .height = 256, .scans = scans}));
    }
    files.emplace_back("grey", test::make_jpeg({.width = 320, .height = 256, .bands = 1}));
    files.emplace_back(
        "inks", test::make_image({.format = ImageFormat::jpeg, .width = 320, .height = 256, .bands = 4, .cmyk = true}));
    for (const auto& [name, good] : files) {
        const auto whole = pixels_of(good, ImageFormat::jpeg);
        ASSERT_TRUE(whole) << name;
        expect_picture(good.substr(0, good.size() - 2), ImageFormat::jpeg, whole, name + " without its end");
        const std::size_t tables = good.find("\xff\xdb");
        expect_picture(good.substr(0, tables) + "abc" + good.substr(tables), ImageFormat::jpeg, whole,
                       name + " with bytes before a marker");
        expect_picture(good.substr(0, good.size() - 2) + "abc\xff\xd9", ImageFormat::jpeg, whole,
                       name + " with bytes before its end");
        expect_picture(good + "abc", ImageFormat::jpeg, whole, name + " with bytes after its end");
        for (const std::size_t percent : {30U, 60U, 90U}) {
            expect_damage(good.substr(0, good.size() * percent / 100), ImageFormat::jpeg, name + " cut");
        }
        const std::size_t last_scan = good.rfind("\xff\xda");
        if (last_scan != good.find("\xff\xda")) {
            expect_damage(good.substr(0, last_scan), ImageFormat::jpeg, name + " without its last scan");
        }
    }
}

TEST_F(Leniency, InksAreReadAsLibvipsReadsThem) {
    const std::string bytes =
        test::make_image({.format = ImageFormat::jpeg, .width = 64, .height = 48, .bands = 4, .cmyk = true});
    const auto ours = pixels_of(bytes, ImageFormat::jpeg);
    VipsBlob* blob = vips_blob_copy(bytes.data(), bytes.size());
    const VImage theirs = VImage::jpegload_buffer(blob).cast(VIPS_FORMAT_DOUBLE);
    std::size_t size = 0;
    auto* memory = static_cast<double*>(theirs.write_to_memory(&size));
    ASSERT_TRUE(ours);
    EXPECT_TRUE(ours->samples == std::vector<double>(memory, memory + size / sizeof(double)));
    g_free(memory);
    vips_area_unref(VIPS_AREA(blob));
}

TEST_F(Leniency, AGifMayLackItsTrailerAndAWebpWhatFollowsItsPicture) {
    const std::string gif = test::make_image({.format = ImageFormat::gif, .width = 150, .height = 110});
    const auto gif_whole = pixels_of(gif, ImageFormat::gif);
    expect_picture(gif.substr(0, gif.size() - 1), ImageFormat::gif, gif_whole, "without its trailer");
    expect_picture(gif.substr(0, gif.size() - 2), ImageFormat::gif, gif_whole, "without the end of its data");

    const std::string webp =
        test::make_image({.format = ImageFormat::webp, .width = 150, .height = 110, .orientation = 1});
    const auto webp_whole = pixels_of(webp, ImageFormat::webp);
    const std::size_t exif = webp.rfind("EXIF");
    ASSERT_NE(exif, std::string::npos);
    expect_picture(webp.substr(0, exif + 20), ImageFormat::webp, webp_whole, "within its metadata");
    expect_picture(webp.substr(0, exif), ImageFormat::webp, webp_whole, "without its metadata");
}

TEST_F(Leniency, APictureOfWhichHalfIsMissingIsDamagedInEveryFormat) {
    for (const ImageFormat format : all_image_formats) {
        const std::string whole = test::make_image({.format = format, .width = 150, .height = 110});
        expect_damage(whole.substr(0, whole.size() / 2), format, std::string(to_string(format)));
    }
}

}  // namespace
}  // namespace tessera::imaging
