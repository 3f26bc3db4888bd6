// Pictures of every depth, with every kind of transparency and every word on colours, through every operation: what
// comes out is what was put in, rounded to eight bits. Sources are built by hand; libpng reads the results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "imaging/colour/profile.hpp"
#include "run_here.hpp"
#include "support/images.hpp"
#include "support/pngs.hpp"
#include "tileset_world.hpp"

namespace tessera {
namespace {

using test::DeepPixel;
using test::encoded;
using test::make_png;
using test::must_run;
using test::PngKind;
using test::PngPixels;
using test::read_by_libpng;
using vips::VImage;

constexpr int edge = 80;
// Four quarters: low bytes that round up, and colours near black.
constexpr DeepPixel quarters[] = {{0x20F0, 0x9000, 0xE0E0, 0x4080},
                                  {0xFFFF, 0x0000, 0x33CC, 0x10F0},
                                  {0x0880, 0x0440, 0x0210, 0xFFFF},
                                  {0xC864, 0xC8C8, 0xC8FA, 0xA0A0}};

DeepPixel source_pixel(int x, int y) {
    return quarters[(x >= edge / 2 ? 1 : 0) + (y >= edge / 2 ? 2 : 0)];
}

using Shade = std::function<std::array<double, 3>(std::array<double, 3>)>;  // samples from 0 to 1
std::array<double, 3> as_it_is(std::array<double, 3> colour) {
    return colour;
}

// The colour of a quarter as the file has it, from 0 to 1.
std::array<double, 3> stored_quarter(const PngKind& kind, std::size_t quarter) {
    const int depth = kind.colour_type == 3 ? 8 : kind.bit_depth;
    std::array<double, 3> colour{};
    for (std::size_t i = 0; i < 3; ++i) {
        const int sample = quarters[quarter][kind.is_grey() ? 0 : i] >> (16 - depth);
        colour[i] = sample / static_cast<double>((1 << depth) - 1);
    }
    return colour;
}

int expected_alpha(const PngKind& kind, std::size_t quarter) {
    const bool own = kind.has_alpha() || (kind.colour_type == 3 && kind.transparent);
    if (own) return test::eight_bits_of(kind, quarters[quarter][3]);
    return kind.transparent && stored_quarter(kind, quarter) == stored_quarter(kind, 0) ? 0 : 255;
}

std::array<int, 4> expected_quarter(const PngKind& kind, std::size_t quarter, const Shade& shade) {
    const auto colour = shade(stored_quarter(kind, quarter));
    const auto sample = [&](std::size_t i) { return static_cast<int>(std::lround(colour[i] * 255)); };
    return {sample(0), sample(1), sample(2), expected_alpha(kind, quarter)};
}

// Quarters of what was made, at their centres.
void expect_quarters(const PngPixels& made, const PngKind& kind, int tolerance, const Shade& shade = as_it_is) {
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
        const int x = (made.width * (quarter % 2 == 0 ? 1 : 3)) / 4;
        const int y = (made.height * (quarter < 2 ? 1 : 3)) / 4;
        const auto wanted = expected_quarter(kind, quarter, shade);
        const auto got = made.at(x, y);
        EXPECT_NEAR(got[3], wanted[3], tolerance) << "alpha of quarter " << quarter;
        for (std::size_t i = 0; i < 3 && wanted[3] > 0; ++i) {
            EXPECT_NEAR(got[i], wanted[i], tolerance) << "sample " << i << " of quarter " << quarter;
        }
    }
}

std::string source_of(const PngKind& kind) {
    return make_png(kind, edge, edge, source_pixel);
}

std::string png_of(const VImage& image) {
    return encoded(image, ".png");
}

class PictureKinds : public testing::Test {
  protected:
    void SetUp() override { test::make_image({}); }  // starts libvips
};

TEST_F(PictureKinds, ResizeAtEveryScale) {
    for (const PngKind& kind : test::all_png_kinds()) {
        const std::string source = source_of(kind);
        for (const int width : {80, 40, 16, 120}) {
            SCOPED_TRACE(test::name_of(kind) + " to " + std::to_string(width));
            const std::string options = R"({"format":"png","enlarge":true,"width":)" + std::to_string(width) + "}";
            expect_quarters(read_by_libpng(must_run("resize", options, source).bytes), kind, width == edge ? 0 : 1);
        }
    }
}

TEST_F(PictureKinds, Optimize) {
    for (const PngKind& kind : test::all_png_kinds()) {
        SCOPED_TRACE(test::name_of(kind));
        const std::string source = source_of(kind);
        expect_quarters(read_by_libpng(must_run("optimize", R"({"effort":3})", source).bytes), kind, 1);
        const std::string exact = must_run("optimize", R"({"effort":3,"lossless":true})", source).bytes;
        PngKind plain = kind;  // libpng's simple interface does not show all of interlaced ones of 16 bits
        plain.interlaced = false;
        const bool own_bytes = exact[28] != 0;
        EXPECT_TRUE(own_bytes || read_by_libpng(exact).samples == read_by_libpng(source_of(plain)).samples);
    }
}

TEST_F(PictureKinds, TilesGridsAndPatches) {
    for (const PngKind& kind : test::all_png_kinds()) {
        SCOPED_TRACE(test::name_of(kind));
        test::TilesetWorld world;
        const Uuid asset = world.add_asset(source_of(kind));
        world.must("tile", R"({"format":"png"})", asset);
        expect_quarters(read_by_libpng(png_of(test::full_size(world.layers()))), kind, 0);

        const std::string picture = R"("asset_id":")" + asset.to_string() + "\"";
        test::TilesetWorld grid = world;
        const std::string block = R"({"column":0,"row":0,)" + picture + "}";
        grid.must("grid_render", R"({"width":80,"height":80,"block_width":80,"line_width":0,"background":"#00000000",)"
                                 R"("blocks":[)" +
                                     block + "]}");
        expect_quarters(read_by_libpng(png_of(test::full_size(grid.layers()))), kind, 0);

        test::TilesetWorld patched = world;
        patched.must("grid_render",
                     R"({"width":100,"height":100,"block_width":100,"line_width":0,"background":"#00000000"})");
        patched.must("tile_patch", R"({"tileset_id":")" + patched.id() +
                                       R"(","patches":[{"x":0,"y":0,"width":40,"height":40,)" + picture + "}]}");
        const VImage patch = test::full_size(patched.layers()).extract_area(0, 0, 40, 40);
        expect_quarters(read_by_libpng(png_of(patch)), kind, 1);
    }
}

double linear_of(double encoded) {
    return encoded <= 0.04045 ? encoded / 12.92 : std::pow((encoded + 0.055) / 1.055, 2.4);
}
double encoded_of(double linear) {
    linear = std::clamp(linear, 0.0, 1.0);
    return linear <= 0.0031308 ? 12.92 * linear : 1.055 * std::pow(linear, 1 / 2.4) - 0.055;
}
Shade power(double exponent) {
    return [exponent](std::array<double, 3> colour) {
        for (double& sample : colour) sample = encoded_of(std::pow(sample, exponent));
        return colour;
    };
}
// From the primaries of P3 with the white of sRGB.
std::array<double, 3> from_p3(std::array<double, 3> linear) {
    return {encoded_of(1.2249401763 * linear[0] - 0.2249401763 * linear[1]),
            encoded_of(-0.0420569547 * linear[0] + 1.0420569547 * linear[1]),
            encoded_of(-0.0196375546 * linear[0] - 0.0786360456 * linear[1] + 1.0982736002 * linear[2])};
}

std::string number(std::uint32_t value) {
    return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
            static_cast<char>(value)};
}
std::string gama(std::uint32_t value) {
    return test::png_chunk("gAMA", number(value));
}
std::string p3_chromaticities() {
    std::string data;
    for (const std::uint32_t value : {31270U, 32900U, 68000U, 32000U, 26500U, 69000U, 15000U, 6000U})
        data += number(value);
    return test::png_chunk("cHRM", data);
}
std::string iccp(const std::string& profile) {
    return test::png_chunk("iCCP", std::string("p\0\0", 3) + test::zlib_compressed(profile));
}

struct Statement {
    const char* name;
    std::string chunks;
    Shade colour;  // of a picture in colour,
    Shade grey;    // and of a grey one
};

std::vector<Statement> statements() {
    const auto p3 = [](std::array<double, 3> c) {
        return from_p3({linear_of(c[0]), linear_of(c[1]), linear_of(c[2])});
    };
    const auto p3_18 = [](std::array<double, 3> c) {
        return from_p3({std::pow(c[0], 1.8), std::pow(c[1], 1.8), std::pow(c[2], 1.8)});
    };
    const imaging::ColourSpace wide{{0.68, 0.32}, {0.265, 0.69}, {0.15, 0.06}, {0.3127, 0.3290}, 1.8};
    const std::string srgb = test::png_chunk("sRGB", std::string(1, '\0'));
    return {
        {"sRGB before gAMA", srgb + gama(100000), as_it_is, as_it_is},
        {"gAMA of sRGB", gama(45455), as_it_is, as_it_is},
        {"gAMA 1", gama(100000), power(1), power(1)},
        {"gAMA 1/1.8", gama(55556), power(1.8), power(1.8)},
        {"gAMA 0", gama(0), as_it_is, as_it_is},
        {"cHRM alone", p3_chromaticities(), p3, as_it_is},
        {"gAMA and cHRM", gama(55556) + p3_chromaticities(), p3_18, power(1.8)},
        {"cICP of P3", test::png_chunk("cICP", std::string("\x0c\x0d\0\1", 4)) + gama(100000), p3, as_it_is},
        {"a profile for colour", iccp(imaging::profile_of(wide, false)), p3_18, as_it_is},
        {"a profile for grey", iccp(imaging::profile_of(wide, true)), as_it_is, power(1.8)},
        {"a profile before gAMA", gama(100000) + iccp(imaging::profile_of(wide, false)), p3_18, power(1)},
    };
}

TEST_F(PictureKinds, ColoursAreWhatTheFileSaysOfThem) {
    for (const Statement& said : statements()) {
        for (const PngKind& kind :
             {PngKind{0, 8}, {2, 8}, {4, 8}, {6, 8}, {0, 16}, {2, 16}, {4, 16}, {6, 16}, {3, 4}}) {
            SCOPED_TRACE(std::string(said.name) + ", " + test::name_of(kind));
            PngKind with = kind;
            with.chunks = said.chunks;
            const std::string source = source_of(with);
            const Shade& shade = kind.is_grey() ? said.grey : said.colour;
            for (const char* options : {R"({"format":"png","width":80})", R"({"format":"png","width":16})"}) {
                expect_quarters(read_by_libpng(must_run("resize", options, source).bytes), kind, 1, shade);
            }
            // What is kept exactly still has to say what it means: it looks the same when it is brought to sRGB.
            const std::string exact = must_run("optimize", R"({"effort":3,"lossless":true})", source).bytes;
            const std::string shown = must_run("resize", R"({"format":"png","width":80})", exact).bytes;
            expect_quarters(read_by_libpng(shown), kind, 1, shade);
        }
    }
}

// As deep as sixteen bits and with alpha, in colour and grey.
VImage deep_picture(int bands) {
    const PngKind kind{bands == 2 ? 4 : 6, 16};
    return test::decoded(source_of(kind));
}

// Samples from 0 to 1 of linear light.
VImage floating_picture() {
    return deep_picture(4)
        .linear(1.0 / 65535, 0)
        .cast(VIPS_FORMAT_FLOAT)
        .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_scRGB));
}

TEST_F(PictureKinds, OtherFormatsThatAreDeep) {
    const struct {
        const char* name;
        int bands;
        std::string source;
        Shade shade;
    } sources[] = {
        {"grey jxl of 16 bits", 2, encoded(deep_picture(2), ".jxl[lossless=true,effort=3]"), as_it_is},
        {"jxl of 16 bits", 4, encoded(deep_picture(4), ".jxl[lossless=true,effort=3]"), as_it_is},
        {"jxl in floating point", 4, encoded(floating_picture(), ".jxl[lossless=true,effort=3]"), power(1)},
        {"avif of 12 bits", 4, encoded(deep_picture(4), ".avif[Q=100,bitdepth=12,effort=0]"), as_it_is},
        {"heif of 10 bits", 4, encoded(deep_picture(4), ".heic[Q=100,bitdepth=10,effort=0]"), as_it_is},
    };
    for (const auto& [name, bands, source, shade] : sources) {
        for (const char* width : {"80", "16"}) {
            SCOPED_TRACE(std::string(name) + " to " + width);
            const std::string options = std::string(R"({"format":"png","width":)") + width + "}";
            const PngKind kind{bands == 2 ? 4 : 6, 16};
            expect_quarters(read_by_libpng(must_run("resize", options, source).bytes), kind, 2, shade);
        }
    }
}

TEST_F(PictureKinds, AnOpaqueAvifOfTwelveBitsIsOpaque) {
    const std::vector<double> colour{40000, 20000, 10000, 65535};
    const VImage opaque = VImage::black(80, 80, VImage::option()->set("bands", 4))
                              .linear({1, 1, 1, 1}, colour)
                              .cast(VIPS_FORMAT_USHORT)
                              .copy(VImage::option()->set("interpretation", VIPS_INTERPRETATION_RGB16));
    const std::string source = encoded(opaque, ".avif[Q=90,bitdepth=12,effort=0]");
    const std::string exact = must_run("optimize", R"({"lossless":true,"format":"png","effort":1})", source).bytes;
    const VImage image = test::decoded(exact);
    ASSERT_EQ(image.format(), VIPS_FORMAT_USHORT);
    EXPECT_TRUE(!image.has_alpha() || image.extract_band(3).max() == 65535);  // lossy: not everywhere
}

// What no encoder of ours can hold exactly stays as it was.
TEST_F(PictureKinds, NothingIsLostOfSamplesThatAreTooLargeForTheEncoder) {
    const std::string avif = encoded(deep_picture(4), ".avif[Q=60,bitdepth=12,effort=0]");
    const auto kept = must_run("optimize", R"({"lossless":true})", avif);
    EXPECT_TRUE(kept.file.metadata.at("kept_source").as_bool());
    EXPECT_TRUE(kept.file.metadata.at("lossless").as_bool());
    EXPECT_EQ((test::decoded(kept.bytes) - test::decoded(avif)).abs().max(), 0);

    const std::string jxl = encoded(floating_picture(), ".jxl[lossless=true,effort=3]");
    const auto kept_jxl = must_run("optimize", R"({"lossless":true})", jxl);
    EXPECT_TRUE(kept_jxl.file.metadata.at("kept_source").as_bool());
    EXPECT_EQ(test::decoded(kept_jxl.bytes).format(), VIPS_FORMAT_FLOAT);
    EXPECT_THROW(must_run("optimize", R"({"lossless":true,"format":"png"})", jxl), std::runtime_error);
}

}  // namespace
}  // namespace tessera
