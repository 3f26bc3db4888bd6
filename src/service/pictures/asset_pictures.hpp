// The use case of showing parts of an asset, as the IIIF Image API names them: with a key, or from an address that has
// its signature in the path. For accounts that have the feature.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/asset.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/tileset.hpp"
#include "service/access/principal.hpp"
#include "service/pictures/iiif_part.hpp"
#include "service/previews/previews.hpp"

namespace tessera::service {

// An asset, as an address names it.
struct AssetPicturesQuestion {
    std::string_view asset_id;
    const Principal* principal = nullptr;  // whose key it came with
    std::string grant = {};                // where it came with none: {expires}-{signature}
    std::string_view origin = {};          // what it was sent to
};

// One that may be shown to whoever asks.
struct AssetSource {
    Asset asset;
    std::string base;                               // its address, as the asker may use it
    std::optional<std::int64_t> seconds_left = {};  // of an address that is signed

    // As viewers see it: cut into large tiles, since each of them is decoded from the file.
    [[nodiscard]] TilesetGeometry geometry() const;
};

// A part of an asset.
struct AssetPart {
    IiifPart part;
    bool mirrored = false;
    int turned = 0;
    PictureColours colours = PictureColours::all;
    ImageFormat format = ImageFormat::jpeg;
};
[[nodiscard]] Result<AssetPart> resolve_asset_part(const IiifAddress& address, const Asset& asset);

struct AssetAddresses {
    Uuid asset_id;
    std::string keyed_iiif;
    struct Public {
        std::string iiif;
        Timestamp expires_at;
    };
    std::optional<Public> in_public;  // for accounts with `cdn_delivery`, too
};

class AssetPictures {
  public:
    virtual ~AssetPictures() = default;

    // Refuses an asset that is too large to be decoded for each of its parts.
    virtual Result<AssetSource> find(const AssetPicturesQuestion& question) = 0;
    // The bytes where they are at hand; otherwise they are begun.
    using Opened = std::variant<PreviewBytes, std::shared_ptr<PendingPreview>>;
    virtual Result<Opened> open(const AssetSource& source, const AssetPart& part) = 0;
    // Names the bytes, before they are made.
    [[nodiscard]] virtual std::string tag_of(const AssetSource& source, const AssetPart& part) const = 0;
    // Counts bytes that are sent to the public.
    virtual void count_delivered(const AssetSource& source, std::size_t bytes) = 0;

    virtual Result<AssetAddresses> addresses(const Principal& principal, std::string_view asset_id,
                                             std::string_view origin) = 0;
};

}  // namespace tessera::service
