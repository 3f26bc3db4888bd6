#include "service/previews/preview_cache.hpp"

namespace tessera::service {
namespace {

constexpr std::int64_t bytes_of_an_entry = 256;  // beside the picture

}  // namespace

std::optional<PreviewCache::Kept> PreviewCache::find(const Uuid& account, const std::string& tag) {
    const std::lock_guard lock(mutex_);
    const auto found = places_.find(key_of(account, tag));
    if (found == places_.end()) return std::nullopt;
    entries_.splice(entries_.begin(), entries_, found->second);
    return found->second->made;
}

void PreviewCache::put(const Uuid& account, const std::string& tag, Kept made) {
    const std::int64_t bytes =
        bytes_of_an_entry + (made ? static_cast<std::int64_t>((*made)->size()) : std::int64_t{0});
    if (bytes > most_bytes_) return;
    const std::lock_guard lock(mutex_);
    std::string key = key_of(account, tag);
    if (places_.contains(key)) return;
    entries_.push_front({account, std::move(key), std::move(made), bytes});
    places_[entries_.front().key] = entries_.begin();
    bytes_ += bytes;
    while (bytes_ > most_bytes_) {
        bytes_ -= entries_.back().bytes;
        places_.erase(entries_.back().key);
        entries_.pop_back();
    }
}

void PreviewCache::forget(const Uuid& account) {
    const std::lock_guard lock(mutex_);
    for (auto entry = entries_.begin(); entry != entries_.end();) {
        if (entry->account != account) {
            ++entry;
            continue;
        }
        bytes_ -= entry->bytes;
        places_.erase(entry->key);
        entry = entries_.erase(entry);
    }
}

}  // namespace tessera::service
