#include "imaging/pixels/box_shrink.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace tessera::imaging {
namespace {

using Row = std::vector<std::uint8_t>;

Row shrunk(int width, int bands, const std::vector<Row>& rows, BoxFactors factors) {
    BoxShrink shrink(width, bands, 1, factors);
    for (const Row& row : rows) shrink.add(row.data());
    Row out(static_cast<std::size_t>(shrink.width() * bands));
    shrink.take(out.data());
    return out;
}

TEST(BoxShrink, TakesTheMeanOfEachBox) {
    EXPECT_EQ(shrunk(4, 1, {{0, 10, 20, 30}, {2, 12, 20, 31}}, {2, 2}), (Row{6, 25}));
    EXPECT_EQ(shrunk(2, 3, {{1, 2, 3, 3, 4, 5}}, {2, 1}), (Row{2, 3, 4}));
    EXPECT_EQ(shrunk(3, 1, {{255, 255, 255}, {255, 255, 255}, {255, 255, 255}}, {3, 3}), (Row{255}));
}

TEST(BoxShrink, MakesTheLastBoxTakeWhatIsLeft) {
    EXPECT_EQ(BoxShrink::shrunk(7, 3), 2);
    EXPECT_EQ(BoxShrink::shrunk(8, 3), 3);
    EXPECT_EQ(BoxShrink::shrunk(1, 3), 1);
    EXPECT_EQ(shrunk(7, 1, {{3, 3, 3, 8, 8, 8, 16}}, {3, 1}), (Row{3, 10}));
    EXPECT_EQ(shrunk(8, 1, {{3, 3, 3, 8, 8, 8, 16, 18}}, {3, 1}), (Row{3, 8, 17}));
}

TEST(BoxShrink, WeighsColoursByTheirOpacity) {
    EXPECT_EQ(shrunk(2, 4, {{255, 0, 0, 0, 0, 0, 200, 255}}, {2, 1}), (Row{0, 0, 200, 128}));
    EXPECT_EQ(shrunk(2, 2, {{9, 1, 90, 3}}, {2, 1}), (Row{70, 2}));
    EXPECT_EQ(shrunk(2, 4, {{255, 1, 2, 0, 3, 4, 200, 0}}, {2, 1}), (Row{0, 0, 0, 0})) << "nothing to weigh";
}

TEST(BoxShrink, StartsAnewAfterEachRow) {
    BoxShrink shrink(2, 1, 1, {2, 1});
    std::uint8_t out = 0;
    for (const int grey : {10, 200}) {
        const auto value = static_cast<std::uint8_t>(grey);
        shrink.add(Row{value, value}.data());
        shrink.take(&out);
        EXPECT_EQ(out, value);
    }
}

TEST(BoxShrink, HoldsTheLargestSums) {
    constexpr int rows = BoxShrink::most;
    BoxShrink shrink(3, 4, 1, {3, rows});
    const Row white(12, 255);
    for (int i = 0; i < rows + rows / 2; ++i) shrink.add(white.data());  // the last box may be half larger
    Row out(4);
    shrink.take(out.data());
    EXPECT_EQ(out, (Row{255, 255, 255, 255}));
}

TEST(BoxShrink, ReadsTwoBytesASample) {
    BoxShrink shrink(2, 3, 2, {2, 1});
    const std::array<std::uint16_t, 6> row{65535, 1000, 0, 65535, 3000, 1};
    shrink.add(reinterpret_cast<const std::uint8_t*>(row.data()));
    std::array<std::uint16_t, 3> out{};
    shrink.take(reinterpret_cast<std::uint8_t*>(out.data()));
    EXPECT_EQ(out, (std::array<std::uint16_t, 3>{65535, 2000, 1}));
}

}  // namespace
}  // namespace tessera::imaging
