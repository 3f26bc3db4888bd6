#include "engine/scratch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/random.hpp"

namespace tessera::engine {

Result<ScratchPath> ScratchPath::create_folder(const std::filesystem::path& parent) {
    std::filesystem::path path = parent / random_token(16);
    if (::mkdir(path.c_str(), 0700) != 0) return from_errno("mkdir " + path.string());
    return ScratchPath(std::move(path));
}

void ScratchPath::remove() noexcept {
    if (path_.empty()) return;
    // Most are plain files, or gone already. What can't be removed now is swept at the next start.
    std::error_code ignored;
    if (::unlink(path_.c_str()) != 0 && errno != ENOENT) std::filesystem::remove_all(path_, ignored);
    path_.clear();
}

}  // namespace tessera::engine
