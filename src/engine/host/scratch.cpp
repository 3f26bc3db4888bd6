#include "engine/host/scratch.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/file.hpp"
#include "core/random.hpp"

namespace tessera::engine {
namespace {

constexpr std::size_t listed_at_once = 4096;

// Removes what is in `folder`; folders that are not empty are moved up into `top`, to be emptied in their turn. True
// when something was removed or moved.
bool empty_once(int folder, int top) {
    bool moved_on = false;
    for_each_name(folder, [&](const char* name) {
        if (::unlinkat(folder, name, 0) == 0 || ::unlinkat(folder, name, AT_REMOVEDIR) == 0) {
            moved_on = true;
        } else if (folder != top && (errno == ENOTEMPTY || errno == EEXIST)) {
            moved_on |= ::renameat(folder, name, top, random_token(16).c_str()) == 0;
        }
        return true;
    });
    return moved_on;
}

}  // namespace

void for_each_name(int folder, const std::function<bool(const char*)>& visit) {
    alignas(dirent64) std::array<char, listed_at_once> entries;
    ::lseek(folder, 0, SEEK_SET);
    while (true) {
        const ssize_t got = ::getdents64(folder, entries.data(), entries.size());
        if (got <= 0) return;
        for (ssize_t at = 0; at < got;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
            const bool is_entry = std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0;
            if (is_entry && !visit(entry->d_name)) return;
            at += entry->d_reclen;
        }
    }
}

void remove_tree(const std::filesystem::path& path) noexcept try {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return;
    const UniqueFd top(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!top) return;
    // One level at a time: whatever lies deeper is brought up first, so that depth costs neither memory nor
    // descriptors. Each turn removes or lifts something, or is the last.
    for (bool moved_on = true; moved_on;) {
        moved_on = empty_once(top.get(), top.get());
        for_each_name(top.get(), [&](const char* name) {
            const UniqueFd below(::openat(top.get(), name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
            if (below && empty_once(below.get(), top.get())) moved_on = true;
            return true;
        });
    }
    ::rmdir(path.c_str());
} catch (...) {  // what can't be removed now is swept at the next start
}

FolderUse use_of(int folder) {
    FolderUse use;
    for_each_name(folder, [&](const char* name) {
        struct stat status {};
        ++use.names;
        if (::fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0) use.bytes += status.st_blocks * 512;
        return use.names <= most_files;
    });
    return use;
}

Result<ScratchPath> ScratchPath::create_folder(const std::filesystem::path& parent) {
    std::filesystem::path path = parent / random_token(16);
    if (::mkdir(path.c_str(), 0700) != 0) return from_errno("mkdir " + path.string());
    return ScratchPath(std::move(path));
}

void ScratchPath::remove() noexcept {
    if (path_.empty()) return;
    remove_tree(path_);
    path_.clear();
}

}  // namespace tessera::engine
