#include "service/previews/preview_service.hpp"

#include <utility>
#include <vector>

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

Error not_yet() {
    return {ErrorCode::overloaded, "the preview is not made yet", {}, 1};
}

}  // namespace

// Shared by all who wait for the same preview.
struct Making {
    std::mutex mutex;
    std::optional<Result<PreviewBytes>> result;
    std::vector<std::function<void()>> waiting;

    void finish(Result<PreviewBytes> made) {
        std::vector<std::function<void()>> told;
        {
            const std::lock_guard lock(mutex);
            result = std::move(made);
            told.swap(waiting);
        }
        for (const auto& over : told) over();
    }
};

struct PreviewService::Shared {
    explicit Shared(std::int64_t bytes) : cache(bytes) {}
    PreviewCache cache;
    std::mutex mutex;
    std::map<std::pair<Uuid, std::string>, std::shared_ptr<Making>> making;
};

// One who waits. `over` is called by whoever is first: the end of the making, or who gives up.
class PreviewService::Pending final : public PendingPreview {
  public:
    explicit Pending(std::shared_ptr<Making> making)
        : making_(std::move(making)), waiter_(std::make_shared<Waiter>()) {}

    void when_over(std::function<void()> over) override {
        {
            const std::lock_guard lock(waiter_->mutex);
            waiter_->over = std::move(over);
        }
        bool is_over = false;
        {
            const std::lock_guard lock(making_->mutex);
            is_over = making_->result.has_value();
            if (!is_over) making_->waiting.emplace_back([waiter = waiter_] { waiter->call(); });
        }
        if (is_over) waiter_->call();
    }
    void give_up() override { waiter_->call(); }
    [[nodiscard]] Result<PreviewBytes> result() const override {
        const std::lock_guard lock(making_->mutex);
        return making_->result ? *making_->result : not_yet();
    }

  private:
    struct Waiter {
        std::mutex mutex;
        std::function<void()> over;
        void call() {
            std::function<void()> taken;
            {
                const std::lock_guard lock(mutex);
                taken = std::exchange(over, nullptr);
            }
            if (taken) taken();
        }
    };
    std::shared_ptr<Making> making_;
    std::shared_ptr<Waiter> waiter_;
};

PreviewService::PreviewService(metadata::Store& store, blobs::BlobStore& blobs, Assets& assets,
                               engine::Previewer& previewer, const PreviewsConfig& config)
    : store_(store),
      blobs_(blobs),
      assets_(assets),
      previewer_(previewer),
      shared_(std::make_shared<Shared>(config.cache_bytes)),
      erasures_(store.on_change([shared = shared_](const metadata::Change& change) {
          if (change.kind == metadata::Change::Kind::erased_account) shared->cache.forget(change.id);
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
    if (const auto kept = shared_->cache.find(asset.account_id, tag)) {
        if (!*kept) return kept->error();
        return Opened(**kept);
    }
    const auto name = std::pair(asset.account_id, tag);
    auto making = std::make_shared<Making>();
    {
        const std::lock_guard lock(shared_->mutex);
        const auto [place, is_new] = shared_->making.try_emplace(name, making);
        if (!is_new) return Opened(std::make_shared<Pending>(place->second));
    }
    const auto finish = [shared = shared_, making, name](Result<std::string> made) {
        Result<PreviewBytes> result = made ? Result<PreviewBytes>(std::make_shared<const std::string>(std::move(*made)))
                                           : Result<PreviewBytes>(std::move(made).error());
        // That an image can't be shown stays so; that there was no time does not.
        if (result || result.error().code == ErrorCode::unsupported_media_type)
            shared->cache.put(name.first, name.second, result);
        {
            const std::lock_guard lock(shared->mutex);
            shared->making.erase(name);
        }
        making->finish(std::move(result));
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
    return Opened(std::make_shared<Pending>(making));
}

}  // namespace tessera::service
