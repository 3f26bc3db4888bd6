// keep_metadata: EXIF, XMP and the profile are in every file that resize and optimize make, and true of its pixels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "imaging/colour/profile.hpp"
#include "imaging/save/kept/exif.hpp"
#include "imaging/save/kept/xmp.hpp"
#include "run_here.hpp"
#include "support/images.hpp"
#include "support/pngs.hpp"

namespace tessera {
namespace {

using namespace std::string_literals;
using test::decoded;
using test::must_run;
using testing::HasSubstr;
using testing::Not;
using vips::VImage;

std::string number(std::size_t value, int bytes, bool little) {
    std::string out;
    for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * (little ? i : bytes - 1 - i)) & 255);
    return out;
}

// A camera's EXIF: lying on its side, 60x40, in Adobe RGB, with an author and a small picture.
std::string camera_exif(bool little) {
    const auto n16 = [&](std::size_t value) { return number(value, 2, little); };
    const auto n32 = [&](std::size_t value) { return number(value, 4, little); };
    const auto entry = [&](std::size_t tag, std::size_t type, std::size_t count, const std::string& value) {
        return n16(tag) + n16(type) + n32(count) + value;
    };
    constexpr std::size_t details = 8 + 2 + 4 * 12 + 4;
    constexpr std::size_t small = details + 2 + 3 * 12 + 4;
    constexpr std::size_t texts = small + 2 + 2 * 12 + 4;
    const std::string author = "Someone\0"s;
    const std::string thumbnail = "\xFF\xD8 a small picture";
    return (little ? "II*\0"s : "MM\0*"s) + n32(8) +  //
           n16(4) + entry(0x0100, 3, 1, n16(60) + n16(0)) + entry(0x0112, 3, 1, n16(6) + n16(0)) +
           entry(0x013B, 2, author.size(), n32(texts)) + entry(0x8769, 4, 1, n32(details)) + n32(small) +  //
           n16(3) + entry(0xA001, 3, 1, n16(2) + n16(0)) + entry(0xA002, 4, 1, n32(60)) +
           entry(0xA003, 3, 1, n16(40) + n16(0)) + n32(0) +  //
           n16(2) + entry(0x0201, 4, 1, n32(texts + author.size())) + entry(0x0202, 4, 1, n32(thumbnail.size())) +
           n32(0) + author + thumbnail;
}

const std::string camera_xmp =
    R"(<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:Description tiff:Orientation="6" exif:PixelXDimension='60')"
    R"( dc:title="Mountains"><exif:PixelYDimension>40</exif:PixelYDimension></rdf:Description></x:xmpmeta>)";

std::string adobe_profile() {
    return imaging::profile_of({{0.64, 0.33}, {0.21, 0.71}, {0.15, 0.06}, {0.3127, 0.3290}, 2.2}, false);
}

VImage with_blob(const VImage& image, const char* name, const std::string& data) {
    VImage copy = image.copy();
    vips_image_set_blob_copy(copy.get_image(), name, data.data(), data.size());
    return copy;
}

// 60x40 pixels that are stored on their side, with all that a camera writes; jpeg, webp or avif by libvips, and png by
// hand.
std::string source_in(const std::string& format, bool little, bool noisy) {
    const std::string plain = test::make_image({.format = ImageFormat::png, .width = 60, .height = 40});
    VImage pixels = noisy ? decoded(plain)
                          : VImage::black(60, 40)
                                .new_from_image({200.0, 100.0, 50.0})
                                .cast(VIPS_FORMAT_UCHAR)
                                .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_sRGB));
    const std::string profile = adobe_profile();
    if (format == "png") {
        const std::string chunks = test::png_chunk("iCCP", "a\0\0"s + test::zlib_compressed(profile)) +
                                   test::png_chunk("eXIf", camera_exif(little)) +
                                   test::png_chunk("iTXt", "XML:com.adobe.xmp\0\0\0\0\0"s + camera_xmp);
        return test::encoded(pixels, ".png[compression=0]").insert(33, chunks);
    }
    pixels = with_blob(pixels, VIPS_META_ICC_NAME, profile);
    pixels = with_blob(pixels, VIPS_META_XMP_NAME, camera_xmp);
    pixels = with_blob(pixels, VIPS_META_EXIF_NAME, "Exif\0\0"s + camera_exif(little));
    pixels.set(VIPS_META_ORIENTATION, 6);
    for (const auto& [name, value] : {std::pair("exif-ifd0-Artist", "Someone"), {"exif-ifd2-ColorSpace", "2"}}) {
        pixels.set(name, value);
    }
    return test::encoded(pixels, "." + format +
                                     (format == "jpg"    ? "[Q=98]"
                                      : format == "webp" ? "[lossless=true]"
                                                         : "[Q=95,effort=0]"));
}

std::string blob_of(const VImage& image, const char* name) {
    if (image.get_typeof(name) == 0) return {};
    std::size_t size = 0;
    const void* data = image.get_blob(name, &size);
    return {static_cast<const char*>(data), size};
}

std::string text_of(const VImage& image, const char* name) {
    return image.get_typeof(name) == 0 ? "nothing" : image.get_string(name);
}

void expect_truth(const test::Produced& made, int width, int height) {
    // Not in memory: libvips 8.14 forgets the metadata of an AVIF with its loader.
    const VImage image = VImage::new_from_buffer(made.bytes.data(), made.bytes.size(), "");
    ASSERT_EQ(image.width(), width);
    ASSERT_EQ(image.height(), height);
    EXPECT_EQ(vips_image_get_orientation(image.get_image()), 1);
    // Read again as the EXIF of a JPEG, which libvips takes apart with libexif.
    const std::string exif = blob_of(image, VIPS_META_EXIF_NAME);
    ASSERT_THAT(exif, HasSubstr("Someone"));
    EXPECT_THAT(exif, Not(HasSubstr("a small picture")));
    const std::string tiff = exif.substr(exif.starts_with("Exif") ? 6 : 0);
    std::string jpeg = test::encoded(VImage::black(8, 8), ".jpg[strip=true]");
    jpeg.insert(2, "\xFF\xE1"s + number(tiff.size() + 8, 2, false) + "Exif\0\0"s + tiff);
    const VImage told = decoded(jpeg);
    EXPECT_THAT(text_of(told, "exif-ifd0-Artist"), HasSubstr("Someone"));
    EXPECT_THAT(text_of(told, "exif-ifd0-Orientation"), testing::StartsWith("1 "));
    EXPECT_THAT(text_of(told, "exif-ifd2-ColorSpace"), testing::StartsWith("1 "));
    EXPECT_THAT(text_of(told, "exif-ifd2-PixelXDimension"), testing::StartsWith(std::to_string(width) + " "));
    EXPECT_THAT(text_of(told, "exif-ifd2-PixelYDimension"), testing::StartsWith(std::to_string(height) + " "));
    EXPECT_EQ(told.get_typeof("jpeg-thumbnail-data"), 0U);

    const std::string xmp = blob_of(image, VIPS_META_XMP_NAME);
    EXPECT_THAT(xmp, HasSubstr("Mountains"));
    EXPECT_THAT(xmp, HasSubstr(R"(tiff:Orientation="1")"));
    EXPECT_THAT(xmp, HasSubstr("exif:PixelXDimension='" + std::to_string(width) + "'"));
    EXPECT_THAT(xmp, HasSubstr("<exif:PixelYDimension>" + std::to_string(height) + "</exif:PixelYDimension>"));

    const std::string profile = blob_of(image, VIPS_META_ICC_NAME);
    EXPECT_THAT(profile, HasSubstr("acsp"));
    EXPECT_NE(profile, adobe_profile()) << "the pixels are sRGB now";
}

class KeptMetadata : public testing::Test {
  protected:
    void SetUp() override { test::make_image({}); }  // starts libvips
};

TEST_F(KeptMetadata, IsTrueInEveryFormatThatResizeWrites) {
    for (const char* from : {"jpg", "png", "webp", "avif"}) {
        const std::string source = source_in(from, std::string_view(from) == "png", true);
        // How an AVIF is turned is its container's business, and not that of EXIF.
        const int height = std::string_view(from) == "avif" ? 13 : 30;
        for (const char* to : {"jpeg", "png", "webp", "avif"}) {
            SCOPED_TRACE(std::string(from) + " to " + to);
            const std::string options = std::string(R"({"width":20,"keep_metadata":true,"format":")") + to + "\"}";
            expect_truth(must_run("resize", options, source), 20, height);
        }
    }
}

TEST_F(KeptMetadata, IsTrueInEveryFormatThatOptimizeWrites) {
    for (const char* from : {"jpg", "png", "webp", "avif"}) {
        for (const char* to : {"jpeg", "png", "webp", "avif"}) {
            for (const bool noisy : {false, true}) {
                SCOPED_TRACE(std::string(from) + " to " + to + (noisy ? " of noise" : ""));
                const std::string options =
                    std::string(R"({"quality":60,"effort":2,"keep_metadata":true,"format":")") + to + "\"}";
                const auto made = must_run("optimize", options, source_in(from, false, noisy));
                if (made.file.metadata.at("kept_source").as_bool() || made.file.metadata.at("lossless").as_bool()) {
                    EXPECT_THAT(made.bytes, HasSubstr("Someone"));
                    continue;
                }
                expect_truth(made, 40, 60);
            }
        }
    }
}

// The paths of a PNG: exact or with few colours, through our encoder; the file's own bytes.
TEST_F(KeptMetadata, IsInAPngHoweverItWasMade) {
    for (const bool noisy : {false, true}) {
        const std::string source = source_in("png", true, noisy);
        const auto exact = must_run("optimize", R"({"lossless":true,"keep_metadata":true})", source);
        EXPECT_FALSE(exact.file.metadata.at("kept_source").as_bool());
        const VImage image = decoded(exact.bytes);
        EXPECT_EQ(image.width(), 40);
        EXPECT_EQ(vips_image_get_orientation(image.get_image()), 1);
        EXPECT_THAT(blob_of(image, VIPS_META_EXIF_NAME), HasSubstr("Someone"));
        EXPECT_THAT(blob_of(image, VIPS_META_XMP_NAME), HasSubstr("Mountains"));
        EXPECT_EQ(blob_of(image, VIPS_META_ICC_NAME), adobe_profile()) << "the pixels are as they were";

        // Made again from the smaller one, nothing can be won.
        const auto again = must_run("optimize", R"({"lossless":true,"keep_metadata":true})", exact.bytes);
        EXPECT_THAT(blob_of(decoded(again.bytes), VIPS_META_EXIF_NAME), HasSubstr("Someone"));
        expect_truth(must_run("optimize", R"({"keep_metadata":true})", source), 40, 60);
    }
}

TEST_F(KeptMetadata, OfAJxlIsInItsBoxes) {
    const std::string source = source_in("jpg", false, true);
    for (const char* options : {R"({"width":20,"format":"jxl","keep_metadata":true})"}) {
        const auto made = must_run("resize", options, source);
        EXPECT_THAT(made.bytes, HasSubstr("Someone"));
        EXPECT_THAT(made.bytes, HasSubstr("Mountains"));
        EXPECT_EQ(decoded(made.bytes).width(), 20);
        // And out of them again.
        const auto back = must_run("resize", R"({"width":10,"format":"png","keep_metadata":true})", made.bytes);
        expect_truth(back, 10, 15);
        EXPECT_THAT(must_run("resize", R"({"width":10,"format":"png"})", made.bytes).bytes, Not(HasSubstr("Someone")));
    }
}

TEST_F(KeptMetadata, KeepsAProfileOnlyForTheColoursThatItIsFor) {
    const std::string profile = imaging::profile_of({.exponent = 1.8}, true);
    const test::PngKind kind{0, 8, false, false, test::png_chunk("iCCP", "a\0\0"s + test::zlib_compressed(profile))};
    const auto stripes = [](int x, int) {
        return test::DeepPixel{static_cast<std::uint16_t>(x % 4 * 0x3039), 0, 0, 0};
    };
    const std::string source = test::make_png(kind, 100, 100, stripes);
    const auto exact = must_run("optimize", R"({"lossless":true,"keep_metadata":true})", source);
    EXPECT_FALSE(exact.file.metadata.at("kept_source").as_bool());
    EXPECT_EQ(exact.bytes[25], 0) << "a palette is of colours, and the profile is for grey";
    EXPECT_EQ(blob_of(decoded(exact.bytes), VIPS_META_ICC_NAME), profile);
    const auto converted = must_run("resize", R"({"width":50,"keep_metadata":true})", source);
    EXPECT_EQ(blob_of(decoded(converted.bytes), VIPS_META_ICC_NAME), "");
}

TEST_F(KeptMetadata, ReadsExifThatLeadsNowhere) {
    const std::string whole = camera_exif(true);
    for (std::size_t size = 0; size <= whole.size(); ++size) {
        const std::string cut = imaging::exif_of(std::string_view(whole).substr(0, size), {70'000, 3, true});
        EXPECT_LE(cut.size(), size);
    }
    for (std::size_t at = 4; at < whole.size(); ++at) {
        std::string odd = whole;
        odd[at] = '\xFF';
        EXPECT_LE(imaging::exif_of(odd, {5, 5, true}).size(), odd.size());
    }
    EXPECT_EQ(imaging::exif_of("something else", {5, 5, true}), "");
    EXPECT_EQ(imaging::xmp_of("tiff:Orientation=\"6", {5, 5, true}), "tiff:Orientation=\"6");
    EXPECT_EQ(imaging::xmp_of("tiff:Orientation", {5, 5, true}), "tiff:Orientation");
}

}  // namespace
}  // namespace tessera
