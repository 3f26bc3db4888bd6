#include "imaging/pixels/turn.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tessera::imaging {
namespace {

// By EXIF orientation, from 1.
constexpr std::array<Turn, 8> upright_turns{
    Turn{0, false}, Turn{0, true},  Turn{2, false}, Turn{2, true},
    Turn{3, true},  Turn{1, false}, Turn{1, true},  Turn{3, false},
};

}  // namespace

Turn Turn::from_orientation(int orientation) {
    if (orientation < 1 || orientation > 8) return {};
    return upright_turns[static_cast<std::size_t>(orientation - 1)];
}

int Turn::orientation() const {
    const auto* const found = std::ranges::find(upright_turns, *this);
    return static_cast<int>(found - upright_turns.begin()) + 1;
}

// Mirroring after a turn is turning the other way after a mirroring.
Turn Turn::then(Turn next) const {
    const int before = next.mirrored ? 4 - quarters : quarters;
    return {(before + next.quarters) % 4, mirrored != next.mirrored};
}

Size turned(Size size, Turn turn) {
    return turn.swaps_axes() ? Size{size.height, size.width} : size;
}

Area turned(Area area, Size whole, Turn turn) {
    if (turn.mirrored) area.left = whole.width - area.left - area.width;
    for (int i = 0; i < turn.quarters; ++i) {
        area = {whole.height - area.top - area.height, area.left, area.height, area.width};
        std::swap(whole.width, whole.height);
    }
    return area;
}

Point turned(Point point, Turn turn) {
    if (turn.mirrored) point.x = 1 - point.x;
    for (int i = 0; i < turn.quarters; ++i) point = {1 - point.y, point.x};
    return point;
}

}  // namespace tessera::imaging
