#include "service/delivery/open_tilesets.hpp"

#include <algorithm>
#include <utility>

#include "blobs/blob_store.hpp"
#include "metadata/accounts.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "service/access/principal.hpp"
#include "service/delivery/tileset_errors.hpp"

namespace tessera::service {
namespace {

Result<bool> has_public_delivery(metadata::Store& store, const Uuid& account) {
    const auto row = store.accounts().find(account);
    if (!row) return row.error();
    if (!*row || (*row)->suspended_at) return false;
    auto entitlements = store.entitlements().list(account);
    if (!entitlements) return std::move(entitlements).error();
    return std::ranges::any_of(
        *entitlements, [](const Entitlement& e) { return e.feature_code == cdn_delivery_feature && e.enabled; });
}

}  // namespace

Tally& OpenVersion::add_tally() const {
    const std::lock_guard lock(tallies_mutex_);
    return tallies_.emplace_back();
}

std::uint64_t OpenVersion::take_delivered() const {
    const std::lock_guard lock(tallies_mutex_);
    std::uint64_t sum = 0;
    for (Tally& tally : tallies_) sum += tally.bytes.exchange(0, std::memory_order_relaxed);
    return sum;
}

OpenTilesets::OpenTilesets(metadata::Store& store, blobs::BlobStore& blobs, const Clock& clock, std::size_t max_open)
    : store_(store),
      blobs_(blobs),
      clock_(clock),
      max_open_(max_open),
      lookups_(store.tilesets()),
      subscription_(store.on_change([this](const metadata::Change& change) { on_change(change); })) {}

OpenTilesets::~OpenTilesets() = default;

OpenVersionPtr OpenTilesets::find_open(const VersionKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(key);
    return found == open_.end() ? nullptr : found->second;
}

Result<OpenVersionPtr> OpenTilesets::open(const VersionKey& key) {
    std::promise<Result<OpenVersionPtr>> promise;
    std::uint64_t seen = 0;
    std::shared_future<Result<OpenVersionPtr>> others;
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = open_.find(key); found != open_.end()) return found->second;
        seen = changes_;
        const auto opening = opening_.find(key);
        if (opening != opening_.end() && opening->second.seen == seen) {
            others = opening->second.outcome;
        } else {
            opening_[key] = {seen, promise.get_future().share()};
        }
    }
    // Many may ask for a version at once, just after it changed: one opens it.
    if (others.valid()) return others.get();
    auto outcome = [&]() -> Result<OpenVersionPtr> {
        try {
            return open_now(key, seen);
        } catch (const std::exception& problem) {  // those who wait must hear of it
            return internal_error(problem.what());
        }
    }();
    {
        const std::lock_guard lock(mutex_);
        if (const auto own = opening_.find(key); own != opening_.end() && own->second.seen == seen) opening_.erase(own);
    }
    promise.set_value(outcome);
    return outcome;
}

Result<OpenVersionPtr> OpenTilesets::open_now(const VersionKey& key, std::uint64_t seen) {
    auto loaded = load(key);
    if (!loaded) return std::move(loaded).error();
    OpenVersionPtr version = std::move(*loaded);

    const std::lock_guard lock(mutex_);
    close_retired_locked();
    if (changes_ != seen) {
        // What was read may be from before the change: it serves this request and no other.
        version->stale = true;
        retired_.push_back(version);
        return version;
    }
    const auto [place, fresh] = open_.try_emplace(key, version);
    if (!fresh) return place->second;
    open_versions_ = open_.size();
    open_layers_ += version->layers.size();
    if (open_layers_ > max_open_) close_the_least_used_locked();
    return version;
}

Result<std::shared_ptr<OpenVersion>> OpenTilesets::load(const VersionKey& key) {
    openings_.add();
    auto tileset = key.version == 0 ? store_.tilesets().find_any(key.tileset_id)
                                    : store_.tilesets().find_version(key.tileset_id, key.version);
    if (!tileset) return std::move(tileset).error();
    if (!*tileset) return tileset_not_found();
    const Tileset& row = **tileset;
    const auto public_delivery = has_public_delivery(store_, row.account_id);
    if (!public_delivery) return public_delivery.error();

    auto version = std::make_shared<OpenVersion>();
    version->key = key;
    version->account_id = row.account_id;
    version->format = row.current.geometry.format;
    version->geometry = row.current.geometry;
    version->expires_at = row.expires_at;
    version->public_delivery = *public_delivery;
    version->last_used_s = to_unix_seconds(clock_.now());
    for (auto layer_row = row.current.layers.rbegin(); layer_row != row.current.layers.rend(); ++layer_row) {
        auto opened = layer(layer_row->storage_key);
        if (!opened) {
            return tileset_unavailable(opened.error(),
                                       "tileset " + row.id.to_string() + ": " + layer_row->storage_key + ": ");
        }
        version->layers.push_back(std::move(*opened));
    }
    return version;
}

// Versions of one tileset share their layers, and what was read of them.
Result<std::shared_ptr<const OpenLayer>> OpenTilesets::layer(const std::string& storage_key) {
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = layers_.find(storage_key); found != layers_.end()) {
            if (auto alive = found->second.lock()) return alive;
        }
    }
    auto opened = OpenLayer::open(blobs_, storage_key);
    if (!opened) return opened;
    const std::lock_guard lock(mutex_);
    if (layers_.size() > 4 * max_open_)
        std::erase_if(layers_, [](const auto& entry) { return entry.second.expired(); });
    layers_.insert_or_assign(storage_key, *opened);
    return opened;
}

void OpenTilesets::on_change(const metadata::Change& change) {
    using Kind = metadata::Change::Kind;
    const std::lock_guard lock(mutex_);
    ++changes_;
    for (auto entry = open_.begin(); entry != open_.end();) {
        const OpenVersion& version = *entry->second;
        const bool touched = change.kind == Kind::everything ||
                             (change.kind == Kind::tileset && version.key.tileset_id == change.id) ||
                             (change.kind == Kind::account && version.account_id == change.id);
        if (!touched) {
            ++entry;
            continue;
        }
        entry = retire_locked(entry);
    }
}

OpenTilesets::Open::iterator OpenTilesets::retire_locked(Open::iterator entry) {
    entry->second->stale = true;
    open_layers_ -= entry->second->layers.size();
    retired_.push_back(entry->second);
    open_versions_ = open_.size() - 1;
    return open_.erase(entry);
}

void OpenTilesets::close_the_least_used_locked() {
    // Serving threads move these times on meanwhile: each is read once.
    std::vector<std::pair<std::int64_t, VersionKey>> by_use;
    by_use.reserve(open_.size());
    for (const auto& [key, version] : open_) by_use.emplace_back(version->last_used_s.load(), key);
    std::ranges::sort(by_use, {}, [](const auto& entry) { return entry.first; });
    for (const auto& [used, key] : by_use) {
        if (open_layers_ <= max_open_ - max_open_ / 8) return;
        retire_locked(open_.find(key));
    }
}

// One that only the list holds can't count any further: it is closed.
void OpenTilesets::close_retired_locked() {
    std::erase_if(retired_, [this](const OpenVersionPtr& version) {
        const bool alone = version.use_count() == 1;
        count_locked(*version);
        return alone;
    });
}

void OpenTilesets::count_locked(const OpenVersion& version) {
    if (const std::uint64_t bytes = version.take_delivered()) delivered_[version.account_id] += bytes;
}

std::unordered_map<Uuid, std::uint64_t> OpenTilesets::take_delivered() {
    const std::lock_guard lock(mutex_);
    for (const auto& [key, version] : open_) count_locked(*version);
    close_retired_locked();
    return std::exchange(delivered_, {});
}

}  // namespace tessera::service
