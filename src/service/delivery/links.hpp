// The absolute addresses that the service hands out, signed.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/asset.hpp"
#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/tileset.hpp"
#include "service/delivery/signing.hpp"

namespace tessera::service {

struct LinksConfig {
    std::string public_url;  // "https://images.example.org"; empty: where the request came to
    std::string cdn_url;     // for tiles; empty: the same as public_url
    // How long a version of a tileset stays after it was replaced: addresses of it must not promise more. No key of its
    // own: the sweeper's.
    Millis keep_old_versions{std::chrono::hours(2)};
};

struct DownloadLink {
    std::string url;
    Timestamp expires_at;
};

// `origin` is what the request was sent to, such as "http://127.0.0.1:8080"; it is used where nothing is configured.
class Links {
  public:
    Links(LinksConfig config, const Signer& signer);

    [[nodiscard]] DownloadLink download(const Artifact& artifact, std::string_view origin, Timestamp now) const;
    [[nodiscard]] DownloadLink content(const Asset& asset, std::string_view origin, Timestamp now) const;
    // With the literal placeholders {z}, {x} and {y}.
    [[nodiscard]] std::string tile_template(const Uuid& tileset, std::int64_t version, ImageFormat format,
                                            std::optional<Timestamp> expires_at, std::string_view origin,
                                            Timestamp now) const;

    // The same for callers with a key: not signed, and always the current version's.
    [[nodiscard]] std::string keyed_tile_template(const Uuid& tileset, ImageFormat format,
                                                  std::string_view origin) const;

    // Where a viewer finds pictures of a version. Signed ones have expiry and signature in the path, since viewers go
    // on from the base; `grant` is that part of one that was given before.
    [[nodiscard]] DownloadLink picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                            std::optional<Timestamp> expires_at, std::string_view origin,
                                            Timestamp now) const;
    [[nodiscard]] std::string granted_picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                                   std::string_view grant, std::string_view origin) const;
    [[nodiscard]] std::string keyed_picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                                 std::string_view origin) const;
    // The same of an asset, for IIIF.
    [[nodiscard]] DownloadLink asset_picture_base(const Asset& asset, std::string_view origin, Timestamp now) const;
    [[nodiscard]] std::string granted_asset_picture_base(const Uuid& asset, std::string_view grant,
                                                         std::string_view origin) const;
    [[nodiscard]] std::string keyed_asset_picture_base(const Uuid& asset, std::string_view origin) const;
    [[nodiscard]] std::string tilejson(const Uuid& tileset, std::string_view origin) const;

    // When a version stops resolving; `replaced_at` is absent while it is current.
    [[nodiscard]] std::optional<Timestamp> version_expiry(std::optional<Timestamp> tileset_expires_at,
                                                          std::optional<Timestamp> replaced_at) const;

  private:
    LinksConfig config_;
    const Signer& signer_;
};

}  // namespace tessera::service
