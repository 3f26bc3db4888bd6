// A small filesystem of its own for tests that fill it or cut its power. Needs root.
#pragma once

#include <filesystem>
#include <memory>

#include "support.hpp"

namespace tessera::blobs::contract {

class MountedFolder {
  public:
    // Null where this process may not mount.
    static std::unique_ptr<MountedFolder> tmpfs(std::size_t bytes);
    static std::unique_ptr<MountedFolder> ext4(std::size_t bytes);
    ~MountedFolder();

    [[nodiscard]] const std::filesystem::path& path() const { return mount_point_; }
    // Everything that is not on the disk yet is lost, as when the plug is pulled; then it is mounted again. ext4 only.
    [[nodiscard]] bool cut_power_and_mount_again();

  private:
    MountedFolder() = default;
    bool mount(const std::string& arguments);
    bool unmount();

    TemporaryFolder place_;
    std::filesystem::path mount_point_;
    std::string mount_arguments_;
    bool mounted_ = false;
};

}  // namespace tessera::blobs::contract
