#include "tiles/patch/cells.hpp"

#include <algorithm>

namespace tessera::tiles {

void DirtyCells::add(const PixelRect& area) {
    if (area.empty()) return;
    for (std::int64_t row = area.y / cell_size; row <= (area.bottom() - 1) / cell_size; ++row) {
        for (std::int64_t column = area.x / cell_size; column <= (area.right() - 1) / cell_size; ++column) {
            cells_[index(static_cast<int>(column), static_cast<int>(row))] = true;
        }
    }
}

bool DirtyCells::any() const {
    return std::find(cells_.begin(), cells_.end(), true) != cells_.end();
}

std::vector<DirtyCells::Rows> DirtyCells::rows() const {
    std::vector<Rows> pieces;
    for (int row = 0; row < across_; ++row) {
        const auto first = cells_.begin() + static_cast<std::ptrdiff_t>(index(0, row));
        if (std::find(first, first + across_, true) == first + across_) continue;
        const int top = row * cell_size;
        if (pieces.empty() || pieces.back().bottom != top) pieces.push_back({top, top});
        pieces.back().bottom = top + cell_size;
    }
    return pieces;
}

void PixelSet::set(const PixelRect& area, bool member) {
    for (std::int64_t y = area.y; y < area.bottom(); ++y) {
        std::fill_n(pixels_.begin() + y * size_ + area.x, area.width, member ? std::uint8_t{1} : std::uint8_t{0});
    }
}

bool PixelSet::any() const {
    return std::find(pixels_.begin(), pixels_.end(), std::uint8_t{1}) != pixels_.end();
}

PixelSet PixelSet::within(const std::vector<PixelRect>& areas) const {
    PixelSet inside(static_cast<int>(size_));
    for (const PixelRect& area : areas) inside.set(area, true);
    for (std::size_t i = 0; i < pixels_.size(); ++i) inside.pixels_[i] &= pixels_[i];
    return inside;
}

void PixelSet::remove(const PixelSet& others) {
    for (std::size_t i = 0; i < pixels_.size(); ++i) pixels_[i] &= static_cast<std::uint8_t>(1 - others.pixels_[i]);
}

void add_half(const DirtyCells& child, int column, int row, DirtyCells& parent) {
    const std::int64_t half_tile = std::int64_t{child.across()} * cell_size / 2;
    child.for_each([&](int x, int y) {
        constexpr std::int64_t half_cell = cell_size / 2;
        parent.add({column * half_tile + x * half_cell, row * half_tile + y * half_cell, half_cell, half_cell});
    });
}

}  // namespace tessera::tiles
