#include "app/scratch_root.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

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

void sweep_dead(const std::filesystem::path& parent) {
    std::error_code failure;
    for (const auto& entry : std::filesystem::directory_iterator(parent, failure)) {
        const std::string name = entry.path().string();
        if (!name.ends_with(lock_suffix)) continue;
        const UniqueFd lock(open(name.c_str(), O_RDWR | O_CLOEXEC));
        if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0) continue;
        remove_quietly(name.substr(0, name.size() - lock_suffix.size()));
        remove_quietly(entry.path());
    }
}

}  // namespace

Result<ScratchRoot> ScratchRoot::make(const std::filesystem::path& parent) {
    std::error_code failure;
    std::filesystem::create_directories(parent, failure);
    if (failure) return trouble("can't make the folder " + parent.string() + ": " + failure.message());
    sweep_dead(parent);

    std::filesystem::path path = parent / ("node-" + random_token(12));
    UniqueFd lock(open(lock_of(path).c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600));
    if (!lock || flock(lock.get(), LOCK_EX | LOCK_NB) != 0 || mkdir(path.c_str(), 0755) != 0) {
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
