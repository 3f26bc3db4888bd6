// Publisher: makes staged files durable under their final names, many callers at a time. Whoever comes first leads: it
// takes all that wait, syncs the bytes, renames, syncs the folders, and wakes the others; those who came
// meanwhile are the next group. So one sync serves as many blobs as arrived during the one before it.
#pragma once

#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <optional>
#include <unordered_set>
#include <vector>

#include "blobs/blob_store.hpp"
#include "blobs/filesystem/layout.hpp"
#include "blobs/staged_file.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

class Publisher {
  public:
    // `root` is open on the folder of the layout, which is on the same filesystem as every file to publish.
    Publisher(Layout layout, UniqueFd root) : layout_(std::move(layout)), root_(std::move(root)) {}

    struct Item {
        StagedFile file;
        BlobKey key;
        IfThere if_there = IfThere::keep;
        std::optional<Error> error = std::nullopt;
        bool bytes_durable = false;  // or there already
        bool named = false;
    };
    // Returns when each item is durable under its key or has an error.
    void publish(std::vector<Item>& items);

  private:
    struct Waiter {
        std::vector<Item>* items;
        bool done = false;
    };

    void prepare(Item& item);
    void work(const std::vector<Item*>& items);
    void sync_bytes(const std::vector<Item*>& items) const;
    void rename(const std::vector<Item*>& items);
    void sync_names(const std::vector<Item*>& items);
    [[nodiscard]] Result<void> rename_into_place(Item& item);

    const Layout layout_;
    const UniqueFd root_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Waiter*> waiting_;
    bool led_ = false;
    // Folders that are known to be there, durably. Touched by the leader alone.
    std::unordered_set<std::string> known_folders_;
};

}  // namespace tessera::blobs
