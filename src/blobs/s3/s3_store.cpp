#include "blobs/s3/s3_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "blobs/s3/object_files.hpp"
#include "blobs/s3/parallel.hpp"
#include "blobs/s3/remote_blob.hpp"
#include "blobs/s3/single_flight.hpp"
#include "blobs/staging_area.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"
#include "core/random.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t probes_at_once = 1000;

constexpr std::size_t publications_at_once = 8;
// Below this, sending a blob again is as cheap as asking whether it is there.
constexpr std::uint64_t worth_asking = std::uint64_t{64} * 1024;
constexpr std::size_t download_step = 8 << 20;

class S3Store final : public BlobStore {
  public:
    S3Store(const S3Config& config, StagingArea staging, StagingArea cache)
        : staging_(std::move(staging)),
          remote_(std::make_shared<Remote>(config, std::move(cache))),
          files_(remote_->cache.folder(), config.object_cache_bytes) {}

    using BlobStore::publish;

    Result<StagedFile> stage() override { return staging_.create(); }

    Result<void> publish(std::vector<Publication> publications) override {
        return in_parallel(publications.size(), publications_at_once,
                           [&](std::size_t index) { return publish_one(publications[index]); });
    }

    Result<std::shared_ptr<const Blob>> open(const BlobKey& key) override {
        ObjectPtr object = remote_->known.find(key);
        if (!object) {
            auto looked = openings_.run(key, [&] { return remote_->look_at(key); });
            if (!looked) return looked.error();
            object = *std::move(looked);
        }
        return open_remote_blob(remote_, key, std::move(object));
    }

    Result<UniqueFd> open_local(const BlobKey& key) override {
        if (auto file = files_.open(key)) return *std::move(file);
        const auto fetched = downloads_.run(key, [&] { return download(key); });
        if (!fetched) return fetched.error();
        // Each caller gets an offset of its own, even where the file is too large to be kept.
        UniqueFd fresh(::open(("/proc/self/fd/" + std::to_string((*fetched)->get())).c_str(), O_RDONLY | O_CLOEXEC));
        if (!fresh) return from_errno("open a cached object");
        return fresh;
    }

    Result<void> remove(const BlobKey& key) override {
        files_.forget(key);
        remote_->known.forget(key);
        return remote_->client.remove(key);
    }

    // Blocks are known by numbers and not by names: all of them go.
    void forget_cached(std::string_view prefix) override {
        files_.forget_all(prefix);
        remote_->known.forget_all(prefix);
        remote_->blocks.clear();
    }

    Result<BlobPage> list(std::string_view prefix, const std::optional<std::string>& from, std::size_t limit) override {
        return list_blobs(remote_->client, prefix, from, limit);
    }

    Result<std::int64_t> remove_unfinished(Timestamp before) override {
        auto probes = remote_->client.list(probe_prefix, "", probes_at_once);
        if (!probes) return probes.error();
        std::int64_t removed = 0;
        for (const auto& entry : probes->entries) {
            const auto key = BlobKey::parse(entry.key);
            if (!key || entry.modified_at >= before) continue;
            if (auto ok = remote_->client.remove(*key); !ok) return std::move(ok).error();
            ++removed;
        }
        const auto aborted = remote_->client.abort_uploads(before);
        if (!aborted) return aborted.error();
        return removed + *aborted;
    }

    Result<void> check() override {
        auto probe = staging_.create();
        if (!probe) return probe.error();
        return remote_->client.look();
    }

    [[nodiscard]] const RequestMeters* requests() const override { return &remote_->client.meters(); }
    [[nodiscard]] std::vector<NamedCache> caches() const override {
        return {{"s3_memory", &remote_->blocks.memory_meter()},
                {"s3_disk", &remote_->blocks.disk_meter()},
                {"s3_objects", &files_.meter()}};
    }

    // Writes and removes an object: what reading alone can't tell.
    Result<void> prove_writable() {
        const auto key = BlobKey::parse(std::string(probe_prefix) + random_token(16));
        if (!key) return key.error();
        return remote_->client.try_writing(*key);
    }

  private:
    Result<void> publish_one(Publication& publication) {
        StagedFile& file = publication.file;
        const auto digest = file.sha256();
        if (!digest) return digest.error();
        if (publication.if_there == IfThere::keep && file.size() >= worth_asking &&
            is_there(publication.key, file.size(), *digest))
            return {};
        const FileSlice slice{file.descriptor(), 0, file.size()};
        auto put = file.size() > remote_->client.config().part_bytes
                       ? remote_->client.put_in_parts(publication.key, slice, *digest)
                       : remote_->client.put(publication.key, slice, *digest);
        if (!put) return put;
        // What was just written here is often read here next.
        auto ours = staging_.bring_in(std::move(file));
        if (ours) files_.keep(publication.key, *std::move(ours));
        return {};
    }

    bool is_there(const BlobKey& key, std::uint64_t size, const Digest& digest) {
        const auto object = remote_->client.head(key);
        return object && object->size == size && object->sha256 == to_hex(digest);
    }

    Result<std::shared_ptr<const UniqueFd>> download(const BlobKey& key) {
        const auto object = remote_->client.head(key);
        if (!object) return object.error();
        auto file = remote_->cache.create();
        if (!file) return file.error();
        std::vector<std::uint8_t> buffer(std::min<std::uint64_t>(download_step, object->size));
        while (file->size() < object->size) {
            const auto part =
                std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), object->size - file->size()));
            const auto got = remote_->client.read(key, file->size(), part, object->etag);
            if (!got) return got.error();
            const auto written = file->write(part);
            if (!written) return written.error();
        }
        const auto digest = file->sha256();
        if (!digest) return digest.error();
        if (!object->sha256.empty() && object->sha256 != to_hex(*digest))
            return storage_unavailable("s3: " + key.text() + " is not what was stored: its SHA-256 differs");
        auto descriptor = file->duplicate_descriptor();
        if (!descriptor) return descriptor.error();
        files_.keep(key, *std::move(file));
        return std::make_shared<const UniqueFd>(*std::move(descriptor));
    }

    StagingArea staging_;
    const std::shared_ptr<Remote> remote_;
    ObjectFiles files_;
    SingleFlight<BlobKey, ObjectPtr> openings_;
    SingleFlight<BlobKey, std::shared_ptr<const UniqueFd>> downloads_;
};

}  // namespace

Result<std::unique_ptr<BlobStore>> open_s3_store(const S3Config& config, const fs::path& data_dir) {
    if (config.access_key_id.empty() || config.secret_access_key.empty())
        return Error{ErrorCode::invalid_request,
                     "no S3 credentials: set blobs.access_key_id and blobs.secret_access_key, or AWS_ACCESS_KEY_ID and "
                     "AWS_SECRET_ACCESS_KEY",
                     ""};
    auto staging = StagingArea::open(data_dir / "staging");
    if (!staging) return staging.error();
    auto cache = StagingArea::open(data_dir / "cache");
    if (!cache) return cache.error();
    auto store = std::make_unique<S3Store>(config, *std::move(staging), *std::move(cache));

    // A store that refuses us stops the start. One that merely can't be reached may come back: readiness tells.
    Result<void> usable = store->check();
    if (usable) usable = store->prove_writable();
    if (!usable) {
        const Error& error = usable.error();
        if (error.code == ErrorCode::invalid_request) return error;
        log::warning("s3.unreachable", {{"error", error.message}, {"detail", error.detail}});
    }
    return std::unique_ptr<BlobStore>(std::move(store));
}

}  // namespace tessera::blobs
