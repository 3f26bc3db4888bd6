#include "blobs/s3/s3_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <list>
#include <mutex>
#include <unordered_map>

#include "blobs/s3/object_files.hpp"
#include "blobs/s3/parallel.hpp"
#include "blobs/s3/range_reader.hpp"
#include "blobs/s3/s3_client.hpp"
#include "blobs/s3/single_flight.hpp"
#include "blobs/staging_area.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"
#include "core/random.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view probe_prefix = "tessera-probe/";

using ObjectPtr = std::shared_ptr<const RemoteObject>;

constexpr std::size_t publications_at_once = 8;
// Below this, sending a blob again is as cheap as asking whether it is there.
constexpr std::uint64_t worth_asking = std::uint64_t{64} * 1024;
constexpr std::size_t download_step = 8 << 20;
constexpr std::size_t max_known_objects = 20'000;
// Objects never change, but another node may remove one: for so long it may still seem to be there.
constexpr std::chrono::seconds known_for{60};

// What was learnt of objects by opening them.
class KnownObjects {
  public:
    ObjectPtr find(const BlobKey& key) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(key.text());
        if (found == entries_.end() || std::chrono::steady_clock::now() > found->second->until) return nullptr;
        order_.splice(order_.begin(), order_, found->second);
        return found->second->object;
    }
    // The number by which blocks of these bytes are already cached, if they are the same bytes.
    std::uint64_t id_for(const BlobKey& key, const std::string& etag) {
        const std::lock_guard lock(mutex_);
        const auto found = entries_.find(key.text());
        if (found != entries_.end() && found->second->object->etag == etag) return found->second->object->id;
        return ++last_id_;
    }
    void insert(const BlobKey& key, ObjectPtr object) {
        const std::lock_guard lock(mutex_);
        erase(key.text());
        order_.push_front({key.text(), std::move(object), std::chrono::steady_clock::now() + known_for});
        entries_.emplace(key.text(), order_.begin());
        if (order_.size() > max_known_objects) erase(std::string(order_.back().key));
    }
    void forget(const BlobKey& key) {
        const std::lock_guard lock(mutex_);
        erase(key.text());
    }

  private:
    struct Entry {
        std::string key;
        ObjectPtr object;
        std::chrono::steady_clock::time_point until;
    };
    void erase(const std::string& key) {
        const auto found = entries_.find(key);
        if (found == entries_.end()) return;
        order_.erase(found->second);
        entries_.erase(found);
    }

    std::mutex mutex_;
    std::uint64_t last_id_ = 0;
    std::list<Entry> order_;
    std::unordered_map<std::string, std::list<Entry>::iterator> entries_;
};

// Shared with the blobs it opened, which may outlive the store.
struct Remote {
    Remote(const S3Config& config, StagingArea area)
        : client(config),
          cache(std::move(area)),
          blocks(cache.folder(), config.memory_cache_bytes, config.cache_bytes),
          ranges(blocks) {}

    Result<void> fetch(const BlobKey& key, std::uint64_t offset, std::span<std::uint8_t> out) {
        auto got = client.read(key, offset, out);
        if (!got) {
            if (got.error().code == ErrorCode::not_found) known.forget(key);
            return std::move(got).error();
        }
        if (got->received != out.size()) return storage_unavailable("s3: " + key.text() + " is shorter than it was");
        return {};
    }

    S3Client client;
    StagingArea cache;
    BlockCache blocks;
    RangeReader ranges;
    KnownObjects known;
};

class S3Blob final : public Blob {
  public:
    S3Blob(std::shared_ptr<Remote> remote, BlobKey key, ObjectPtr object)
        : remote_(std::move(remote)), key_(std::move(key)), object_(std::move(object)) {}

    [[nodiscard]] std::uint64_t size() const override { return object_->size; }
    [[nodiscard]] int descriptor() const override { return -1; }
    Result<void> read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        return remote_->ranges.read(*object_, offset, out, [this](std::uint64_t at, std::span<std::uint8_t> part) {
            return remote_->fetch(key_, at, part);
        });
    }
    bool try_read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        return remote_->ranges.try_read(*object_, offset, out);
    }

  private:
    const std::shared_ptr<Remote> remote_;
    const BlobKey key_;
    const ObjectPtr object_;
};

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
            auto looked = openings_.run(key, [&] { return look_at(key); });
            if (!looked) return looked.error();
            object = *std::move(looked);
        }
        return std::shared_ptr<const Blob>(std::make_shared<S3Blob>(remote_, key, std::move(object)));
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

    Result<BlobPage> list(std::string_view prefix, const std::optional<std::string>& from, std::size_t limit) override {
        if (prefix.starts_with('/') || prefix.find("..") != std::string_view::npos) return BlobPage{};
        auto listing = remote_->client.list(prefix, from.value_or(""), limit);
        if (!listing) return listing.error();
        BlobPage page;
        for (const auto& entry : listing->entries) {
            // A start that was killed may have left its probe behind: it is nobody's blob.
            if (entry.key.starts_with(probe_prefix)) continue;
            auto key = BlobKey::parse(entry.key);
            if (key) page.entries.push_back({*std::move(key), entry.size, entry.modified_at});
        }
        if (listing->truncated && !listing->entries.empty()) page.next = listing->entries.back().key;
        return page;
    }

    Result<void> check() override {
        auto probe = staging_.create();
        if (!probe) return probe.error();
        return remote_->client.look();
    }

    // Writes and removes an object: what reading alone can't tell.
    Result<void> prove_writable() {
        const auto key = BlobKey::parse(std::string(probe_prefix) + random_token(16));
        auto file = staging_.create();
        if (!key || !file) return key ? file.error() : key.error();
        auto written = publish(*std::move(file), *key, IfThere::write_again);
        if (!written) return written;
        return remove(*key);
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

    // The first block tells an object's size as a HEAD would, and is what a reader of an archive wants first.
    Result<ObjectPtr> look_at(const BlobKey& key) {
        Block first(block_bytes);
        const auto got = remote_->client.read(key, 0, first);
        if (!got) return got.error();
        const auto object = std::make_shared<const RemoteObject>(RemoteObject{
            remote_->known.id_for(key, got->object.etag), got->object.size, got->object.etag, got->object.sha256});
        remote_->known.insert(key, object);
        first.resize(got->received);
        if (!first.empty()) remote_->blocks.insert({object->id, 0}, std::make_shared<const Block>(std::move(first)));
        return ObjectPtr(object);
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

Error refused(const S3Config& config, const Error& error) {
    return {ErrorCode::invalid_request,
            "bucket \"" + config.bucket + "\" at " + config.endpoint + " is read-only for us", error.detail};
}

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

    const auto looked = store->check();
    if (!looked && looked.error().code == ErrorCode::invalid_request) return looked.error();
    if (!looked) {
        log::warning("s3.unreachable", {{"error", looked.error().message}, {"detail", looked.error().detail}});
        return std::unique_ptr<BlobStore>(std::move(store));
    }
    const auto writable = store->prove_writable();
    if (!writable) return refused(config, writable.error());
    return std::unique_ptr<BlobStore>(std::move(store));
}

}  // namespace tessera::blobs
