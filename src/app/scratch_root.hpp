// A folder for files in the making that belongs to this process alone. What processes that died have left is removed
// when the next one starts: each holds a lock beside its folder, and a lock that can be had means that its holder is
// gone.
#pragma once

#include <filesystem>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::app {

class ScratchRoot {
  public:
    static Result<ScratchRoot> make(const std::filesystem::path& parent);
    ScratchRoot(ScratchRoot&& other) noexcept = default;
    ScratchRoot& operator=(ScratchRoot&& other) noexcept = delete;
    ~ScratchRoot();

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    ScratchRoot(std::filesystem::path path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}

    std::filesystem::path path_;
    UniqueFd lock_;
};

}  // namespace tessera::app
