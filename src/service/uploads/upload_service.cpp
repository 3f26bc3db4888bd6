#include "service/uploads/upload_service.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "blobs/blob_store.hpp"
#include "core/sniff.hpp"
#include "engine/host/probe.hpp"
#include "metadata/usage.hpp"

namespace tessera::service {

namespace {

struct Bounds {
    std::int64_t max_bytes = 0;
    std::optional<Room> room{};  // what the account may still keep, where that may be less
};

class OneUpload final : public Upload {
  public:
    OneUpload(const UploadParts& parts, UploadTurns& turns, AccountRooms& rooms, PrincipalPtr principal,
              std::string filename, UploadRequest request, const Bounds& bounds)
        : parts_(parts),
          turns_(turns),
          rooms_(rooms),
          principal_(std::move(principal)),
          filename_(std::move(filename)),
          request_(std::move(request)),
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

    void finish(Finished finished) override {
        if (!staged_) {
            auto begun = decide(true);
            if (!begun) return finished(std::move(begun).error());
        }
        if (!staged_) return finished(internal_error("the sniff of a whole file was not decided"));
        blobs::StagedFile file = *std::move(staged_);
        staged_.reset();
        std::make_shared<ArrivedUpload>(
            parts_, turns_, rooms_,
            ArrivedUpload::Whose{std::move(principal_), std::move(filename_), std::move(request_)}, std::move(file),
            std::move(finished))
            ->begin();
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

    const UploadParts& parts_;
    UploadTurns& turns_;
    AccountRooms& rooms_;
    PrincipalPtr principal_;
    std::string filename_;
    UploadRequest request_;
    const Bounds bounds_;
    std::int64_t received_ = 0;
    std::array<std::uint8_t, sniff_length> head_{};
    std::size_t head_size_ = 0;
    std::optional<blobs::StagedFile> staged_;  // once the file is known to be an image
};

}  // namespace

Room room_of(const metadata::StorageUse& use, const StorageConfig& storage, const PlanLimits& plan) {
    return {storage.bytes_for(plan) - use.bytes, storage.assets_for(plan) - use.assets};
}

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
                                                     std::int64_t least_bytes, UploadRequest request) {
    if (auto free = parts_.disk.check(); !free) return std::move(free).error();
    if (auto waits = parts_.prober.check_room(principal->account.id); !waits) return std::move(waits).error();
    const auto room = room_for(*principal, least_bytes);
    if (!room) return room.error();
    const Bounds bounds{max_bytes(*principal), *room};
    return std::unique_ptr<Upload>(std::make_unique<OneUpload>(parts_, turns_, rooms_, std::move(principal),
                                                               safe_filename(filename), std::move(request), bounds));
}

}  // namespace tessera::service
