#include "mounted_folder.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>

#include "core/file.hpp"

namespace tessera::blobs::contract {

namespace fs = std::filesystem;

namespace {

// From the kernel's ext4.h; not in a header for programs.
constexpr unsigned long ext4_shutdown = _IOR('X', 125, std::uint32_t);
constexpr std::uint32_t without_flushing_the_log = 2;

bool run(const std::string& command) {
    return std::system((command + " >/dev/null 2>&1").c_str()) == 0;
}

}  // namespace

std::unique_ptr<MountedFolder> MountedFolder::tmpfs(std::size_t bytes) {
    std::unique_ptr<MountedFolder> folder(new MountedFolder);
    if (!folder->mount("-t tmpfs -o size=" + std::to_string(bytes) + " tmpfs")) return nullptr;
    return folder;
}

std::unique_ptr<MountedFolder> MountedFolder::ext4(std::size_t bytes) {
    std::unique_ptr<MountedFolder> folder(new MountedFolder);
    const std::string image = (folder->place_.path() / "image").string();
    if (!run("truncate -s " + std::to_string(bytes) + " " + image) || !run("mkfs.ext4 -q -F " + image)) return nullptr;
    // A long commit interval: nothing reaches the disk because time has passed.
    if (!folder->mount("-t ext4 -o loop,commit=3600 " + image)) return nullptr;
    return folder;
}

MountedFolder::~MountedFolder() {
    if (mounted_) unmount();
}

bool MountedFolder::mount(const std::string& arguments) {
    mount_arguments_ = arguments;
    mount_point_ = place_.path() / "mount";
    fs::create_directories(mount_point_);
    mounted_ = ::geteuid() == 0 && run("mount " + arguments + " " + mount_point_.string());
    return mounted_;
}

bool MountedFolder::unmount() {
    mounted_ = !run("umount " + mount_point_.string());
    return !mounted_;
}

bool MountedFolder::cut_power_and_mount_again() {
    {
        const UniqueFd fd(::open(mount_point_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        std::uint32_t how = without_flushing_the_log;
        if (!fd || ::ioctl(fd.get(), ext4_shutdown, &how) != 0) return false;
    }
    return unmount() && mount(mount_arguments_);
}

}  // namespace tessera::blobs::contract
