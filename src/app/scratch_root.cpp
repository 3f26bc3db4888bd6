#include "app/scratch_root.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "app/trouble.hpp"
#include "core/random.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view lock_suffix = ".lock";

std::filesystem::path lock_of(const std::filesystem::path& folder) {
    return folder.string() + std::string(lock_suffix);
}

void remove_quietly(const std::filesystem::path& path) {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}

void sweep_dead(const std::filesystem::path& parent,
                const std::function<Result<void>(std::span<const std::string>)>& on_dead) {
    std::vector<UniqueFd> locks;
    std::vector<std::string> dead;
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(parent, failure)) {
        const std::string name = entry.path().filename().string();
        if (!name.ends_with(lock_suffix)) continue;
        UniqueFd lock(open(entry.path().c_str(), O_RDWR | O_CLOEXEC));
        if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
        locks.push_back(std::move(lock));
        dead.push_back(name.substr(0, name.size() - lock_suffix.size()));
    }
    if (dead.empty() || !on_dead(dead)) return;
    for (const std::string& name : dead) {
        remove_quietly(parent / name);
        remove_quietly(lock_of(parent / name));
    }
}

// Empty when it was gone before it was locked: another node that starts now took its holder for dead.
UniqueFd make_lock(const std::filesystem::path& file) {
    UniqueFd lock(open(file.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) return {};
    struct stat of_lock {};
    return fstat(lock.get(), &of_lock) == 0 && of_lock.st_nlink > 0 ? std::move(lock) : UniqueFd();
}

}  // namespace

Result<ScratchRoot> ScratchRoot::make(const std::filesystem::path& parent,
                                      const std::function<Result<void>(std::span<const std::string>)>& on_dead) {
    std::error_code failure;
    std::filesystem::create_directories(parent, failure);
    if (failure) return trouble("can't make the folder " + parent.string() + ": " + failure.message());
    sweep_dead(parent, on_dead);

    std::filesystem::path path;
    UniqueFd lock;
    for (int attempt = 0; attempt < 3 && !lock; ++attempt) {
        path = parent / ("node-" + random_token(12));
        lock = make_lock(lock_of(path));
    }
    if (!lock || mkdir(path.c_str(), 0700) != 0) {
        return trouble("can't make the folder " + path.string() + ": " + std::generic_category().message(errno));
    }
    return ScratchRoot(std::move(path), std::move(lock));
}

ScratchRoot::~ScratchRoot() {
    if (!lock_) return;
    remove_quietly(path_);
    remove_quietly(lock_of(path_));
}

}  // namespace tessera::app
