#include "tiles/patch_canvas.hpp"

#include <algorithm>
#include <cstring>

#include "imaging/tile/decoder.hpp"
#include "imaging/tile/halve.hpp"
#include "imaging/tile/png_recipe.hpp"

namespace tessera::tiles {

using imaging::ImageBuffer;
using imaging::PixelLayout;

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

DirtyCells::Rows DirtyCells::rows() const {
    const auto first = std::find(cells_.begin(), cells_.end(), true);
    if (first == cells_.end()) return {};
    const auto last = std::find(cells_.rbegin(), cells_.rend(), true);
    const auto row_of = [&](std::ptrdiff_t cell) { return static_cast<int>(cell) / across_; };
    return {row_of(first - cells_.begin()) * cell_size, (row_of(cells_.rend() - last - 1) + 1) * cell_size};
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

Result<std::shared_ptr<PatchCanvas>> PatchCanvas::open(const imaging::TileEncoding& encoding, Bytes original,
                                                       int tile_size, DirtyCells dirty) {
    std::shared_ptr<PatchCanvas> canvas(new PatchCanvas(std::move(dirty)));
    canvas->original_ = std::move(original);
    if (encoding.format == ImageFormat::jpeg) {
        if (auto opened = canvas->open_jpeg(encoding, tile_size); !opened) return opened.error();
        return canvas;
    }
    if (encoding.format == ImageFormat::png) {
        if (auto opened = canvas->open_png(tile_size); !opened) return opened.error();
        return canvas;
    }
    auto decoded = imaging::decode_tile(encoding.format, canvas->original_, tile_size, PixelLayout::rgba);
    if (!decoded) return decoded.error();
    canvas->pixels_ = std::move(*decoded);
    return canvas;
}

Result<void> PatchCanvas::open_png(int tile_size) {
    const auto [top, bottom] = dirty_.rows();
    png_ = imaging::read_png_tile(original_, tile_size, bottom + 1);
    if (!png_) return internal_error("a png tile can't be decoded");
    pixels_ = ImageBuffer(PixelLayout::rgba, tile_size, tile_size);
    png_->paint(pixels_, top, bottom);
    return {};
}

// Blocks of a plane that any dirty cell lies in: one each, or one for four where the plane is halved.
template <typename Visit>
void PatchCanvas::for_each_dirty_block(int plane, Visit visit) const {
    const int shift = plane_shift(pixels_.layout(), plane);
    const int across = dirty_.across() >> shift;
    for (int row = 0; row < across; ++row) {
        for (int column = 0; column < across; ++column) {
            bool dirty = false;
            for (int i = 0; i < 1 << (2 * shift); ++i) {
                dirty = dirty || dirty_.has((column << shift) + i % 2, (row << shift) + i / 2);
            }
            if (dirty) visit(column, row);
        }
    }
}

Result<void> PatchCanvas::open_jpeg(const imaging::TileEncoding& encoding, int tile_size) {
    auto blocks = imaging::JpegBlocks::open(original_, tile_size);
    if (!blocks) return blocks.error();
    if ((*blocks)->layout() == PixelLayout::gray) {
        // Patches may bring colour: the tile gets planes for it, and is encoded as a whole.
        const bool full = encoding.quality >= imaging::full_colour_jpeg_quality;
        ImageBuffer gray(PixelLayout::gray, tile_size, tile_size);
        pixels_ = ImageBuffer(full ? PixelLayout::ycbcr444 : PixelLayout::ycbcr420, tile_size, tile_size);
        imaging::fill(pixels_, 0, 0, tile_size, tile_size, Colour{128, 128, 128, 255});
        for (int i = 0; i < dirty_.across() * dirty_.across(); ++i) {
            (*blocks)->decode(0, i % dirty_.across(), i / dirty_.across(), gray);
        }
        for (int y = 0; y < tile_size; ++y)
            std::memcpy(pixels_.row(0, y), gray.row(0, y), static_cast<std::size_t>(tile_size));
        return {};
    }
    blocks_ = std::move(*blocks);
    pixels_ = ImageBuffer(blocks_->layout(), tile_size, tile_size);
    for (int plane = 0; plane < 3; ++plane) {
        for_each_dirty_block(plane, [&](int column, int row) { blocks_->decode(plane, column, row, pixels_); });
    }
    return {};
}

void PatchCanvas::take_back(const PatchCanvas& earlier, const PixelSet& wanted) {
    const PixelLayout layout = pixels_.layout();
    if (earlier.pixels_.layout() != layout) return;  // nothing is lost but a little sharpness
    const auto bytes = static_cast<std::size_t>(bytes_per_pixel(layout));
    for (int plane = 0; plane < plane_count(layout); ++plane) {
        const int shift = plane_shift(layout, plane);
        for (std::int64_t y = 0; y < pixels_.height() >> shift; ++y) {
            std::uint8_t* to = pixels_.row(plane, y);
            const std::uint8_t* from = earlier.pixels_.row(plane, y);
            for (std::int64_t x = 0; x < pixels_.width() >> shift; ++x, to += bytes, from += bytes) {
                if (wanted.has_any(x, y, shift)) std::memcpy(to, from, bytes);
            }
        }
    }
}

Result<void> PatchCanvas::take_half(const PatchCanvas& child, int column, int row, std::int64_t width,
                                    std::int64_t height) {
    if (child.pixels_.layout() != pixels_.layout())
        return internal_error("tiles of one tileset differ in their colours");
    const std::int64_t half = pixels_.width() / 2;
    child.dirty_.for_each([&](int x, int y) {
        const std::int64_t left = std::int64_t{x} * cell_size;
        const std::int64_t top = std::int64_t{y} * cell_size;
        const auto across = static_cast<int>(std::min<std::int64_t>(cell_size, width - left));
        const auto down = static_cast<int>(std::min<std::int64_t>(cell_size, height - top));
        if (across <= 0 || down <= 0) return;
        imaging::halve(child.pixels_.view(left, top, across, down), pixels_, column * half + left / 2,
                       row * half + top / 2);
    });
    return {};
}

std::optional<Bytes> PatchCanvas::recipe() {
    if (blocks_ && !base_) return blocks_->recipe();
    if (blocks_) {
        auto below = imaging::JpegBlocks::open(*base_, static_cast<int>(pixels_.width()));
        return below ? blocks_->recipe_over(**below) : std::nullopt;
    }
    return png_ ? png_recipe() : std::nullopt;
}

std::optional<Bytes> PatchCanvas::png_recipe() const {
    const auto [top, bottom] = dirty_.rows();
    const imaging::ImageView after = pixels_.view();
    const imaging::ChangedPng changed{*png_, after, top, bottom};
    if (!base_) return imaging::png_recipe(original_, *png_, changed);
    const auto below = imaging::read_png_tile(*base_, png_->width, bottom + 1);
    return below ? imaging::png_recipe(*base_, *below, changed) : std::nullopt;
}

Result<Bytes> PatchCanvas::encode(imaging::TileEncoder& encoder, imaging::Effort effort) {
    if (blocks_) {
        for (int plane = 0; plane < 3; ++plane) {
            for_each_dirty_block(plane, [&](int column, int row) { blocks_->encode(plane, column, row, pixels_); });
        }
        if (!blocks_->changed()) return original_;
    }
    // The same pixels may be other bytes, since effort differs.
    const auto [top, bottom] = dirty_.rows();
    if (png_ && png_->shows(pixels_, top, bottom)) return original_;
    if (auto short_form = recipe()) {
        png_.reset();
        return std::move(*short_form);
    }
    if (blocks_) return blocks_->finish(effort);
    if (png_) {  // what is above and below the change, which nobody looks at meanwhile
        if (!png_->make_ready(png_->height)) return internal_error("a png tile can't be decoded");
        png_->paint(pixels_, 0, top);
        png_->paint(pixels_, bottom, png_->height);
        png_.reset();
    }
    const auto bytes = encoder.encode(pixels_.view());
    if (!bytes) return bytes.error();
    return Bytes(bytes->begin(), bytes->end());
}

}  // namespace tessera::tiles
