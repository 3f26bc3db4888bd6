#include "service/delivery/asset_service.hpp"

#include "metadata/assets.hpp"
#include "metadata/lists.hpp"
#include "metadata/store.hpp"
#include "service/access/page_cursor.hpp"

namespace tessera::service {
namespace {

Error invalid_asset_id() {
    return {ErrorCode::invalid_id, "invalid asset id", {}};
}
Error asset_not_found() {
    return {ErrorCode::asset_not_found, "asset not found", {}};
}
Error invalid_signature() {
    return {ErrorCode::invalid_signature, "invalid or expired content signature", {}};
}
// The interface has no words for it, so a store that is away stays what it is.
Error asset_unavailable(const Uuid& id, const Error& cause) {
    const bool away = cause.code == ErrorCode::storage_unavailable || cause.code == ErrorCode::overloaded;
    return reworded(cause, away ? cause.code : ErrorCode::internal_error, "asset is unavailable",
                    "asset " + id.to_string() + ": ");
}

}  // namespace

AssetService::AssetService(metadata::Store& store, blobs::BlobStore& blobs, const Signer& signer, const Links& links,
                           const Clock& clock)
    : store_(store), blobs_(blobs), signer_(signer), links_(links), clock_(clock) {}

Result<ListedAssets> AssetService::list(const Principal& principal, const PageRequest& page) {
    const auto wanted = parse_page(page);
    if (!wanted) return wanted.error();
    auto listed = store_.lists().assets(principal.account.id, *wanted);
    if (!listed) return std::move(listed).error();
    return ListedAssets{std::move(listed->items), cursor_of(listed->next)};
}

Result<AssetView> AssetService::describe(const Principal& principal, std::string_view id, std::string_view origin) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return invalid_asset_id();
    auto asset = store_.assets().find(principal.account.id, *parsed);
    if (!asset) return std::move(asset).error();
    if (!*asset) return asset_not_found();
    DownloadLink link = links_.content(**asset, origin, clock_.now());
    return AssetView{std::move(**asset), std::move(link)};
}

Result<SignedAsset> AssetService::find_signed(std::string_view id, std::optional<std::string_view> expires,
                                              std::optional<std::string_view> signature) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return invalid_asset_id();
    if (!expires || !signature) return invalid_signature();
    const auto expires_at = parse_expires(*expires);
    if (!expires_at) return expires_is_no_time();
    const Timestamp now = clock_.now();
    if (!signer_.verify_asset(*parsed, *expires_at, *signature, now)) return invalid_signature();
    auto asset = store_.lists().signed_asset(*parsed);
    if (!asset) return asset_unavailable(*parsed, asset.error());
    if (!*asset) return asset_not_found();
    return SignedAsset{std::move(**asset), *expires_at - to_unix_seconds(now)};
}

Result<BlobRange> AssetService::read(const Asset& asset, std::uint64_t offset, std::uint64_t length) {
    auto range = read_range(blobs_, asset.storage_key, asset.byte_size, offset, length);
    if (!range) return asset_unavailable(asset.id, range.error());
    return range;
}

}  // namespace tessera::service
