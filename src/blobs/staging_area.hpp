// StagingArea: this process's folder for files on their way into a store, and the broom for the folders of processes
// that died. A folder belongs to whoever holds its lock, so live processes that share a data folder are left alone.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>

#include "blobs/staged_file.hpp"
#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

class StagingArea {
  public:
    // Makes `root` where it is missing, sweeps what dead processes left in it, and claims a folder of its own.
    static Result<StagingArea> open(const std::filesystem::path& root);

    StagingArea(StagingArea&& other) noexcept;
    StagingArea& operator=(StagingArea&&) = delete;
    ~StagingArea();

    Result<StagedFile> create();
    // Moves `file` into this area unless it is here already; copies where a rename can't.
    Result<StagedFile> bring_in(StagedFile file);

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
    [[nodiscard]] std::filesystem::path new_path();

  private:
    StagingArea(std::filesystem::path folder, UniqueFd lock) : folder_(std::move(folder)), lock_(std::move(lock)) {}
    Result<StagedFile> copy_in(StagedFile file);

    std::filesystem::path folder_;
    UniqueFd lock_;  // flock on the folder: released by the kernel however this process ends
    std::atomic<std::uint64_t> next_ = 0;
};

}  // namespace tessera::blobs
