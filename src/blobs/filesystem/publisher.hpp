// Publisher: makes staged files durable under their final names: bytes synced, renamed, folder synced. Callers overlap:
// a journal commits for all who wait for it at the same time, so that many publishers cost little more than one. (One
// leader that syncs for the others was tried: no faster, and a small blob could wait for a large one's bytes.)
#pragma once

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
        bool named = false;  // by us or, the same bytes, by somebody before
    };
    // Returns when each item is durable under its key or has an error.
    void publish(std::vector<Item>& items);

  private:
    using ItemPtrs = std::vector<Item*>;

    void skip_what_is_there(Item& item) const;
    void sync_bytes(const ItemPtrs& items) const;
    void rename(const ItemPtrs& items);
    void sync_names(const ItemPtrs& items);
    [[nodiscard]] Result<void> rename_into_place(Item& item);
    [[nodiscard]] bool is_known(const std::filesystem::path& folder);

    const Layout layout_;
    const UniqueFd root_;
    std::mutex mutex_;
    std::unordered_set<std::string> known_folders_;  // are there, durably
};

}  // namespace tessera::blobs
