#include "tiles/pyramid/grid_scene.hpp"

#include <algorithm>
#include <type_traits>

#include "imaging/tile/paint.hpp"

namespace tessera::tiles {
namespace {

template <typename Number>
void append(std::string& text, Number value) {
    static_assert(std::is_integral_v<Number>);
    text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

struct Interval {
    std::int64_t first;
    std::int64_t end;
};

// The lines across [first, end) of an axis: one at the start of each block, and one that closes the canvas. Given from
// `first` on, and cut to the part.
template <typename Visit>
void for_each_line(std::int64_t first, std::int64_t end, std::int64_t block, std::int64_t width, std::int64_t length,
                   Visit visit) {
    if (width == 0) return;
    const auto clipped = [&](std::int64_t from, std::int64_t to) {
        const Interval line{std::max(from, first), std::min(to, end)};
        if (line.first < line.end) visit(Interval{line.first - first, line.end - first});
    };
    for (std::int64_t at = first / block * block; at < end; at += block) clipped(at, at + width);
    clipped(length - width, length);
}

}  // namespace

PixelRect grid_block_area(const GridDesign& design, std::int64_t column, std::int64_t row, std::int64_t columns,
                          std::int64_t rows) {
    const std::int64_t line = design.line_width;
    return {column * design.block_width + line, row * design.block_height + line, columns * design.block_width - line,
            rows * design.block_height - line};
}

GridScene::Blocks GridScene::all_blocks() const {
    Blocks all(design_.blocks.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

GridScene::Blocks GridScene::seen_in(const PixelRect& part, std::span<const std::uint32_t> blocks) const {
    Blocks seen;
    for (const std::uint32_t number : blocks) {
        const GridBlock& block = design_.blocks[number];
        const PixelRect common = intersect(block.area, part);
        if (common.empty()) continue;
        const auto* colour = std::get_if<Colour>(&block.filling);
        if (colour != nullptr && colour->opaque() && common == part) seen.clear();  // it hides what is below
        seen.push_back(number);
    }
    return seen;
}

void GridScene::describe(const PixelRect& part, std::span<const std::uint32_t> seen, std::string& text) const {
    append(text, part.width);
    append(text, part.height);
    const auto line = [&](Interval it) {
        append(text, static_cast<std::int32_t>(it.first));
        append(text, static_cast<std::int32_t>(it.end));
    };
    for_each_line(part.x, part.right(), design_.block_width, design_.line_width, design_.size.width, line);
    append(text, std::int32_t{-1});
    for_each_line(part.y, part.bottom(), design_.block_height, design_.line_width, design_.size.height, line);
    append(text, std::int32_t{-1});
    for (const std::uint32_t number : seen) {
        const GridBlock& block = design_.blocks[number];
        const PixelRect common = intersect(block.area, part);
        for (const std::int64_t edge : {common.x - part.x, common.y - part.y, common.width, common.height})
            append(text, edge);
        if (const auto* colour = std::get_if<Colour>(&block.filling)) {
            for (const std::uint8_t byte : {colour->red, colour->green, colour->blue, colour->alpha})
                append(text, byte);
        } else {
            append(text, std::get<imaging::Raster>(block.filling).offset);
            append(text, common.x - block.area.x);
            append(text, common.y - block.area.y);
        }
    }
}

JobResult<void> GridScene::paint(const PixelRect& part, std::span<const std::uint32_t> seen, ImageBuffer& out) const {
    fill_rectangle(out, 0, 0, part.width, part.height, design_.background);
    const Colour line = imaging::blend(design_.line, design_.background);  // once, where lines cross as well
    for_each_line(part.x, part.right(), design_.block_width, design_.line_width, design_.size.width,
                  [&](Interval it) { fill_rectangle(out, it.first, 0, it.end - it.first, part.height, line); });
    for_each_line(part.y, part.bottom(), design_.block_height, design_.line_width, design_.size.height,
                  [&](Interval it) { fill_rectangle(out, 0, it.first, part.width, it.end - it.first, line); });
    for (const std::uint32_t number : seen) {
        const GridBlock& block = design_.blocks[number];
        const PixelRect common = intersect(block.area, part);
        if (const auto* colour = std::get_if<Colour>(&block.filling)) {
            imaging::paint(out, common.x - part.x, common.y - part.y, common.width, common.height, *colour);
            continue;
        }
        ImageBuffer pixels(PixelLayout::rgba, common.width, common.height);
        const auto& raster = std::get<imaging::Raster>(block.filling);
        if (auto read = rasters_.read(raster, common.x - block.area.x, common.y - block.area.y, pixels); !read)
            return read;
        imaging::paint(out, common.x - part.x, common.y - part.y, pixels.view());
    }
    return {};
}

}  // namespace tessera::tiles
