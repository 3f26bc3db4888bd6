#include "tileset_reading.hpp"

#include <algorithm>
#include <stdexcept>

namespace tessera::test {
using vips::VImage;

std::shared_ptr<const tiles::Archive> open_archive(const std::string& bytes) {
    auto opened = tiles::Archive::open(
        [bytes](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
            if (offset > bytes.size() || out.size() > bytes.size() - offset) return internal_error("past the end");
            std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
            return {};
        },
        bytes.size());
    if (!opened) throw std::runtime_error(opened.error().detail);
    return *opened;
}

VImage assembled(const tiles::Layers& layers, int zoom) {
    const TilesetGeometry& geometry = *layers.back()->geometry();
    const auto shape = *tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size);
    std::vector<VImage> found;
    for (std::uint32_t row = 0; row < shape.rows_at(zoom); ++row) {
        for (std::uint32_t column = 0; column < shape.columns_at(zoom); ++column) {
            const auto bytes = tiles::read_tile(layers, *tiles::TileCoord::make(zoom, column, row));
            if (!bytes || !*bytes) throw std::runtime_error("a tile is missing");
            VImage tile = VImage::new_from_buffer((*bytes)->data(), (*bytes)->size(), "");
            if (tile.width() != geometry.tile_size || tile.height() != geometry.tile_size) {
                throw std::runtime_error("a tile of another size");
            }
            tile = tile.colourspace(VIPS_INTERPRETATION_sRGB);
            if (!tile.has_alpha()) tile = tile.bandjoin(255);
            found.push_back(tile.copy_memory());
        }
    }
    const auto size = shape.size_at(zoom);
    return VImage::arrayjoin(found, VImage::option()->set("across", static_cast<int>(shape.columns_at(zoom))))
        .crop(0, 0, static_cast<int>(size.width), static_cast<int>(size.height))
        .copy_memory();
}

VImage full_size(const tiles::Layers& layers) {
    return assembled(layers, layers.back()->geometry()->max_zoom);
}

VImage full_size(std::shared_ptr<const tiles::Archive> archive) {
    return full_size(tiles::Layers{std::move(archive)});
}

}  // namespace tessera::test
