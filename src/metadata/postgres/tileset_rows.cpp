#include "metadata/postgres/tileset_rows.hpp"

#include <algorithm>
#include <charconv>

#include "metadata/row_values.hpp"

namespace tessera::metadata::postgres {
namespace {

// One line a layer: its size, a space, its key.
std::vector<TilesetLayer> parse_layers(Rows& row, std::string_view text) {
    std::vector<TilesetLayer> layers;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        TilesetLayer layer;
        const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), layer.byte_size);
        if (fault != std::errc()) row.unreadable("tileset layer");
        layer.storage_key = line.substr(static_cast<std::size_t>(end - line.data()) + 1);
        layers.push_back(std::move(layer));
    }
    return layers;
}

}  // namespace

Tileset read_tileset(Rows& row) {
    Tileset tileset = read_tileset_head(row);
    tileset.current = read_tileset_version(row);
    tileset.current.layers = parse_layers(row, row.text());
    return tileset;
}

}  // namespace tessera::metadata::postgres
