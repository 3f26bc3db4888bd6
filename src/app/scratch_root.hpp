// A folder for files in the making that belongs to this process alone, and the name of this process as a node. What
// processes that died have left is removed when the next one starts: each holds a lock beside its folder, and a lock
// that can be had means that its holder is gone.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::app {

class ScratchRoot {
  public:
    // `on_dead` is told the names of nodes on this folder that ended without a word, before what they left is removed;
    // when it fails they are found again by the next that starts.
    static Result<ScratchRoot> make(const std::filesystem::path& parent,
                                    const std::function<Result<void>(std::span<const std::string>)>& on_dead);
    ScratchRoot(ScratchRoot&& other) noexcept = default;
    ScratchRoot& operator=(ScratchRoot&& other) noexcept = delete;
    ~ScratchRoot();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // Unique among all nodes there ever were.
    [[nodiscard]] std::string name() const { return path_.filename().string(); }

  private:
    ScratchRoot(std::filesystem::path path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

    std::filesystem::path path_;
    UniqueFd lock_;
};

}  // namespace tessera::app
