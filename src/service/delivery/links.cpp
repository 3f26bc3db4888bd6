#include "service/delivery/links.hpp"

#include <algorithm>
#include <utility>

namespace tessera::service {
namespace {

std::string without_trailing_slash(std::string url) {
    while (!url.empty() && url.back() == '/') url.pop_back();
    return url;
}

void append_signature(std::string& url, std::int64_t expires, std::string_view signature) {
    url += "?expires=";
    url += std::to_string(expires);
    url += "&sig=";
    url += signature;
}

const char* path_of(PictureForm form) {
    return form == PictureForm::iiif ? "/iiif" : "/dzi";
}

}  // namespace

Links::Links(LinksConfig config, const Signer& signer) : config_(std::move(config)), signer_(signer) {
    config_.public_url = without_trailing_slash(std::move(config_.public_url));
    config_.cdn_url = without_trailing_slash(std::move(config_.cdn_url));
    if (config_.cdn_url.empty()) config_.cdn_url = config_.public_url;
}

DownloadLink Links::download(const Artifact& artifact, std::string_view origin, Timestamp now) const {
    const std::int64_t expires = signer_.artifact_expiry(now, artifact.expires_at);
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    url += "/v1/artifacts/" + artifact.id.to_string() + "/download";
    append_signature(url, expires, signer_.sign_artifact(artifact.id, expires));
    return {std::move(url), from_unix_millis(expires * 1000)};
}

DownloadLink Links::content(const Asset& asset, std::string_view origin, Timestamp now) const {
    const std::int64_t expires = signer_.artifact_expiry(now, asset.expires_at);
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    url += "/v1/assets/" + asset.id.to_string() + "/content";
    append_signature(url, expires, signer_.sign_asset(asset.id, expires));
    return {std::move(url), from_unix_millis(expires * 1000)};
}

std::string Links::keyed_tile_template(const Uuid& tileset, ImageFormat format, std::string_view origin) const {
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    url += "/v1/tilesets/" + tileset.to_string() + "/xyz/{z}/{x}/{y}.";
    url += file_extension(format);
    return url;
}

std::string Links::tile_template(const Uuid& tileset, std::int64_t version, ImageFormat format,
                                 std::optional<Timestamp> expires_at, std::string_view origin, Timestamp now) const {
    const std::int64_t expires = signer_.tile_expiry(now, expires_at);
    std::string url(config_.cdn_url.empty() ? origin : config_.cdn_url);
    url += "/cdn/tilesets/" + tileset.to_string() + "/v/" + std::to_string(version) + "/xyz/{z}/{x}/{y}.";
    url += file_extension(format);
    append_signature(url, expires, signer_.sign_tileset(tileset, version, expires));
    return url;
}

DownloadLink Links::picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                 std::optional<Timestamp> expires_at, std::string_view origin, Timestamp now) const {
    const std::int64_t expires = signer_.tile_expiry(now, expires_at);
    const std::string grant = std::to_string(expires) + "-" + signer_.sign_pictures(form, tileset, version, expires);
    return {granted_picture_base(form, tileset, version, grant, origin), from_unix_millis(expires * 1000)};
}

std::string Links::granted_picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                        std::string_view grant, std::string_view origin) const {
    std::string url(config_.cdn_url.empty() ? origin : config_.cdn_url);
    url += "/cdn/tilesets/" + tileset.to_string() + "/v/" + std::to_string(version) + path_of(form) + "/";
    return url.append(grant);
}

std::string Links::keyed_picture_base(PictureForm form, const Uuid& tileset, std::int64_t version,
                                      std::string_view origin) const {
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    return url + "/v1/tilesets/" + tileset.to_string() + "/v/" + std::to_string(version) + path_of(form);
}

DownloadLink Links::asset_picture_base(const Asset& asset, std::string_view origin, Timestamp now) const {
    const std::int64_t expires = signer_.tile_expiry(now, asset.expires_at);
    const std::string grant = std::to_string(expires) + "-" + signer_.sign_asset_pictures(asset.id, expires);
    return {granted_asset_picture_base(asset.id, grant, origin), from_unix_millis(expires * 1000)};
}

std::string Links::granted_asset_picture_base(const Uuid& asset, std::string_view grant,
                                              std::string_view origin) const {
    std::string url(config_.cdn_url.empty() ? origin : config_.cdn_url);
    return (url += "/cdn/assets/" + asset.to_string() + "/iiif/").append(grant);
}

std::string Links::keyed_asset_picture_base(const Uuid& asset, std::string_view origin) const {
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    return url + "/v1/assets/" + asset.to_string() + "/iiif";
}

std::string Links::tilejson(const Uuid& tileset, std::string_view origin) const {
    std::string url(config_.public_url.empty() ? origin : config_.public_url);
    return url + "/v1/tilesets/" + tileset.to_string() + "/tilejson";
}

std::optional<Timestamp> Links::version_expiry(std::optional<Timestamp> tileset_expires_at,
                                               std::optional<Timestamp> replaced_at) const {
    if (!replaced_at) return tileset_expires_at;
    const Timestamp swept_at = *replaced_at + config_.keep_old_versions;
    return tileset_expires_at ? std::min(*tileset_expires_at, swept_at) : swept_at;
}

}  // namespace tessera::service
