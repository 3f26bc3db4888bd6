#include "service/previews/preview_service.hpp"

#include <utility>

#include "blobs/blob_key.hpp"
#include "blobs/blob_store.hpp"
#include "metadata/assets.hpp"
#include "metadata/store.hpp"

namespace tessera::service {
namespace {

constexpr int preview_edge = 512;

// Raised when previews are made in another way: browsers then ask for them anew.
std::string tag_of(const Asset& asset) {
    return asset.checksum_sha256.substr(0, 40) + "-p1";
}

}  // namespace

PreviewService::PreviewService(metadata::Store& store, blobs::BlobStore& blobs, Assets& assets,
                               engine::Previewer& previewer, const PreviewsConfig& config)
    : store_(store),
      blobs_(blobs),
      assets_(assets),
      previewer_(previewer),
      made_(std::make_shared<MadeOnce>(config.cache_bytes, "the preview is not made yet")),
      erasures_(store.on_change([made = made_](const metadata::Change& change) {
          if (change.kind == metadata::Change::Kind::erased_account) made->forget(change.id);
      })) {}

PreviewService::~PreviewService() = default;

Result<PreviewOf> PreviewService::find(const Principal& principal, std::string_view asset_id) {
    const auto id = Uuid::parse(asset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid asset id", {}};
    auto asset = store_.assets().find(principal.account.id, *id);
    if (!asset) return std::move(asset).error();
    if (!*asset) return Error{ErrorCode::asset_not_found, "asset not found", {}};
    return preview_of(std::move(**asset));
}

Result<PreviewOf> PreviewService::find_signed(std::string_view asset_id, std::optional<std::string_view> expires,
                                              std::optional<std::string_view> signature) {
    auto found = assets_.find_signed(asset_id, expires, signature);
    if (!found) return std::move(found).error();
    PreviewOf preview = preview_of(std::move(found->asset));
    preview.seconds_left = found->seconds_left;
    return preview;
}

PreviewOf PreviewService::preview_of(Asset asset) {
    PreviewOf preview;
    preview.tag = tag_of(asset);
    preview.open = [this, asset = std::move(asset), tag = preview.tag] { return open(asset, tag); };
    return preview;
}

Result<std::variant<PreviewBytes, std::shared_ptr<PendingPreview>>> PreviewService::open(const Asset& asset,
                                                                                         const std::string& tag) {
    using Opened = std::variant<PreviewBytes, std::shared_ptr<PendingPreview>>;
    if (const auto kept = made_->find(asset.account_id, tag)) {
        if (!*kept) return kept->error();
        return Opened(**kept);
    }
    const MadeOnce::Begun begun = made_->begin(asset.account_id, tag);
    if (!begun.is_new) return Opened(begun.pending);
    const auto finish = [once = made_, account = asset.account_id, tag](Result<std::string> made) {
        once->finish(account, tag,
                     made ? Result<PreviewBytes>(std::make_shared<const std::string>(std::move(*made)))
                          : Result<PreviewBytes>(std::move(made).error()));
    };
    auto key = blobs::BlobKey::parse(asset.storage_key);
    auto file = key ? blobs_.open_local(*key) : Result<UniqueFd>(std::move(key).error());
    if (!file) {
        const Error error = reworded(
            file.error(), file.error().code == ErrorCode::not_found ? ErrorCode::internal_error : file.error().code,
            "asset is unavailable", "asset " + asset.id.to_string() + ": ");
        finish(error);
        return error;
    }
    previewer_.preview_in_turn({.account_id = asset.account_id,
                                .asset_id = asset.id,
                                .image = asset.image,
                                .byte_size = asset.byte_size,
                                .edge = preview_edge,
                                .file = std::make_shared<const UniqueFd>(std::move(*file))},
                               finish);
    return Opened(begun.pending);
}

}  // namespace tessera::service
