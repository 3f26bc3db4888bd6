// What is shown of HEIF and AVIF files with more than one plain picture in them.
#include <gmock/gmock.h>

#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "pixels.hpp"
#include "support/heifs.hpp"

namespace tessera::imaging {
namespace {

using test::coded_item;
using test::HeifItem;
using test::HeifLayout;
using test::make_heif;
using test::Quarters;
using test::Rgb;

constexpr Rgb red{200, 0, 0};
constexpr Rgb green{0, 200, 0};
constexpr Rgb blue{0, 0, 200};
constexpr Rgb white{230, 230, 230};

class Heif : public testing::Test {
  protected:
    void SetUp() override { ASSERT_TRUE(start_vips().ok()); }

    static HeifItem with(HeifItem item, const std::vector<std::string>& properties) {
        item.properties.insert(item.properties.end(), properties.begin(), properties.end());
        return item;
    }

    static HeifItem behind(const std::vector<std::string>& properties, HeifItem item) {
        item.properties.insert(item.properties.begin(), properties.begin(), properties.end());
        return item;
    }

    // The probe and the decoder agree on the size, and the quarters have these colours.
    static void expect_quarters(const std::string& file, int width, int height, const std::vector<Rgb>& colours,
                                double scale = 1) {
        const auto info = probe(test::file_with(file).get(), {});
        ASSERT_TRUE(info.ok()) << info.error().message;
        EXPECT_EQ(info->width, width);
        EXPECT_EQ(info->height, height);
        std::string complaint;
        const auto pixels = pixels_of(file, ImageFormat::avif, &complaint);
        ASSERT_TRUE(pixels) << complaint;
        ASSERT_EQ(pixels->width, width);
        ASSERT_EQ(pixels->height, height);
        for (int quarter = 0; quarter < 4; ++quarter) {
            const auto pixel =
                pixels->at(quarter % 2 == 0 ? width / 4 : width * 3 / 4, quarter < 2 ? height / 4 : height * 3 / 4);
            const Rgb& colour = colours[static_cast<std::size_t>(quarter)];
            EXPECT_NEAR(pixel[0] / scale, colour.red, 6) << "quarter " << quarter;
            EXPECT_NEAR(pixel[1] / scale, colour.green, 6) << "quarter " << quarter;
            EXPECT_NEAR(pixel[2] / scale, colour.blue, 6) << "quarter " << quarter;
        }
    }
};

TEST_F(Heif, ThePrimaryItemIsShownWhereverItLies) {
    const Quarters first{.width = 32, .height = 80, .colours = {white, white, white, white}};
    for (const bool av1 : {true, false}) {
        const Quarters second{.width = 128, .height = 64, .av1 = av1};
        const HeifItem other = coded_item(first);
        const HeifItem shown = coded_item(second);
        expect_quarters(make_heif({.items = {shown, other}, .primary = 1}), 128, 64, {red, green, blue, white});
        expect_quarters(make_heif({.items = {other, shown}, .primary = 2}), 128, 64, {red, green, blue, white});
        expect_quarters(make_heif({.items = {other, other, shown}, .primary = 3}), 128, 64, {red, green, blue, white});
    }
}

TEST_F(Heif, ThePrimaryItemSaysWhatTheFileIs) {
    const HeifItem av1 = coded_item({});
    const HeifItem hevc = coded_item({.av1 = false});
    const auto format = [](const HeifLayout& layout) {
        const auto info = probe(test::file_with(make_heif(layout)).get(), {});
        return info.ok() ? std::string(to_string(info->format)) : info.error().message;
    };
    EXPECT_EQ(format({.items = {av1, hevc}, .primary = 1}), "avif");
    EXPECT_EQ(format({.items = {av1, hevc}, .primary = 2}), "heif");
    HeifItem grid{"grid", test::grid_data(1, 1, 64, 48), {test::extent(64, 48)}};
    EXPECT_EQ(format({.items = {hevc, av1, grid}, .primary = 3, .references = {{"dimg", 3, {2}}}}), "avif");
}

TEST_F(Heif, ItIsTurnedMirroredAndCroppedAsTheFileSays) {
    struct Case {
        std::vector<std::string> properties;
        int width;
        int height;
        std::vector<Rgb> colours;
    };
    const std::vector<Case> cases = {
        {{test::rotation(1)}, 48, 64, {green, white, red, blue}},  // against the clock
        {{test::rotation(2)}, 64, 48, {white, blue, green, red}},
        {{test::rotation(3)}, 48, 64, {blue, red, white, green}},
        {{test::mirror(0)}, 64, 48, {blue, white, red, green}},  // top and bottom
        {{test::mirror(1)}, 64, 48, {green, red, white, blue}},  // left and right
        {{test::rotation(1), test::mirror(1)}, 48, 64, {white, green, blue, red}},
        {{test::clean_aperture(32, 24, 0, 0)}, 32, 24, {red, green, blue, white}},
        {{test::clean_aperture(32, 24, -16, -12)}, 32, 24, {red, red, red, red}},
        {{test::clean_aperture(32, 24, -16, 12), test::rotation(1)}, 24, 32, {blue, blue, blue, blue}},
        {{test::clean_aperture(32, 48, 16, 0), test::rotation(3), test::mirror(0)},
         48,
         32,
         {white, green, white, green}},
    };
    const HeifItem other = coded_item({.width = 32, .height = 80, .colours = {white, white, white, white}});
    for (const int bits : {8, 12}) {
        const HeifItem plain = coded_item({.bits = bits});
        for (std::size_t i = 0; i < cases.size(); ++i) {
            SCOPED_TRACE(testing::Message() << "case " << i << ", bits " << bits);
            // Some cameras say how it is turned before they say how large it is.
            for (const HeifItem& item : {with(plain, cases[i].properties), behind(cases[i].properties, plain)}) {
                expect_quarters(make_heif({.items = {other, item}, .primary = 2}), cases[i].width, cases[i].height,
                                cases[i].colours, bits == 8 ? 1 : 257);
            }
        }
    }
}

TEST_F(Heif, AGridIsPutTogetherAndCutToItsSize) {
    std::vector<HeifItem> items;
    for (const Rgb& colour : {red, green, blue, white}) {
        items.push_back(coded_item({.width = 64, .height = 64, .colours = {colour, colour, colour, colour}}));
    }
    items.push_back({"grid", test::grid_data(2, 2, 120, 110), {test::extent(120, 110)}});
    expect_quarters(make_heif({.items = items, .primary = 5, .references = {{"dimg", 5, {1, 2, 3, 4}}}}), 120, 110,
                    {red, green, blue, white});
    items.back().properties.push_back(test::rotation(1));
    expect_quarters(make_heif({.items = items, .primary = 5, .references = {{"dimg", 5, {1, 2, 3, 4}}}}), 110, 120,
                    {green, white, red, blue});
}

TEST_F(Heif, AnAuxiliaryPictureIsAlphaWhereItSaysSoAndNothingOtherwise) {
    const HeifItem shown = coded_item({});
    for (const bool is_alpha : {true, false}) {
        const HeifItem auxiliary =
            with(test::coded_grey(64, 48, 128),
                 {test::auxiliary_type(is_alpha ? "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha"
                                                : "urn:mpeg:mpegB:cicp:systems:auxiliary:depth")});
        const std::string file =
            make_heif({.items = {auxiliary, shown}, .primary = 2, .references = {{"auxl", 1, {2}}}});
        expect_quarters(file, 64, 48, {red, green, blue, white});
        const auto pixels = pixels_of(file, ImageFormat::avif);
        ASSERT_TRUE(pixels);
        ASSERT_EQ(pixels->bands, is_alpha ? 4 : 3);
        if (is_alpha) {
            EXPECT_NEAR(pixels->at(5, 5)[3], 128, 3);
        }
    }
}

TEST_F(Heif, ColoursThatAreWeightedByTheirOpacityAreNotAfterwards) {
    const Quarters half{.colours = {{100, 0, 0}, {0, 100, 0}, {0, 0, 100}, {115, 115, 115}}};
    const HeifItem alpha =
        with(test::coded_grey(64, 48, 128), {test::auxiliary_type("urn:mpeg:mpegB:cicp:systems:auxiliary:alpha")});
    expect_quarters(make_heif({.items = {coded_item(half), alpha}, .references = {{"auxl", 2, {1}}, {"prem", 1, {2}}}}),
                    64, 48, {red, green, blue, white});
}

TEST_F(Heif, DeepWhiteIsWhite) {
    const Rgb brightest{255, 255, 255};
    Quarters picture{.colours = {brightest, brightest, brightest, brightest}, .bits = 12};
    const auto pixels = pixels_of(make_heif({.items = {coded_item(picture)}}), ImageFormat::avif);
    ASSERT_TRUE(pixels);
    // 255 of 8 bits is 4080 of 4095.
    EXPECT_NEAR(pixels->at(3, 3)[0], 4080 * 65535 / 4095.0, 200);
}

}  // namespace
}  // namespace tessera::imaging
