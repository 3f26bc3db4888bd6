// The use cases of tilesets that are there: list them, and tell their owner of one and of its versions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"
#include "core/tileset.hpp"
#include "service/access/page.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

// A tileset without its layers.
struct TilesetRecord {
    Tileset tileset;
    std::optional<Uuid> job_id;  // that made the current version, where that was kept
};

struct ListedTilesets {
    std::vector<TilesetRecord> tilesets;
    std::optional<std::string> next_cursor;
};

// A version whose tiles can be had.
struct VersionView {
    TilesetVersion version;  // without its layers
    std::optional<Timestamp> replaced_at;
    std::optional<Uuid> job_id;
    std::optional<Timestamp> expires_at;
    std::string url_template;  // signed; empty for accounts without `cdn_delivery`
};

struct TilesetView {
    TilesetRecord record;
    std::vector<VersionView> versions;  // newest first
};

// What a map viewer needs to know of the current version.
struct TileSource {
    Tileset tileset;
    std::string url_template;  // signed, or for a caller with a key where the account has no `cdn_delivery`
};

// Where a version is for viewers: templates of tiles, the base of IIIF, the descriptor of Deep Zoom.
struct TilesetAddresses {
    Uuid tileset_id;
    std::int64_t version = 0;
    struct Keyed {
        std::string xyz;
        std::string tilejson;
        std::string iiif;
        std::string dzi;
    } keyed;
    struct Public {
        std::string xyz;
        std::string iiif;
        std::string dzi;
        Timestamp expires_at;
    };
    std::optional<Public> in_public;  // for accounts with `cdn_delivery`
};

class Tilesets {
  public:
    virtual ~Tilesets() = default;

    [[nodiscard]] virtual Result<ListedTilesets> list(const Principal& principal, const PageRequest& page) = 0;
    [[nodiscard]] virtual Result<TilesetView> describe(const Principal& principal, std::string_view id,
                                                       std::string_view origin) = 0;
    [[nodiscard]] virtual Result<TileSource> source(const Principal& principal, std::string_view id,
                                                    std::string_view origin) = 0;
    // Of the current version where none is named.
    [[nodiscard]] virtual Result<TilesetAddresses> addresses(const Principal& principal, std::string_view id,
                                                             std::optional<std::string_view> version,
                                                             std::string_view origin) = 0;
};

}  // namespace tessera::service
