// Turns and mirrors a picture that is decoded once from top to bottom, in a few strips of memory: its pixels go to
// a scratch file in blocks that are read back in their new order.
#pragma once

#include <filesystem>
#include <memory>

#include "imaging/pixels/row_source.hpp"

namespace tessera::imaging {

// One of the eight ways a rectangle can lie. Mirrored first (left to right), then turned clockwise.
struct Turn {
    int quarters = 0;  // 0 to 3
    bool mirrored = false;

    // What makes a picture upright that has this EXIF orientation, 1 to 8.
    static Turn from_orientation(int orientation);
    // This one, and `more` quarters clockwise after it.
    [[nodiscard]] Turn then(int more) const { return {(quarters + more) % 4, mirrored}; }
    [[nodiscard]] bool none() const { return quarters == 0 && !mirrored; }
    bool operator==(const Turn&) const = default;
};

// `inner` must have one plane: gray, rgb or rgba.
std::unique_ptr<RowSource> turned(std::unique_ptr<RowSource> inner, Turn turn, std::filesystem::path scratch);

}  // namespace tessera::imaging
