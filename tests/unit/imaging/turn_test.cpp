#include "imaging/pixels/turn.hpp"

#include <gtest/gtest.h>

namespace tessera::imaging {
namespace {

TEST(Turn, IsOneOfEightAndEachIsUndone) {
    for (int orientation = 1; orientation <= 8; ++orientation) {
        const Turn turn = Turn::from_orientation(orientation);
        EXPECT_EQ(turn.orientation(), orientation);
        EXPECT_TRUE(turn.then(turn.undone()).none()) << orientation;
        EXPECT_TRUE(turn.undone().then(turn).none()) << orientation;
    }
    EXPECT_TRUE(Turn::from_orientation(0).none());
    EXPECT_TRUE(Turn::from_orientation(9).none());
}

TEST(Turn, TakesAPartAlong) {
    const Size whole{100, 40};
    const Area part{10, 5, 30, 20};
    EXPECT_EQ(turned(part, whole, Turn{1, false}), (Area{15, 10, 20, 30}));
    EXPECT_EQ(turned(part, whole, Turn{2, false}), (Area{60, 15, 30, 20}));
    EXPECT_EQ(turned(part, whole, Turn{0, true}), (Area{60, 5, 30, 20}));
    for (int first = 1; first <= 8; ++first) {
        for (int second = 1; second <= 8; ++second) {
            const Turn one = Turn::from_orientation(first);
            const Turn other = Turn::from_orientation(second);
            const Area in_two_steps = turned(turned(part, whole, one), turned(whole, one), other);
            EXPECT_EQ(turned(part, whole, one.then(other)), in_two_steps) << first << " and " << second;
        }
    }
}

TEST(Turn, TakesAPointAlong) {
    const Point point = turned(Point{0.25, 0.75}, Turn{1, false});
    EXPECT_DOUBLE_EQ(point.x, 0.25);
    EXPECT_DOUBLE_EQ(point.y, 0.25);
    const Point mirrored = turned(Point{0.25, 0.75}, Turn{0, true});
    EXPECT_DOUBLE_EQ(mirrored.x, 0.75);
    EXPECT_DOUBLE_EQ(mirrored.y, 0.75);
}

}  // namespace
}  // namespace tessera::imaging
