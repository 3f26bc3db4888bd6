#include "blobs/s3/known_objects.hpp"

namespace tessera::blobs {

namespace {

constexpr std::size_t max_known_objects = 20'000;
// For so long an object that another node removed may still seem to be there.
constexpr std::chrono::seconds known_for{60};

}  // namespace

ObjectPtr KnownObjects::find(const BlobKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key.text());
    if (found == entries_.end() || std::chrono::steady_clock::now() > found->second->until) return nullptr;
    order_.splice(order_.begin(), order_, found->second);
    return found->second->object;
}

std::uint64_t KnownObjects::id_for(const BlobKey& key, const std::string& etag) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key.text());
    if (found != entries_.end() && found->second->object->etag == etag) return found->second->object->id;
    return ++last_id_;
}

void KnownObjects::insert(const BlobKey& key, ObjectPtr object) {
    const std::lock_guard lock(mutex_);
    erase(key.text());
    order_.push_front({key.text(), std::move(object), std::chrono::steady_clock::now() + known_for});
    entries_.emplace(key.text(), order_.begin());
    if (order_.size() > max_known_objects) erase(std::string(order_.back().key));
}

void KnownObjects::forget(const BlobKey& key) {
    const std::lock_guard lock(mutex_);
    erase(key.text());
}

void KnownObjects::forget_all(std::string_view prefix) {
    const std::lock_guard lock(mutex_);
    std::erase_if(entries_, [&](const auto& entry) {
        const bool matches = entry.first.starts_with(prefix);
        if (matches) order_.erase(entry.second);
        return matches;
    });
}

void KnownObjects::erase(const std::string& key) {
    const auto found = entries_.find(key);
    if (found == entries_.end()) return;
    order_.erase(found->second);
    entries_.erase(found);
}

}  // namespace tessera::blobs
