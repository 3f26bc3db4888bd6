// Folders and files in the making. Each removes itself with all it holds; what a crash left is swept at start.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <utility>

#include "core/result.hpp"

namespace tessera::engine {

// Removes a file, or a folder with all below it, however deep and however many: memory and descriptors are bounded.
void remove_tree(const std::filesystem::path& path) noexcept;

// Calls `visit` with each name in an open folder until it says false; entries may be removed meanwhile.
void for_each_name(int folder, const std::function<bool(const char*)>& visit);

// More files than any task has.
inline constexpr std::int64_t most_files = 256;

// What an open folder holds, without what is in folders below it, and counted up to a little over most_files.
struct FolderUse {
    std::int64_t names = 0;
    std::int64_t bytes = 0;  // on the disk
};
FolderUse use_of(int folder);

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
