#include "engine/task_folder.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstring>

namespace tessera::engine {

Result<TaskFolder> TaskFolder::make(const std::filesystem::path& parent, uid_t uid) {
    auto folder = ScratchPath::create_folder(parent);
    if (!folder) return folder.error();
    const std::filesystem::path& path = folder->path();
    UniqueFd opened(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!opened) return from_errno("open " + path.string());
    if (::geteuid() == 0 && uid != 0 && ::fchown(opened.get(), uid, uid) != 0) {
        return from_errno("chown " + path.string());
    }
    return TaskFolder(std::move(*folder), std::move(opened));
}

bool TaskFolder::is_empty() const {
    alignas(dirent64) std::array<char, 1024> entries;
    if (::lseek(opened_.get(), 0, SEEK_SET) != 0) return false;
    while (true) {
        const ssize_t got = ::getdents64(opened_.get(), entries.data(), entries.size());
        if (got <= 0) return got == 0;
        for (ssize_t at = 0; at < got;) {
            const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
            if (std::strcmp(entry->d_name, ".") != 0 && std::strcmp(entry->d_name, "..") != 0) return false;
            at += entry->d_reclen;
        }
    }
}

}  // namespace tessera::engine
