#include "blobs/s3/object_files.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tessera::blobs {

std::optional<UniqueFd> ObjectFiles::open(const BlobKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key.text());
    if (found == entries_.end()) {
        meter_.misses.add();
        return std::nullopt;
    }
    UniqueFd file(::open(found->second->path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        remove(found->second);
        meter_.misses.add();
        return std::nullopt;
    }
    meter_.hits.add();
    order_.splice(order_.begin(), order_, found->second);
    return file;
}

void ObjectFiles::keep(const BlobKey& key, StagedFile file) {
    const std::lock_guard lock(mutex_);
    // One object must not drive out all the others.
    if (file.size() > max_bytes_ / 4 || entries_.contains(key.text())) return;
    const auto path = folder_ / (std::to_string(next_++) + ".object");
    if (!file.move_to(path)) return;
    file.release();
    bytes_ += file.size();
    order_.push_front({key.text(), path, file.size()});
    entries_.emplace(key.text(), order_.begin());
    while (bytes_ > max_bytes_) remove(std::prev(order_.end()));
    meter_.bytes = static_cast<std::int64_t>(bytes_);
}

void ObjectFiles::forget(const BlobKey& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key.text());
    if (found != entries_.end()) remove(found->second);
}

void ObjectFiles::forget_all(std::string_view prefix) {
    const std::lock_guard lock(mutex_);
    for (auto entry = order_.begin(); entry != order_.end();) {
        const auto next = std::next(entry);
        if (entry->key.starts_with(prefix)) remove(entry);
        entry = next;
    }
}

void ObjectFiles::remove(Entries::iterator entry) {
    ::unlink(entry->path.c_str());
    bytes_ -= entry->size;
    meter_.bytes = static_cast<std::int64_t>(bytes_);
    entries_.erase(entry->key);
    order_.erase(entry);
}

}  // namespace tessera::blobs
