#include "service/uploads/arrived_upload.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>
#include <utility>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"
#include "engine/host/probe.hpp"
#include "engine/host/upload_refused.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/usage.hpp"
#include "service/uploads/scanner.hpp"
#include "service/uploads/upload_service.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

// Most of what they do is to wait for a disk or a store, and those who wait at the same time share a sync.
constexpr std::size_t stores_at_once = 64;
constexpr std::size_t most_waiting_each = 512;  // uploads that wait here have been probed, so that few do
// A blob that is being deleted while the same bytes come in again is soon gone.
constexpr int max_insert_attempts = 40;
constexpr std::chrono::milliseconds deletion_pause{50};
// What was stored for nothing: another upload of the same bytes may be about to name it.
constexpr Millis garbage_delay{10 * 60'000};

// No account has more than half of the places.
FairTerms terms(std::size_t places) {
    return {.places = places,
            .share = std::max<std::size_t>(1, places / 2),
            .most_waiting_each = most_waiting_each,
            .most_waiting = 32 * most_waiting_each};
}

}  // namespace

UploadTurns::UploadTurns(std::size_t scans_at_once)
    : scans("scans", terms(scans_at_once)), stores("uploads", terms(stores_at_once)) {}

void UploadTurns::close() {
    scans.close();
    stores.close();
}

ArrivedUpload::ArrivedUpload(const UploadParts& parts, UploadTurns& turns, AccountRooms& rooms, Whose whose,
                             blobs::StagedFile file, Done done)
    : parts_(parts),
      turns_(turns),
      rooms_(rooms),
      whose_(std::move(whose)),
      file_(std::move(file)),
      done_(std::move(done)) {}

void ArrivedUpload::begin() {
    if (parts_.scanner != nullptr) return in_turn(turns_.scans, &ArrivedUpload::scan);
    probe();
}

void ArrivedUpload::in_turn(FairExecutor& where, void (ArrivedUpload::*step)()) {
    using Turn = FairExecutor::Turn;
    const auto work = [self = shared_from_this(), step](Turn turn) -> std::chrono::nanoseconds {
        if (turn == Turn::too_late || turn == Turn::never) {
            self->end(engine::upload_refused({FairRefusal::closed, 1s}));
            return 0ns;
        }
        const auto begin = std::chrono::steady_clock::now();
        const PhaseTimes::Scope times(self->times_);
        try {
            ((*self).*step)();
        } catch (const std::exception& exception) {
            self->end(internal_error(exception.what()));
        }
        return std::chrono::steady_clock::now() - begin;
    };
    if (const auto refused = where.post(account(), work)) end(engine::upload_refused(*refused));
}

void ArrivedUpload::scan() {
    const auto clean = parts_.scanner->scan(file_->descriptor(), file_->size());
    if (!clean) return end(clean.error());
    probe();
}

void ArrivedUpload::probe() {
    const PlanLimits& plan = whose_.principal->plan.limits;
    probe_begun_ = PhaseTimes::Clock::now();
    parts_.prober.probe_in_turn(
        file_->descriptor(), {account(), {}, whose_.request.request_id, whose_.request.trace_id},
        {plan.max_input_edge_pixels, plan.max_input_megapixels}, [self = shared_from_this()](Result<ImageInfo> image) {
            if (self->times_) {
                self->times_->add(Phase::engine, PhaseTimes::Clock::now() - self->probe_begun_);
            }
            if (!image) return self->end(std::move(image).error());
            self->image_ = *std::move(image);
            self->in_turn(self->turns_.stores, &ArrivedUpload::store);
        });
}

void ArrivedUpload::store() {
    end(stored());
}

// The last that is done with the parts.
void ArrivedUpload::end(Result<Asset> asset) {
    file_.reset();
    if (const Done done = std::exchange(done_, nullptr)) done(std::move(asset));
}

Result<Asset> ArrivedUpload::stored() {
    const auto digest = file_->sha256();
    if (!digest) return digest.error();
    const std::string checksum = to_hex(*digest);
    const auto key = blobs::asset_key(account(), checksum);
    if (!key) return key.error();

    Asset asset;
    asset.id = Uuid::time_ordered();
    asset.account_id = account();
    asset.original_filename = whose_.filename;
    asset.image = image_;
    asset.checksum_sha256 = checksum;
    asset.byte_size = static_cast<std::int64_t>(file_->size());
    asset.storage_key = key->text();
    asset.created_at = parts_.clock.now();
    if (const auto ttl = whose_.principal->plan.limits.retention_ttl_seconds)
        asset.expires_at = asset.created_at + std::chrono::seconds(*ttl);

    if (auto ok = require_room(asset.byte_size, *key); !ok) return std::move(ok).error();
    const auto done = publish_and_insert(asset, *key);
    if (!done) return done.error();
    rooms_.take(asset.account_id, asset.byte_size);
    return asset;
}

// What is stored and then refused stays as garbage for a while, so that a file which can't stay is not stored in
// the first place. The row's transaction has the last word; bytes that are there already take no room.
Result<void> ArrivedUpload::require_room(std::int64_t size, const blobs::BlobKey& key) {
    if (parts_.usage == nullptr || rooms_.takes(account(), size, parts_.clock.now())) return {};
    const auto use = parts_.usage->storage(account());
    if (!use) return {};  // which the row's transaction will tell better
    const PlanLimits& plan = whose_.principal->plan.limits;
    const Room room = room_of(*use, parts_.storage, plan);
    const bool refused = !room.takes(size) && !parts_.blobs.open(key);
    rooms_.note(account(), room, refused || rooms_.is_short(account()), parts_.clock.now());
    if (refused) return storage_limit_exceeded(parts_.storage, plan, room);
    return {};
}

Result<void> ArrivedUpload::publish_and_insert(const Asset& asset, const blobs::BlobKey& key) {
    const auto bytes = file_->duplicate_descriptor();
    if (!bytes) return bytes.error();
    const auto size = file_->size();
    auto published = [&] {
        const PhaseScope phase(Phase::blobs);
        return parts_.blobs.publish(*std::move(file_), key);
    }();

    std::int64_t token = 0;
    for (int attempt = 0; published && attempt < max_insert_attempts; ++attempt) {
        const auto inserted = parts_.assets.insert(asset, token, limits());
        if (!inserted) return refused(inserted.error(), key);
        if (inserted->answer == metadata::AssetInsert::stored) return {};
        if (inserted->answer == metadata::AssetInsert::blob_being_deleted) std::this_thread::sleep_for(deletion_pause);
        token = inserted->rewrite_token;
        published = write_again(bytes->get(), size, key);
    }
    if (!published) return published;
    return storage_unavailable("the blob " + key.text() + " is being deleted for too long");
}

metadata::StorageLimits ArrivedUpload::limits() const {
    if (parts_.usage == nullptr) return {};
    const PlanLimits& plan = whose_.principal->plan.limits;
    return {parts_.storage.bytes_for(plan), parts_.storage.assets_for(plan)};
}

// The blob is there and has no name.
Error ArrivedUpload::refused(const Error& error, const blobs::BlobKey& key) {
    if (error.code != ErrorCode::storage_limit_exceeded) return error;
    rooms_.note(account(), {}, true, parts_.clock.now());
    if (parts_.maintenance != nullptr) {
        const auto noted = parts_.maintenance->add_garbage(std::vector{key.text()}, garbage_delay);
        if (!noted) log::warning("upload.garbage_not_noted", {{"detail", noted.error().detail}});
    }
    return storage_limit_exceeded(parts_.storage, whose_.principal->plan.limits);
}

Result<void> ArrivedUpload::write_again(int source, std::uint64_t size, const blobs::BlobKey& key) {
    auto staged = parts_.blobs.stage();
    if (!staged) return staged.error();
    auto copied = staged->append(source, size);
    if (!copied) return copied;
    return parts_.blobs.publish(*std::move(staged), key, blobs::IfThere::write_again);
}

}  // namespace tessera::service
