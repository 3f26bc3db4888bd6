// The data folder and its disk, and the folder for temporary files.
#include <sys/statvfs.h>
#include <unistd.h>

#include <filesystem>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/process/temporary_folder.hpp"
#include "app/remote/bar.hpp"
#include "app/stores.hpp"
#include "app/trouble.hpp"
#include "engine/host/writer_check.hpp"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t few_inodes = 10'000;

// Itself, or the folder in which it would be made.
fs::path nearest_there(fs::path path) {
    std::error_code ignored;
    while (!fs::exists(path, ignored) && path.has_parent_path() && path != path.parent_path()) {
        path = path.parent_path();
    }
    return path;
}

Diagnosis data_folder(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored)) {
        const fs::path parent = nearest_there(path);
        if (::access(parent.c_str(), W_OK | X_OK) == 0) {
            return fine("data folder", path.string() + " is not there yet; the first start makes it");
        }
        return failure("data folder", path.string() + " is not there and can't be made in " + parent.string(),
                       "make it, and give it to the user that the service runs as");
    }
    // As a start does: writes a block, and takes it away.
    const auto opened = DataFolder::open(path);
    if (opened) return fine("data folder", path.string() + " can be written");
    const std::string text = told(opened.error());
    const std::size_t line = text.find('\n');
    return failure("data folder", text.substr(0, line), line == std::string::npos ? "" : text.substr(line + 1));
}

Diagnosis disk_of(const DiskFolder& folder, std::int64_t floor) {
    const std::string name = "disk of " + folder.name;
    struct statvfs disk {};
    const fs::path there = nearest_there(folder.path);
    if (::statvfs(there.c_str(), &disk) != 0) {
        return warning(name, there.string() + " does not tell how much is free", "look at it by hand");
    }
    const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
    std::string found = remote::bytes_text(free) + " free";
    if (disk.f_files > 0) found += ", " + std::to_string(disk.f_favail) + " files";
    if (free < static_cast<std::uint64_t>(std::max<std::int64_t>(floor, 0))) {
        return failure(name, found + ", less than storage.min_free_bytes: nothing is taken in",
                       "make room, or use a larger disk");
    }
    if (disk.f_files > 0 && disk.f_favail < few_inodes) {
        return failure(name, found, "the filesystem has room for few more files: make it anew with more inodes");
    }
    if (free < 10 * static_cast<std::uint64_t>(std::max<std::int64_t>(floor, 0))) {
        return warning(name, found, "make room before the disk is full");
    }
    return fine(name, found);
}

// On the disk that the engines' scratch folder is on.
Diagnosis leases_on(const fs::path& folder) {
    const std::string name = "file leases";
    std::error_code ignored;
    fs::path there = nearest_there(folder);
    if (::access(there.c_str(), W_OK) != 0) there = fs::temp_directory_path(ignored);
    using Sight = engine::WriterCheck::Sight;
    switch (engine::WriterCheck::try_out(there).sight()) {
        case Sight::all: return fine(name, "the filesystem of " + there.string() + " has them");
        case Sight::descriptors:
        case Sight::nothing: break;
    }
    return warning(name, "the filesystem of " + there.string() + " does not tell who may still write to a file",
                   "results are copied before they are believed, which costs time: put the data folder on ext4, xfs or "
                   "btrfs");
}

Diagnosis temporary() {
    try {
        const TemporaryFolder folder;
        return fine("temporary files", folder.path().parent_path().string() + " can be written");
    } catch (const std::exception& failed) {
        return warning("temporary files", failed.what(),
                       "set TMPDIR to a folder that can be written: `tessera process` and this command need it");
    }
}

}  // namespace

Diagnoses look_at_folder(const Config& config) {
    const DataFolder folder = DataFolder::at(config.data.dir);
    Diagnoses found{data_folder(folder.path())};
    for (const DiskFolder& each : disk_folders(config, folder)) {
        found.push_back(disk_of(each, config.storage.min_free_bytes));
    }
    found.push_back(leases_on(folder.path()));
    found.push_back(temporary());
    return found;
}

}  // namespace tessera::app
