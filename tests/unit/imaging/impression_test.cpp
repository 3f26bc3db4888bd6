#include "imaging/picture/impression.hpp"

#include <gmock/gmock.h>

#include "core/base64.hpp"

namespace tessera::imaging {
namespace {

using testing::ElementsAre;

template <typename Pixel>
SmallPicture picture(int width, int height, Pixel pixel) {
    SmallPicture made{width, height, {}};
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const std::array<int, 4> bytes = pixel(x, y);
            SmallPicture::Cell cell{};
            for (std::size_t i = 0; i < 4; ++i) cell[i] = static_cast<float>(bytes[i]) / 255;
            made.cells.push_back(cell);
        }
    }
    return made;
}

using Bytes = std::array<int, 4>;
// Rough, so that no wave is nothing but rounding; lightest at the top left, as one of the encoders looks at what is
// above the mean alone.
const SmallPicture rough = picture(8, 6, [](int x, int y) {
    return Bytes{250 - x * x * 4, (x * 73 + y * 151) % 200, 255 - y * y * 9, 255};
});
const SmallPicture tall = picture(6, 8, [](int x, int y) {
    return Bytes{250 - y * y * 3, (x * 73 + y * 151) % 200, 255 - x * x * 7, 255};
});
const SmallPicture clear = picture(6, 6, [](int x, int y) {
    return Bytes{250 - x * x * 9, (x * 31 + y * 57) % 90, 240 - y * y * 6, (x * x + y) % 3 == 0 ? 0 : 255};
});

// What the authors' own encoders (npm: thumbhash 0.1, blurhash 2.0) make of the same pixels.
TEST(ThumbHash, IsWhatTheAuthorsEncoderMakes) {
    EXPECT_EQ(to_base64(thumbhash_of(rough)), "5ZYKdZhdaIiPh3d1iHd3h2qA+YaH");
    EXPECT_EQ(to_base64(thumbhash_of(tall)), "qMYKXRBPaH5nWYeIh3WXeJB6lvho");
    EXPECT_EQ(to_base64(thumbhash_of(clear)), "YfWGNRI6X2ecd3doeW6A+HV4eHhpWIe4BQ==");
}

TEST(BlurHash, IsWhatTheAuthorsEncoderMakes) {
    EXPECT_EQ(blurhash_of(rough), "L~MXdY|}wLxJ$;w~n*oOe^e?f7f+");
    EXPECT_EQ(blurhash_of(tall), "T~NjlS,}e]}Hw$f9r[jafj$,n.fl");
}

TEST(Palette, HasTheColourOfMostFirst) {
    const SmallPicture flag = picture(30, 30, [](int x, int y) {
        if (x < 3 && y < 15) return Bytes{255, 255, 255, 255};
        return y < 20 ? Bytes{200, 10, 20, 255} : Bytes{10, 20, 90, 255};
    });
    EXPECT_THAT(palette_of(flag),
                ElementsAre(Colour{200, 10, 20, 255}, Colour{10, 20, 90, 255}, Colour{255, 255, 255, 255}));
    const SmallPicture plain = picture(9, 9, [](int, int) { return Bytes{1, 2, 3, 255}; });
    EXPECT_THAT(palette_of(plain), ElementsAre(Colour{1, 2, 3, 255}));
    const SmallPicture hidden = picture(9, 9, [](int x, int) { return Bytes{255, 0, 0, x == 4 ? 255 : 0}; });
    EXPECT_THAT(palette_of(hidden), ElementsAre(Colour{255, 0, 0, 255})) << "what nobody sees is no colour of it";
    EXPECT_LE(palette_of(rough).size(), 6);
}

TEST(SmallSums, AreTheMeansOfWhatPasses) {
    // Half black, half white, 640 pixels wide: as many cells as are looked at have the same share of both.
    SmallSums sums({640, 320}, 1);
    std::vector<std::uint8_t> row(640, 0);
    std::fill(row.begin() + 320, row.end(), std::uint8_t{255});
    for (int y = 0; y < 320; ++y) sums.add(y, row.data());
    const SmallPicture made = sums.picture();
    EXPECT_EQ(made.width, 32);
    EXPECT_EQ(made.height, 16);
    EXPECT_EQ(made.at(0, 0)[0], 0);
    EXPECT_EQ(made.at(31, 15)[1], 1);
    EXPECT_EQ(made.at(31, 15)[3], 1);
}

TEST(SmallSums, WeighColoursByTheirOpacity) {
    SmallSums sums({2, 1}, 4);
    const std::array<std::uint8_t, 8> row{255, 0, 0, 0, 0, 0, 255, 255};
    sums.add(0, row.data());
    const SmallPicture made = sums.picture();
    EXPECT_EQ(made.at(0, 0)[3], 0);
    EXPECT_THAT(made.at(1, 0), ElementsAre(0, 0, 1, 1));
}

TEST(SmallPictures, TurnAsPicturesDo) {
    const SmallPicture numbered = picture(3, 2, [](int x, int y) { return Bytes{x, y, 0, 255}; });
    const SmallPicture right = turned(numbered, Turn{1, false});
    EXPECT_EQ(right.width, 2);
    EXPECT_EQ(right.height, 3);
    EXPECT_EQ(right.at(1, 0), numbered.at(0, 0));
    EXPECT_EQ(right.at(0, 2), numbered.at(2, 1));
}

TEST(Impressions, OfNothingAreNone) {
    EXPECT_FALSE(impression_of(picture(4, 4, [](int, int) { return Bytes{9, 9, 9, 0}; })));
    EXPECT_FALSE(impression_of(SmallPicture{}));
    EXPECT_TRUE(impression_of(rough));
}

}  // namespace
}  // namespace tessera::imaging
