#include "engine/host/task_folder.hpp"

#include <fcntl.h>
#include <unistd.h>

namespace tessera::engine {
namespace {

// A mapping that was kept holds no more of the disk than the file has, so where those are not seen nothing is left.
bool remove_file(int folder, const char* name, const WriterCheck& writers) {
    constexpr int open_flags = O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
    if (writers.sight() != WriterCheck::Sight::all) {
        const UniqueFd cut(::openat(folder, name, O_WRONLY | O_TRUNC | open_flags));
    }
    const UniqueFd file(::openat(folder, name, O_RDONLY | open_flags));
    if (::unlinkat(folder, name, 0) != 0 || !file) return false;
    if (::geteuid() == 0 && ::fchown(file.get(), 0, 0) != 0) return false;
    return writers.sight() != WriterCheck::Sight::nothing && writers.ask(file.get()) != WriterCheck::Answer::writer;
}

}  // namespace

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
    return use_of(opened_.get()).names == 0;
}

bool TaskFolder::clear(const WriterCheck& writers) const {
    bool clean = true;
    std::int64_t seen = 0;
    for_each_name(opened_.get(), [&](const char* name) {
        clean = remove_file(opened_.get(), name, writers) && ++seen <= most_files;
        return clean;
    });
    return clean;
}

}  // namespace tessera::engine
