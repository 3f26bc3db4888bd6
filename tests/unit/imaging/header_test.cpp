// What our own readers say of a file before its pixels, beside what libvips says of it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vips/vips8>

#include "codecs/bytes/orientation_exif.hpp"
#include "imaging/formats/jpeg_image.hpp"
#include "imaging/formats/png_image.hpp"
#include "imaging/pixels/exif_field.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "support/images.hpp"

namespace tessera::imaging {
namespace {

using namespace std::string_literals;
using vips::VImage;

std::string field(const VImage& image, const char* name) {
    if (image.get_typeof(name) != VIPS_TYPE_BLOB) return {};
    std::size_t size = 0;
    const void* data = image.get_blob(name, &size);
    return {static_cast<const char*>(data), size};
}

// From its TIFF header on.
std::string exif_of(const VImage& image) {
    std::string exif = field(image, own_exif_field);
    if (exif.empty()) exif = field(image, VIPS_META_EXIF_NAME);
    return exif.starts_with("Exif") ? exif.substr(6) : exif;
}

void expect_same(const VImage& ours, const VImage& theirs) {
    EXPECT_EQ(ours.width(), theirs.width());
    EXPECT_EQ(ours.height(), theirs.height());
    EXPECT_EQ(ours.bands(), theirs.bands());
    EXPECT_EQ(ours.format(), theirs.format());
    EXPECT_EQ(ours.interpretation(), theirs.interpretation());
    EXPECT_EQ(vips_image_get_orientation(ours.get_image()), vips_image_get_orientation(theirs.get_image()));
    EXPECT_EQ(exif_of(ours), exif_of(theirs));
    for (const char* name : {VIPS_META_ICC_NAME, VIPS_META_XMP_NAME, VIPS_META_IPTC_NAME}) {
        EXPECT_EQ(field(ours, name), field(theirs, name)) << name;
    }
}

std::string segment(char marker, const std::string& body) {
    const std::size_t length = body.size() + 2;
    return "\xFF"s + marker + static_cast<char>(length >> 8) + static_cast<char>(length & 255) + body;
}

// Segments right after the start of the file.
std::string jpeg_with(const std::string& segments) {
    std::string file = test::make_image({.width = 40, .height = 30});
    return file.insert(2, segments);
}

std::string profile_named(const char* name) {
    VipsBlob* blob = nullptr;
    EXPECT_EQ(vips_profile_load(name, &blob, nullptr), 0);
    std::size_t size = 0;
    const auto* data = static_cast<const char*>(vips_blob_get(blob, &size));
    std::string bytes(data, size);
    vips_area_unref(VIPS_AREA(blob));
    return bytes;
}

std::string big_endian_orientation(char type, char count, const std::string& value) {
    return "MM\0*\0\0\0\x08\0\1\1\x12\0"s + type + "\0\0\0"s + count + value + "\0\0\0\0"s;
}

class Header : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    static void expect_jpeg(const std::string& file, const std::string& what) {
        SCOPED_TRACE(what);
        const auto ours = plain_jpeg_header(test::file_with(file).get());
        ASSERT_TRUE(ours);
        expect_same(*ours, VImage::new_from_buffer(file, ""));
    }
    static void expect_png(const std::string& file, const std::string& what) {
        SCOPED_TRACE(what);
        const auto ours = plain_png_header(test::file_with(file).get());
        ASSERT_TRUE(ours);
        expect_same(*ours, VImage::new_from_buffer(file, ""));
    }
    static std::string png_with(const std::string& chunks, int colour_type = 2) {
        const std::string rows(static_cast<std::size_t>(3 * (1 + 4 * (colour_type == 2 ? 3 : 1))), '\0');
        return test::png_header(4, 3, 8, colour_type) + chunks + test::png_chunk("IDAT", test::zlib_compressed(rows)) +
               test::png_chunk("IEND", "");
    }
};

TEST_F(Header, EveryKindOfJpeg) {
    for (const int bands : {1, 3}) {
        expect_jpeg(test::make_image({.width = 33, .height = 17, .bands = bands}), std::to_string(bands));
    }
    expect_jpeg(test::make_image({.width = 33, .height = 17, .bands = 4, .cmyk = true}), "inks");
}

TEST_F(Header, EverySizeOfAReducedJpeg) {
    for (int edge = 8; edge < 42; ++edge) {
        const std::string file = test::make_image({.width = edge, .height = 50 - edge});
        for (const int shrink : {1, 2, 4, 8}) {
            SCOPED_TRACE(std::to_string(edge) + " at 1/" + std::to_string(shrink));
            const auto ours = plain_jpeg(test::file_with(file).get(), shrink);
            ASSERT_TRUE(ours);
            expect_same(*ours, VImage::new_from_buffer(file, "", VImage::option()->set("shrink", shrink)));
        }
    }
}

TEST_F(Header, OrientationsOfEitherOrder) {
    for (int orientation = 0; orientation <= 9; ++orientation) {
        const std::string little = "Exif\0\0"s + codecs::orientation_exif(orientation);
        expect_jpeg(jpeg_with(segment('\xE1', little)), std::to_string(orientation));
        const std::string value{'\0', static_cast<char>(orientation), '\0', '\0'};
        const std::string big = "Exif\0\0"s + big_endian_orientation('\3', '\1', value);
        expect_jpeg(jpeg_with(segment('\xE1', big)), "big-endian " + std::to_string(orientation));
    }
}

TEST_F(Header, OrientationsInAnyKindOfNumber) {
    const std::pair<char, std::string> kinds[] = {
        {'\1', "\6\0\0\0"s}, {'\3', "\0\6\0\0"s},  {'\4', "\0\0\0\6"s},
        {'\6', "\6\0\0\0"s}, {'\x8', "\0\6\0\0"s}, {'\x9', "\0\0\0\6"s},
    };
    for (const auto& [type, value] : kinds) {
        const std::string exif = "Exif\0\0"s + big_endian_orientation(type, '\1', value);
        expect_jpeg(jpeg_with(segment('\xE1', exif)), "type " + std::to_string(type));
    }
}

TEST_F(Header, OrientationsWithAMarkInFront) {
    const std::string chunk = test::png_chunk("eXIf", "Exif\0\0"s + codecs::orientation_exif(6));
    const auto ours = plain_png_header(test::file_with(png_with(chunk)).get());
    ASSERT_TRUE(ours);
    EXPECT_EQ(vips_image_get_orientation(ours->get_image()), 6);
}

TEST_F(Header, OrientationsThatAreNone) {
    const std::string upright[] = {
        "",
        "II",
        "II*\0\xFF\xFF\xFF\xFF"s,                                // a directory outside of the file
        "II*\0\x08\0\0\0\xFF\xFF"s,                              // more entries than there are
        "II*\0\0\0\0\0\1\0\x12\1\3\0\1\0\0\0\6\0\0\0\0\0\0\0"s,  // a directory in the header
        big_endian_orientation('\2', '\1', "6\0\0\0"s),          // a text
        big_endian_orientation('\3', '\0', "\0\6\0\0"s),         // no value
        big_endian_orientation('\3', '\7', "\0\6\0\0"s),         // values elsewhere
    };
    for (const std::string& exif : upright) {
        const std::span bytes(reinterpret_cast<const std::uint8_t*>(exif.data()), exif.size());
        EXPECT_EQ(codecs::orientation_of(bytes), 1) << exif.size();
    }
}

TEST_F(Header, MetadataOfAJpeg) {
    const std::string exif = segment('\xE1', "Exif\0\0"s + codecs::orientation_exif(6));
    const std::string xmp = segment('\xE1', "http://ns.adobe.com/xap/1.0/\0<x/>"s);
    const std::string iptc = segment('\xED', "Photoshop 3.0\0008BIM"s);
    const auto ours = plain_jpeg_header(test::file_with(jpeg_with(exif + xmp + iptc)).get());
    ASSERT_TRUE(ours);
    EXPECT_EQ(vips_image_get_orientation(ours->get_image()), 6);
    EXPECT_EQ(field(*ours, VIPS_META_XMP_NAME), "<x/>");
    EXPECT_EQ(field(*ours, VIPS_META_IPTC_NAME), "Photoshop 3.0\0008BIM"s);
    expect_jpeg(jpeg_with(exif + xmp + iptc), "all");
    expect_jpeg(jpeg_with(xmp + segment('\xE1', "http://ns.adobe.com/xap/1.0/\0<y/>"s) + exif), "two of a kind");
    expect_jpeg(jpeg_with("\xFF\xFF\xFF"s + exif), "filling");
    expect_jpeg(jpeg_with(segment('\xFE', "words") + segment('\xE5', "Exif\0\0"s)), "of another kind");
}

TEST_F(Header, ProfilesOfAJpeg) {
    const std::string profile = profile_named("srgb");
    const auto part = [&](char number, char count, std::size_t from, std::size_t size) {
        return segment('\xE2', "ICC_PROFILE\0"s + number + count + profile.substr(from, size));
    };
    expect_jpeg(jpeg_with(part(1, 1, 0, std::string::npos)), "whole");
    expect_jpeg(jpeg_with(part(1, 3, 0, 100) + part(2, 3, 100, 100) + part(3, 3, 200, std::string::npos)), "in parts");
    for (const std::string& broken :
         {part(1, 3, 0, 100) + part(3, 3, 200, std::string::npos), part(0, 1, 0, std::string::npos),
          part(1, 2, 0, 100) + part(1, 2, 0, 100), part(1, 2, 0, 100) + part(2, 3, 100, 100)}) {
        const auto ours = plain_jpeg_header(test::file_with(jpeg_with(broken)).get());
        ASSERT_TRUE(ours);
        EXPECT_EQ(field(*ours, VIPS_META_ICC_NAME), "");
    }
}

TEST_F(Header, MetadataOfAPng) {
    const std::string exif = test::png_chunk("eXIf", codecs::orientation_exif(8));
    const std::string profile = profile_named("srgb");
    const auto iccp = [](const std::string& data) {
        return test::png_chunk("iCCP", "name\0\0"s + test::zlib_compressed(data));
    };
    const std::string keyword = "XML:com.adobe.xmp\0"s;
    for (const int bands : {1, 2, 3, 4}) {
        for (const bool deep : {false, true}) {
            expect_png(test::make_image({.format = ImageFormat::png, .bands = bands, .deep = deep}), "a kind");
        }
    }
    expect_png(png_with(exif), "EXIF");
    expect_png(png_with(iccp(profile)), "a profile");
    const auto with_profile = plain_png_header(test::file_with(png_with(iccp(profile))).get());
    ASSERT_TRUE(with_profile);
    EXPECT_EQ(field(*with_profile, VIPS_META_ICC_NAME), profile);
    expect_png(png_with(iccp(profile), 0), "a profile for other colours");
    expect_png(png_with(iccp(profile.substr(0, 200))), "a cut profile");
    expect_png(png_with(test::png_chunk("iCCP", "name\0\0damaged"s)), "a damaged profile");
    expect_png(png_with(test::png_chunk("sRGB", "\0"s) + iccp(profile)), "sRGB before a profile");
    for (const std::string& xmp :
         {test::png_chunk("tEXt", keyword + "<x/>"),
          test::png_chunk("zTXt", keyword + "\0"s + test::zlib_compressed("<x/>")),
          test::png_chunk("iTXt", keyword + "\0\0en\0key\0<x/>"s),
          test::png_chunk("iTXt", keyword + "\1\0en\0key\0"s + test::zlib_compressed("<x/>"))}) {
        expect_png(png_with(xmp), "XMP");
        const auto ours = plain_png_header(test::file_with(png_with(xmp)).get());
        ASSERT_TRUE(ours);
        EXPECT_EQ(field(*ours, VIPS_META_XMP_NAME), "<x/>");
    }
    expect_png(png_with(test::png_chunk("tEXt", "Comment\0XML:com.adobe.xmp"s)), "another text");
    for (const std::string& cut : {keyword, keyword + "\0"s, keyword + "\1\0en"s, "XML:com.adobe.xmp"s}) {
        const auto ours = plain_png_header(test::file_with(png_with(test::png_chunk("iTXt", cut))).get());
        ASSERT_TRUE(ours);
        EXPECT_EQ(field(*ours, VIPS_META_XMP_NAME), "");
    }
}

}  // namespace
}  // namespace tessera::imaging
