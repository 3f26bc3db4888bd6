#include "service/upload_service.hpp"

#include <algorithm>
#include <array>
#include <thread>

#include "blobs/blob_store.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"
#include "core/sniff.hpp"
#include "engine/task.hpp"
#include "metadata/assets.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/usage.hpp"
#include "service/scanner.hpp"

namespace tessera::service {

namespace {

// A blob that is being deleted while the same bytes come in again is soon gone.
constexpr int max_insert_attempts = 40;
constexpr std::chrono::milliseconds deletion_pause{50};
// What was stored for nothing: another upload of the same bytes may be about to name it.
constexpr Millis garbage_delay{10 * 60'000};

struct Bounds {
    std::int64_t max_bytes = 0;
    std::optional<Room> room{};  // what the account may still keep, where that may be less
};

Room room_of(const metadata::StorageUse& use, const StorageConfig& storage, const PlanLimits& plan) {
    return {storage.bytes_for(plan) - use.bytes, storage.assets_for(plan) - use.assets};
}

class OneUpload final : public Upload {
  public:
    OneUpload(const UploadParts& parts, AccountRooms& rooms, PrincipalPtr principal, std::string filename,
              const Bounds& bounds)
        : parts_(parts),
          rooms_(rooms),
          principal_(std::move(principal)),
          filename_(std::move(filename)),
          bounds_(bounds) {}

    Result<void> write(std::span<const std::uint8_t> bytes) override {
        received_ += static_cast<std::int64_t>(bytes.size());
        if (received_ > bounds_.max_bytes) {
            staged_.reset();
            return upload_too_large(bounds_.max_bytes);
        }
        if (bounds_.room && received_ > bounds_.room->bytes) {
            staged_.reset();
            return storage_limit_exceeded(parts_.storage, principal_->plan.limits, bounds_.room);
        }
        if (staged_) return staged_->write(bytes);
        return write_head(bytes);
    }

    Result<Asset> finish() override {
        if (!staged_) {
            auto begun = decide(true);
            if (!begun) return begun.error();
        }
        if (!staged_) return internal_error("the sniff of a whole file was not decided");
        blobs::StagedFile file = *std::move(staged_);
        staged_.reset();

        if (parts_.scanner != nullptr) {
            const auto clean = parts_.scanner->scan(file.descriptor(), file.size());
            if (!clean) return clean.error();
        }
        const auto image = probe(file);
        if (!image) return image.error();
        return store(std::move(file), *image);
    }

  private:
    // Holds the first bytes back until they say what the file is, so that a refused one never touches the disk.
    Result<void> write_head(std::span<const std::uint8_t> bytes) {
        const auto part = bytes.first(std::min(bytes.size(), head_.size() - head_size_));
        std::ranges::copy(part, head_.begin() + static_cast<std::ptrdiff_t>(head_size_));
        head_size_ += part.size();
        auto decided = decide(false);
        if (!decided || !staged_) return decided;
        return staged_->write(bytes.subspan(part.size()));
    }

    Result<void> decide(bool complete) {
        const auto head = std::span<const std::uint8_t>(head_).first(head_size_);
        const Sniffed sniffed = sniff(head, complete);
        if (sniffed.kind == Sniffed::Kind::need_more) return {};
        if (sniffed.kind == Sniffed::Kind::unsupported) return unsupported_image(sniffed);
        auto staged = parts_.blobs.stage();
        if (!staged) return staged.error();
        auto written = staged->write(head);
        if (written) staged_ = *std::move(staged);
        return written;
    }

    Result<ImageInfo> probe(const blobs::StagedFile& file) {
        const PlanLimits& plan = principal_->plan.limits;
        return parts_.prober.probe(file.descriptor(), {principal_->account.id, {}},
                                   {plan.max_input_edge_pixels, plan.max_input_megapixels}, {});
    }

    Result<Asset> store(blobs::StagedFile file, const ImageInfo& image) {
        const auto digest = file.sha256();
        if (!digest) return digest.error();
        const std::string checksum = to_hex(*digest);
        const auto key = blobs::asset_key(principal_->account.id, checksum);
        if (!key) return key.error();

        Asset asset;
        asset.id = Uuid::time_ordered();
        asset.account_id = principal_->account.id;
        asset.original_filename = filename_;
        asset.image = image;
        asset.checksum_sha256 = checksum;
        asset.byte_size = static_cast<std::int64_t>(file.size());
        asset.storage_key = key->text();
        asset.created_at = parts_.clock.now();
        if (const auto ttl = principal_->plan.limits.retention_ttl_seconds)
            asset.expires_at = asset.created_at + std::chrono::seconds(*ttl);

        if (auto ok = require_room(asset.byte_size, *key); !ok) return std::move(ok).error();
        const auto stored = publish_and_insert(std::move(file), asset, *key);
        if (!stored) return stored.error();
        rooms_.take(asset.account_id, asset.byte_size);
        return asset;
    }

    // What is stored and then refused stays as garbage for a while, so that a file which can't stay is not stored in
    // the first place. The row's transaction has the last word; bytes that are there already take no room.
    Result<void> require_room(std::int64_t size, const blobs::BlobKey& key) {
        const Uuid& account = principal_->account.id;
        if (parts_.usage == nullptr || rooms_.takes(account, size, parts_.clock.now())) return {};
        const auto use = parts_.usage->storage(account);
        if (!use) return {};  // which the row's transaction will tell better
        const PlanLimits& plan = principal_->plan.limits;
        const Room room = room_of(*use, parts_.storage, plan);
        const bool refused = !room.takes(size) && !parts_.blobs.open(key);
        rooms_.note(account, room, refused || rooms_.is_short(account), parts_.clock.now());
        if (refused) return storage_limit_exceeded(parts_.storage, plan, room);
        return {};
    }

    Result<void> publish_and_insert(blobs::StagedFile file, const Asset& asset, const blobs::BlobKey& key) {
        const auto bytes = file.duplicate_descriptor();
        if (!bytes) return bytes.error();
        const auto size = file.size();
        auto published = parts_.blobs.publish(std::move(file), key);

        std::int64_t token = 0;
        for (int attempt = 0; published && attempt < max_insert_attempts; ++attempt) {
            const auto inserted = parts_.assets.insert(asset, token, limits());
            if (!inserted) return refused(inserted.error(), key);
            if (inserted->answer == metadata::AssetInsert::stored) return {};
            if (inserted->answer == metadata::AssetInsert::blob_being_deleted)
                std::this_thread::sleep_for(deletion_pause);
            token = inserted->rewrite_token;
            published = write_again(bytes->get(), size, key);
        }
        if (!published) return published;
        return storage_unavailable("the blob " + key.text() + " is being deleted for too long");
    }

    [[nodiscard]] metadata::StorageLimits limits() const {
        if (parts_.usage == nullptr) return {};
        const PlanLimits& plan = principal_->plan.limits;
        return {parts_.storage.bytes_for(plan), parts_.storage.assets_for(plan)};
    }

    // The blob is there and has no name.
    Error refused(const Error& error, const blobs::BlobKey& key) {
        if (error.code != ErrorCode::storage_limit_exceeded) return error;
        rooms_.note(principal_->account.id, {}, true, parts_.clock.now());
        if (parts_.maintenance != nullptr) {
            const auto noted = parts_.maintenance->add_garbage(std::vector{key.text()}, garbage_delay);
            if (!noted) log::warning("upload.garbage_not_noted", {{"detail", noted.error().detail}});
        }
        return storage_limit_exceeded(parts_.storage, principal_->plan.limits);
    }

    Result<void> write_again(int source, std::uint64_t size, const blobs::BlobKey& key) {
        auto staged = parts_.blobs.stage();
        if (!staged) return staged.error();
        auto copied = staged->append(source, size);
        if (!copied) return copied;
        return parts_.blobs.publish(*std::move(staged), key, blobs::IfThere::write_again);
    }

    const UploadParts& parts_;
    AccountRooms& rooms_;
    const PrincipalPtr principal_;
    const std::string filename_;
    const Bounds bounds_;
    std::int64_t received_ = 0;
    std::array<std::uint8_t, sniff_length> head_{};
    std::size_t head_size_ = 0;
    std::optional<blobs::StagedFile> staged_;  // once the file is known to be an image
};

}  // namespace

Error upload_too_large(std::int64_t max_bytes) {
    return Error{ErrorCode::upload_too_large, "upload exceeds the limit of " + std::to_string(max_bytes) + " bytes", {}}
        .with_limit({.name = "max_upload_bytes", .unit = "bytes", .allowed = max_bytes});
}

Error storage_limit_exceeded(const StorageConfig& storage, const PlanLimits& plan, const std::optional<Room>& left) {
    const std::int64_t bytes = storage.bytes_for(plan);
    const std::int64_t assets = storage.assets_for(plan);
    Error error{ErrorCode::storage_limit_exceeded,
                "the account's storage is full: it may keep " + std::to_string(bytes) + " bytes and " +
                    std::to_string(assets) + " assets",
                {}};
    LimitMet met{.name = "max_storage_bytes", .unit = "bytes", .allowed = bytes};
    if (left) {
        if (left->assets <= 0) met = {.name = "max_assets", .unit = "assets", .allowed = assets};
        met.left = std::max<std::int64_t>(0, left->assets <= 0 ? left->assets : left->bytes);
        error.hint = std::to_string(*met.left) + " " + std::string(met.unit) + " are left; " +
                     std::string(describe(error.code).remedy);
    }
    return std::move(error).with_limit(std::move(met));
}

// Before anything is received. Whether the file fits is known when it is stored; an account that was refused for it
// once is asked for beforehand, so that nothing is received that it may not keep.
Result<std::optional<Room>> UploadService::room_for(const Principal& principal, std::int64_t least_bytes) {
    const Uuid& account = principal.account.id;
    if (parts_.usage == nullptr || !rooms_.is_short(account)) return std::optional<Room>();
    const auto use = parts_.usage->storage(account);
    if (!use) return use.error();
    const PlanLimits& plan = principal.plan.limits;
    const Room room = room_of(*use, parts_.storage, plan);
    const bool takes_any = room.takes(max_bytes(principal));
    rooms_.note(account, room, !takes_any, parts_.clock.now());
    if (takes_any) return std::optional<Room>();
    if (!room.takes(std::max<std::int64_t>(1, least_bytes))) {
        return storage_limit_exceeded(parts_.storage, plan, room);
    }
    return std::optional(room);
}

std::int64_t UploadService::max_bytes(const Principal& principal) const {
    return std::min(principal.plan.limits.max_upload_bytes.value_or(config_.max_bytes), config_.max_bytes);
}

Result<std::unique_ptr<Upload>> UploadService::begin(PrincipalPtr principal, std::string_view filename,
                                                     std::int64_t least_bytes) {
    if (auto free = parts_.disk.check(); !free) return std::move(free).error();
    const auto room = room_for(*principal, least_bytes);
    if (!room) return room.error();
    const Bounds bounds{max_bytes(*principal), *room};
    return std::unique_ptr<Upload>(
        std::make_unique<OneUpload>(parts_, rooms_, std::move(principal), safe_filename(filename), bounds));
}

}  // namespace tessera::service
