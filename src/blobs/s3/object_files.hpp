// ObjectFiles: whole remote objects as local files, the least recently used removed when there are too many bytes of
// them. A file is never changed, so that whoever has it open goes on reading after it was removed.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>

#include "blobs/blob_key.hpp"
#include "blobs/staged_file.hpp"
#include "core/file.hpp"
#include "core/meters.hpp"

namespace tessera::blobs {

class ObjectFiles {
  public:
    ObjectFiles(std::filesystem::path folder, std::uint64_t max_bytes)
        : folder_(std::move(folder)), max_bytes_(max_bytes) {}

    // Nothing when it is not here.
    std::optional<UniqueFd> open(const BlobKey& key);
    // Takes the file over when there is room for it; otherwise it is dropped.
    void keep(const BlobKey& key, StagedFile file);
    void forget(const BlobKey& key);
    void forget_all(std::string_view prefix);
    [[nodiscard]] const CacheMeter& meter() const { return meter_; }

  private:
    struct Entry {
        std::string key;
        std::filesystem::path path;
        std::uint64_t size = 0;
    };
    using Entries = std::list<Entry>;
    void remove(Entries::iterator entry);

    const std::filesystem::path folder_;
    const std::uint64_t max_bytes_;
    CacheMeter meter_;
    std::mutex mutex_;
    std::uint64_t bytes_ = 0;
    std::uint64_t next_ = 0;
    Entries order_;  // latest used first
    std::unordered_map<std::string, Entries::iterator> entries_;
};

}  // namespace tessera::blobs
