#include "app/data_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <system_error>

#include "app/private_files.hpp"
#include "app/trouble.hpp"

namespace tessera::app {
namespace {

constexpr const char* lock_name = "tessera.lock";
constexpr const char* workers_lock_name = "tessera.workers.lock";

std::string hint_for(int error_number) {
    switch (error_number) {
        case EROFS:
            return "the filesystem is mounted read-only; mount it for writing or choose another folder with --data-dir";
        case EACCES:
        case EPERM: return "this user may not write there; change its owner or choose another folder with --data-dir";
        case ENOSPC:
        case EDQUOT: return "the disk is full; make room or choose another folder with --data-dir";
        case ENOTDIR:
        case EEXIST: return "something that is not a folder is in the way; choose another folder with --data-dir";
        default: return "choose another folder with --data-dir";
    }
}

Error unusable(const std::filesystem::path& path, std::string_view step, int error_number) {
    return trouble("can't use the data folder " + path.string() + ": " + std::string(step) + ": " +
                   std::generic_category().message(error_number) + "\n" + hint_for(error_number));
}

// A disk may accept a file and refuse its content, so the probe writes, syncs and reads back a real block.
Result<void> prove_writable(const std::filesystem::path& folder) {
    const std::filesystem::path probe = folder / (".probe-" + std::to_string(getpid()));
    const UniqueFd file(open(probe.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600));
    if (!file && errno != EEXIST) return unusable(folder, "making a file", errno);
    if (!file) return {};  // left by a crash of a process with our number: it could be written then
    const std::array<std::uint8_t, 4096> block{};
    int failure = 0;
    if (write(file.get(), block.data(), block.size()) != static_cast<ssize_t>(block.size())) {
        failure = errno != 0 ? errno : ENOSPC;
    }
    unlink(probe.c_str());
    if (failure != 0) return unusable(folder, "writing a file", failure);
    return {};
}

// A data folder that an earlier version made may let others in. A folder that is not ours yet stays as it is.
Result<void> close_to_others(const std::filesystem::path& folder) {
    struct stat found {};
    const bool is_ours = ::stat((folder / lock_name).c_str(), &found) == 0;
    if (!is_ours || ::stat(folder.c_str(), &found) != 0 || (found.st_mode & 0077) == 0) return {};
    if (found.st_uid != ::geteuid() || ::chmod(folder.c_str(), 0700) == 0) return {};
    return unusable(folder, "setting its mode", errno);
}

// "a/b/" names the same folder as "a/b", whose parent is "a".
std::filesystem::path without_slash(const std::filesystem::path& path) {
    return path.has_filename() ? path : path.parent_path();
}

std::filesystem::path topmost_missing(const std::filesystem::path& folder) {
    std::error_code ignored;
    std::filesystem::path topmost = folder;
    while (topmost.has_parent_path() && !std::filesystem::exists(topmost.parent_path(), ignored)) {
        topmost = topmost.parent_path();
    }
    return topmost;
}

// Its path may be another file's by now: a start that failed took its own away.
bool is_at(const UniqueFd& file, const std::filesystem::path& path) {
    struct stat held {};
    struct stat found {};
    return ::fstat(file.get(), &held) == 0 && ::stat(path.c_str(), &found) == 0 && held.st_ino == found.st_ino &&
           held.st_dev == found.st_dev;
}

}  // namespace

Result<DataFolder> DataFolder::open(const std::filesystem::path& path) {
    keep_files_private();
    std::error_code failure;
    const std::filesystem::path absolute = without_slash(std::filesystem::absolute(path, failure).lexically_normal());
    if (failure) return unusable(path, "finding it", failure.value());
    const bool there = std::filesystem::is_directory(absolute, failure);
    const std::filesystem::path made = there ? std::filesystem::path() : topmost_missing(absolute);
    if (!there) {
        std::filesystem::create_directories(absolute, failure);
        if (failure) return unusable(absolute, "making it", failure.value());
    } else if (Result<void> closed = close_to_others(absolute); !closed) {
        return closed.error();
    }
    DataFolder folder(absolute);
    folder.made_ = made;
    if (Result<void> writable = prove_writable(absolute); !writable) {
        folder.remove_made();
        return writable.error();
    }
    return folder;
}

DataFolder DataFolder::at(const std::filesystem::path& path) {
    keep_files_private();
    std::error_code failure;
    return DataFolder(without_slash(std::filesystem::absolute(path, failure).lexically_normal()));
}

bool DataFolder::is_fresh() const {
    std::error_code failure;
    std::filesystem::directory_iterator it(path_, failure);
    for (const std::filesystem::directory_iterator end; !failure && it != end; it.increment(failure)) {
        if (it->path().filename() != lock_name) return false;
    }
    return !failure;
}

void DataFolder::take_back() {
    if (!lock_workers(LOCK_EX)) return;
    std::error_code ignored;
    for (const char* name : {"tessera.db", "tessera.db-wal", "tessera.db-shm", "signing-secrets", "blobs", "staging",
                             "scratch", "cache", workers_lock_name, lock_name}) {
        std::filesystem::remove_all(path_ / name, ignored);
    }
    remove_made();
}

// Empty folders alone: what somebody else put there stays.
void DataFolder::remove_made() const {
    if (made_.empty()) return;
    for (std::filesystem::path one = path_;; one = one.parent_path()) {
        if (::rmdir(one.c_str()) != 0 || one == made_) return;
    }
}

Result<void> DataFolder::lock_for_serving() {
    const std::filesystem::path file = path_ / lock_name;
    UniqueFd lock(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    if (!lock) return unusable(path_, "opening " + file.filename().string(), errno);
    if (flock(lock.get(), LOCK_EX | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return unusable(path_, "locking it", errno);
        std::array<char, 32> text{};
        const ssize_t length = pread(lock.get(), text.data(), text.size() - 1, 0);
        std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
        while (!holder.empty() && holder.back() == '\n') holder.pop_back();
        return trouble("another `tessera serve` runs on the data folder " + path_.string() +
                       (holder.empty() ? "" : ": process " + holder) +
                       "\nstop it first, or give this one a folder of its own with --data-dir");
    }
    if (!is_at(lock, file)) return lock_for_serving();
    const std::string pid = std::to_string(getpid()) + "\n";
    if (ftruncate(lock.get(), 0) != 0 ||
        pwrite(lock.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
        return unusable(path_, "writing " + file.filename().string(), errno);
    }
    locks_.push_back(std::move(lock));
    return {};
}

Result<void> DataFolder::lock_for_work() {
    return lock_workers(LOCK_SH);
}

Result<void> DataFolder::lock_for_moving() {
    if (Result<void> locked = lock_for_serving(); !locked) return locked;
    return lock_workers(LOCK_EX);
}

Result<void> DataFolder::lock_workers(int how) {
    const std::filesystem::path file = path_ / workers_lock_name;
    UniqueFd lock(::open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600));
    if (!lock) return unusable(path_, "opening " + file.filename().string(), errno);
    if (flock(lock.get(), how | LOCK_NB) != 0) {
        if (errno != EWOULDBLOCK) return unusable(path_, "locking it", errno);
        return trouble(how == LOCK_EX
                           ? "a `tessera worker` runs on the data folder " + path_.string() + "\nstop it first"
                           : "the data folder " + path_.string() + " is being moved to another place");
    }
    locks_.push_back(std::move(lock));
    return {};
}

}  // namespace tessera::app
