// Tilesets over the metadata store.
#pragma once

#include "core/clock.hpp"
#include "service/delivery/links.hpp"
#include "service/delivery/tilesets.hpp"

namespace tessera::metadata {
class Store;
}

namespace tessera::service {

class TilesetService final : public Tilesets {
  public:
    TilesetService(metadata::Store& store, const Links& links, const Clock& clock)
        : store_(store), links_(links), clock_(clock) {}

    Result<ListedTilesets> list(const Principal& principal, const PageRequest& page) override;
    Result<TilesetView> describe(const Principal& principal, std::string_view id, std::string_view origin) override;
    Result<TileSource> source(const Principal& principal, std::string_view id, std::string_view origin) override;
    Result<TilesetAddresses> addresses(const Principal& principal, std::string_view id,
                                       std::optional<std::string_view> version, std::string_view origin) override;

  private:
    [[nodiscard]] Result<Tileset> find(const Principal& principal, std::string_view id);

    metadata::Store& store_;
    const Links& links_;
    const Clock& clock_;
};

}  // namespace tessera::service
