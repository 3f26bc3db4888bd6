#include "engine/scratch.hpp"

#include <sys/stat.h>

#include <system_error>

#include "core/random.hpp"

namespace tessera::engine {

Result<ScratchFolder> ScratchFolder::create(const std::filesystem::path& parent) {
    std::filesystem::path path = parent / random_token(16);
    if (::mkdir(path.c_str(), 0700) != 0) return from_errno("mkdir " + path.string());
    return ScratchFolder(std::move(path));
}

void ScratchFolder::remove() noexcept {
    if (path_.empty()) return;
    std::error_code ignored;  // a folder that can't be removed now is swept at the next start
    std::filesystem::remove_all(path_, ignored);
    path_.clear();
}

}  // namespace tessera::engine
