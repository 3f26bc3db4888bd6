// The eight ways a rectangle can lie, and where its parts go when it is laid another way.
#pragma once

#include "imaging/pixels/fit.hpp"

namespace tessera::imaging {

// Mirrored first (left to right), then turned clockwise.
struct Turn {
    int quarters = 0;  // 0 to 3
    bool mirrored = false;

    // What makes a picture upright that has this EXIF orientation, 1 to 8.
    static Turn from_orientation(int orientation);
    // The orientation that a viewer undoes in this way.
    [[nodiscard]] int orientation() const;
    // This one, and `next` after it.
    [[nodiscard]] Turn then(Turn next) const;
    // This one, and `more` quarters clockwise after it.
    [[nodiscard]] Turn then(int more) const { return {(quarters + more) % 4, mirrored}; }
    [[nodiscard]] Turn undone() const { return mirrored ? *this : Turn{(4 - quarters) % 4, false}; }
    [[nodiscard]] bool none() const { return quarters == 0 && !mirrored; }
    [[nodiscard]] bool swaps_axes() const { return quarters % 2 == 1; }
    bool operator==(const Turn&) const = default;
};

struct Area {
    std::int64_t left = 0;
    std::int64_t top = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    [[nodiscard]] Size size() const { return {width, height}; }
    bool operator==(const Area&) const = default;
};

// A place in a picture as shares of its width and height, from its top left.
struct Point {
    double x = 0.5;
    double y = 0.5;
};

Size turned(Size size, Turn turn);
// Where a part of a picture of that size lies when the picture is turned.
Area turned(Area area, Size whole, Turn turn);
Point turned(Point point, Turn turn);

}  // namespace tessera::imaging
