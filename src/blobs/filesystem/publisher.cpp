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

// From so many files of one caller on, one sync of the whole filesystem is cheaper than one for each.
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
    if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return from_errno("create " + folder.string());
    return {};
}

void fail(const std::vector<Publisher::Item*>& items, const Error& error) {
    for (auto* item : items) {
        if (!item->error) item->error = error;
    }
}

}  // namespace

void Publisher::publish(std::vector<Item>& items) {
    ItemPtrs all;
    for (auto& item : items) {
        skip_what_is_there(item);
        all.push_back(&item);
    }
    sync_bytes(all);
    rename(all);
    sync_names(all);
}

void Publisher::skip_what_is_there(Item& item) const {
    if (item.if_there == IfThere::write_again) return;
    item.named = is_published(layout_.path_of(item.key), item.file.size());
}

void Publisher::sync_bytes(const ItemPtrs& items) const {
    ItemPtrs unsynced;
    std::ranges::copy_if(items, std::back_inserter(unsynced), [](const Item* item) { return !item->named; });

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

void Publisher::rename(const ItemPtrs& items) {
    for (auto* item : items) {
        if (item->error || item->named) continue;
        const auto renamed = rename_into_place(*item);
        if (!renamed) item->error = renamed.error();
        item->named = renamed.ok();
    }
}

Result<void> Publisher::rename_into_place(Item& item) {
    const fs::path folder = layout_.folder_of(item.key);
    if (!is_known(folder)) {
        auto made = make_folder(folder.parent_path());
        if (made) made = make_folder(folder);
        if (!made) return made;
    }
    auto moved = item.file.move_to(folder / Layout::file_name_of(item.key));
    if (moved) item.file.release();
    return moved;
}

void Publisher::sync_names(const ItemPtrs& items) {
    ItemPtrs named;
    std::set<fs::path> folders;
    std::vector<std::string> new_folders;
    for (auto* item : items) {
        if (item->error) continue;
        named.push_back(item);
        const fs::path folder = layout_.folder_of(item->key);
        if (!folders.insert(folder).second || is_known(folder)) continue;
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
    const std::lock_guard lock(mutex_);
    known_folders_.insert(new_folders.begin(), new_folders.end());
}

bool Publisher::is_known(const fs::path& folder) {
    const std::lock_guard lock(mutex_);
    return known_folders_.contains(folder.string());
}

}  // namespace tessera::blobs
