#include "service/pictures/asset_picture_service.hpp"

#include <algorithm>
#include <utility>

#include "blobs/blob_key.hpp"
#include "blobs/blob_store.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/assets.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/lists.hpp"
#include "metadata/store.hpp"
#include "service/delivery/delivery_meter.hpp"
#include "service/pictures/grant.hpp"
#include "tiles/archive/xyz.hpp"

namespace tessera::service {
namespace {

constexpr int asset_tile_size = 1024;
constexpr std::int64_t megapixel = 1'000'000;

Error asset_not_found() {
    return {ErrorCode::asset_not_found, "asset not found", {}};
}

Error invalid_grant() {
    return Error{ErrorCode::invalid_signature, "invalid or expired picture signature", {}}.with_hint(
        "ask GET /v1/assets/{id}/addresses for new addresses, and use them unchanged");
}

Error not_allowed() {
    return Error{ErrorCode::permission_denied, "this account has no pictures of assets", {}}.with_hint(
        "have whoever runs the service grant asset_pictures, or make a tile job: tilesets have addresses for viewers");
}

bool has(const std::vector<Entitlement>& granted, std::string_view feature) {
    return std::ranges::any_of(granted, [&](const Entitlement& e) { return e.feature_code == feature && e.enabled; });
}

// What browsers show as it is; the others become what holds all that they may have.
ImageFormat preferred_format(const ImageInfo& image) {
    switch (image.format) {
        case ImageFormat::jpeg:
        case ImageFormat::png:
        case ImageFormat::webp: return image.format;
        default: return image.has_alpha ? ImageFormat::png : ImageFormat::jpeg;
    }
}

}  // namespace

TilesetGeometry AssetSource::geometry() const {
    TilesetGeometry geometry;
    geometry.format = preferred_format(asset.image);
    geometry.tile_size = asset_tile_size;
    geometry.width = asset.image.width;
    geometry.height = asset.image.height;
    const auto shape = tiles::PyramidShape::make(geometry.width, geometry.height, asset_tile_size);
    geometry.max_zoom = shape ? shape->max_zoom() : 0;
    return geometry;
}

Result<AssetPart> resolve_asset_part(const IiifAddress& address, const Asset& asset) {
    auto part = resolve_part(address, {asset.image.width, asset.image.height});
    if (!part) return std::move(part).error();
    return AssetPart{std::move(*part), address.mirrored, address.turned, address.colours, address.format};
}

Result<Asset> AssetPictureService::own_asset(const Principal& principal, std::string_view asset_id) {
    const auto id = Uuid::parse(asset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid asset id", {}};
    if (!principal.has_feature(asset_pictures_feature)) return not_allowed();
    auto asset = parts_.store.assets().find(principal.account.id, *id);
    if (!asset) return std::move(asset).error();
    if (!*asset) return asset_not_found();
    return std::move(**asset);
}

Result<AssetSource> AssetPictureService::granted(const AssetPicturesQuestion& question) {
    const auto id = Uuid::parse(question.asset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid asset id", {}};
    const auto grant = parse_grant(question.grant);
    const Timestamp now = parts_.clock.now();
    if (!grant || !parts_.signer.verify_asset_pictures(*id, grant->expires, grant->signature, now)) {
        return invalid_grant();
    }
    auto asset = parts_.store.lists().signed_asset(*id);
    if (!asset) return std::move(asset).error();
    if (!*asset) return asset_not_found();
    // A feature that was taken away ends the addresses that are out.
    const auto features = parts_.store.entitlements().list((*asset)->account_id);
    if (!features) return features.error();
    if (!has(*features, asset_pictures_feature) || !has(*features, cdn_delivery_feature)) return asset_not_found();
    std::string base = parts_.links.granted_asset_picture_base(*id, question.grant, question.origin);
    return AssetSource{std::move(**asset), std::move(base), grant->expires - to_unix_seconds(now)};
}

Result<void> AssetPictureService::check_size(const Asset& asset) const {
    const std::int64_t megapixels = (asset.image.width * asset.image.height + megapixel - 1) / megapixel;
    if (megapixels <= config_.max_asset_megapixels) return {};
    return Error{ErrorCode::image_too_large, "the asset is too large to be shown in parts", {}}
        .with_hint("make a tile job of it, and show the tileset: GET /v1/tilesets/{id}/addresses")
        .with_limit({.name = "pictures.max_asset_megapixels",
                     .unit = "megapixels",
                     .allowed = config_.max_asset_megapixels,
                     .asked = megapixels});
}

Result<AssetSource> AssetPictureService::find(const AssetPicturesQuestion& question) {
    auto source = [&]() -> Result<AssetSource> {
        if (question.principal == nullptr) return granted(question);
        auto asset = own_asset(*question.principal, question.asset_id);
        if (!asset) return std::move(asset).error();
        std::string base = parts_.links.keyed_asset_picture_base(asset->id, question.origin);
        return AssetSource{std::move(*asset), std::move(base)};
    }();
    if (!source) return source;
    if (auto ok = check_size(source->asset); !ok) return std::move(ok).error();
    return source;
}

// Raised when pictures are made in another way: browsers then ask for them anew.
std::string AssetPictureService::tag_of(const AssetSource& source, const AssetPart& part) const {
    const std::string named = source.asset.checksum_sha256 + ' ' + part.part.canonical;
    return to_hex(sha256(named)).substr(0, 40) + "-a2";
}

Result<AssetPictures::Opened> AssetPictureService::open(const AssetSource& source, const AssetPart& part) {
    const Asset& asset = source.asset;
    const std::string tag = tag_of(source, part);
    if (const auto kept = parts_.made->find(asset.account_id, tag)) {
        if (!*kept) return kept->error();
        return Opened(**kept);
    }
    const MadeOnce::Begun begun = parts_.made->begin(asset.account_id, tag);
    if (!begun.is_new) return Opened(begun.pending);
    const auto finish = [once = parts_.made, account = asset.account_id, tag](Result<std::string> made) {
        once->finish(account, tag,
                     made ? Result<PreviewBytes>(std::make_shared<const std::string>(std::move(*made)))
                          : Result<PreviewBytes>(std::move(made).error()));
    };
    auto key = blobs::BlobKey::parse(asset.storage_key);
    auto file = key ? parts_.blobs.open_local(*key) : Result<UniqueFd>(std::move(key).error());
    if (!file) {
        const bool lost = file.error().code == ErrorCode::not_found;
        const Error error = reworded(file.error(), lost ? ErrorCode::internal_error : file.error().code,
                                     "asset is unavailable", "asset " + asset.id.to_string() + ": ");
        finish(error);
        return error;
    }
    engine::ViewTask task{asset.account_id, {}, std::make_shared<const UniqueFd>(std::move(*file))};
    const auto& [region, size, canonical] = part.part;
    task.view.source = {asset.id, asset.image, asset.byte_size};
    task.view.x = region.x;
    task.view.y = region.y;
    task.view.width = region.width;
    task.view.height = region.height;
    task.view.result_width = size.width;
    task.view.result_height = size.height;
    task.view.finish = {part.mirrored, part.turned, part.colours, part.format};
    parts_.cutter.view_in_turn(std::move(task), finish);
    return Opened(begun.pending);
}

void AssetPictureService::count_delivered(const AssetSource& source, std::size_t bytes) {
    parts_.meter.add(source.asset.account_id, bytes);
}

Result<AssetAddresses> AssetPictureService::addresses(const Principal& principal, std::string_view asset_id,
                                                      std::string_view origin) {
    const auto asset = own_asset(principal, asset_id);
    if (!asset) return asset.error();
    if (auto ok = check_size(*asset); !ok) return std::move(ok).error();
    AssetAddresses made{asset->id, parts_.links.keyed_asset_picture_base(asset->id, origin), {}};
    if (principal.has_feature(cdn_delivery_feature)) {
        DownloadLink link = parts_.links.asset_picture_base(*asset, origin, parts_.clock.now());
        made.in_public = AssetAddresses::Public{std::move(link.url), link.expires_at};
    }
    return made;
}

}  // namespace tessera::service
