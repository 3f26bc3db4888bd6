// Folders and files in the making. Each removes itself with all it holds; what a crash left is swept at start.
#pragma once

#include <filesystem>
#include <utility>

#include "core/result.hpp"

namespace tessera::engine {

// A path that is removed, with all below it, unless it was moved away meanwhile.
class ScratchPath {
  public:
    ScratchPath() = default;
    explicit ScratchPath(std::filesystem::path path) : path_(std::move(path)) {}
    ScratchPath(ScratchPath&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchPath& operator=(ScratchPath&& other) noexcept {
        if (this != &other) {
            remove();
            path_ = std::exchange(other.path_, {});
        }
        return *this;
    }
    ~ScratchPath() { remove(); }

    // A new empty folder in `parent`, mode 0700.
    static Result<ScratchPath> create_folder(const std::filesystem::path& parent);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    void remove() noexcept;
    std::filesystem::path path_;
};

}  // namespace tessera::engine
