// Folders for files in the making. Each removes itself with all it holds; what a crash left is swept at start.
#pragma once

#include <filesystem>
#include <utility>

#include "core/result.hpp"

namespace tessera::engine {

class ScratchFolder {
  public:
    ScratchFolder() = default;
    explicit ScratchFolder(std::filesystem::path path) : path_(std::move(path)) {}
    ScratchFolder(ScratchFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
    ScratchFolder& operator=(ScratchFolder&& other) noexcept {
        if (this != &other) {
            remove();
            path_ = std::exchange(other.path_, {});
        }
        return *this;
    }
    ~ScratchFolder() { remove(); }

    // A new empty folder in `parent`, mode 0700.
    static Result<ScratchFolder> create(const std::filesystem::path& parent);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    void remove() noexcept;
    std::filesystem::path path_;
};

}  // namespace tessera::engine
