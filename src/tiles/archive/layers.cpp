#include "tiles/archive/layers.hpp"

#include "codecs/recipe/splice.hpp"

namespace tessera::tiles {

bool is_recipe(std::span<const std::uint8_t> stored) {
    return codecs::is_recipe(stored);
}

Result<Bytes> whole_tile(Bytes stored, const Archive& base, TileCoord tile) {
    if (!codecs::is_recipe(stored)) return stored;
    const auto below = base.read_tile(tile);
    if (!below) return below.error();
    if (!*below) return pmtiles::damaged("a recipe for a tile that the base does not have");
    auto made = codecs::follow_recipe(stored, **below);
    if (!made) return pmtiles::damaged(made.error().detail);
    return made;
}

Result<std::optional<Bytes>> read_tile_of(const Archive& layer, const Archive& base, TileCoord tile) {
    auto stored = layer.read_tile(tile);
    if (!stored || !*stored) return stored;
    auto whole = whole_tile(std::move(**stored), base, tile);
    if (!whole) return std::move(whole).error();
    return std::optional(std::move(*whole));
}

Result<std::optional<Bytes>> read_tile(const Layers& layers, TileCoord tile) {
    for (const auto& layer : layers) {
        auto bytes = read_tile_of(*layer, *layers.back(), tile);
        if (!bytes || *bytes) return bytes;
    }
    return std::optional<Bytes>();
}

}  // namespace tessera::tiles
