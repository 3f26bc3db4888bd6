#include "blobs/filesystem/publisher.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>

#include "core/log.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

// A file this large is synced by its own caller, so that small ones do not wait for its bytes.
constexpr std::uint64_t large_file = 1 << 20;
// From here on one sync of the whole filesystem is cheaper than one for each file.
constexpr std::size_t many = 8;

// Whether `path` is there with `size` bytes. A name appears only after its bytes were synced.
bool is_published(const fs::path& path, std::uint64_t size) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return false;
    if (static_cast<std::uint64_t>(status.st_size) == size) return true;
    log::warning("blobs.size_differs", {{"path", path.string()}, {"found", status.st_size}, {"expected", size}});
    return false;
}

Result<void> make_folder(const fs::path& folder) {
    if (::mkdir(folder.c_str(), 0750) != 0 && errno != EEXIST) return from_errno("create " + folder.string());
    return {};
}

void fail(const std::vector<Publisher::Item*>& items, const Error& error) {
    for (auto* item : items) {
        if (!item->error) item->error = error;
    }
}

}  // namespace

void Publisher::publish(std::vector<Item>& items) {
    for (auto& item : items) prepare(item);

    Waiter self{&items};
    std::unique_lock lock(mutex_);
    waiting_.push_back(&self);
    changed_.wait(lock, [&] { return self.done || !led_; });
    if (self.done) return;

    led_ = true;
    const std::vector<Waiter*> group = std::exchange(waiting_, {});
    lock.unlock();

    std::vector<Item*> all;
    for (auto* waiter : group) {
        for (auto& item : *waiter->items) all.push_back(&item);
    }
    work(all);

    lock.lock();
    led_ = false;
    for (auto* waiter : group) waiter->done = true;
    changed_.notify_all();
}

void Publisher::prepare(Item& item) {
    if (item.if_there == IfThere::keep && is_published(layout_.path_of(item.key), item.file.size())) {
        item.bytes_durable = true;
        item.named = true;
    } else if (item.file.size() >= large_file) {
        const auto synced = item.file.sync();
        if (!synced) item.error = synced.error();
        item.bytes_durable = synced.ok();
    } else {
        ::sync_file_range(item.file.descriptor(), 0, 0, SYNC_FILE_RANGE_WRITE);
    }
}

void Publisher::work(const std::vector<Item*>& items) {
    sync_bytes(items);
    rename(items);
    sync_names(items);
}

void Publisher::sync_bytes(const std::vector<Item*>& items) const {
    std::vector<Item*> unsynced;
    std::ranges::copy_if(items, std::back_inserter(unsynced),
                         [](const Item* i) { return !i->error && !i->bytes_durable; });

    if (unsynced.size() < many) {
        for (auto* item : unsynced) {
            const auto synced = item->file.sync();
            if (!synced) item->error = synced.error();
        }
        return;
    }
    if (::syncfs(root_.get()) != 0) return fail(unsynced, from_errno("syncfs"));
    for (auto* item : unsynced) {
        // A write that failed earlier in the background is reported on the file's own descriptor only.
        if (::sync_file_range(item->file.descriptor(), 0, 0, SYNC_FILE_RANGE_WAIT_BEFORE) != 0)
            item->error = from_errno("sync " + item->file.path().string());
    }
}

void Publisher::rename(const std::vector<Item*>& items) {
    for (auto* item : items) {
        if (item->error || item->named) continue;
        const auto renamed = rename_into_place(*item);
        if (!renamed) item->error = renamed.error();
        item->named = renamed.ok();
    }
}

Result<void> Publisher::rename_into_place(Item& item) {
    const fs::path folder = layout_.folder_of(item.key);
    if (!known_folders_.contains(folder.string())) {
        auto made = make_folder(folder.parent_path());
        if (made) made = make_folder(folder);
        if (!made) return made;
    }
    const auto moved = item.file.move_to(folder / Layout::file_name_of(item.key));
    if (moved) item.file.release();
    return moved;
}

void Publisher::sync_names(const std::vector<Item*>& items) {
    std::vector<Item*> named;
    std::set<fs::path> folders;
    std::vector<std::string> new_folders;
    for (auto* item : items) {
        if (item->error) continue;
        named.push_back(item);
        const fs::path folder = layout_.folder_of(item->key);
        if (!folders.insert(folder).second || known_folders_.contains(folder.string())) continue;
        folders.insert(folder.parent_path());
        folders.insert(layout_.root());
        new_folders.push_back(folder.string());
    }

    if (folders.size() < many) {
        for (const auto& folder : folders) {
            const auto synced = sync_folder(folder);
            if (!synced) return fail(named, synced.error());
        }
    } else if (::syncfs(root_.get()) != 0) {
        return fail(named, from_errno("syncfs"));
    }
    known_folders_.insert(new_folders.begin(), new_folders.end());
}

}  // namespace tessera::blobs
