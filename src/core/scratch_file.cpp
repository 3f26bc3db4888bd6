#include "core/scratch_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>

namespace tessera {

Result<UniqueFd> make_scratch_file(const std::filesystem::path& folder) {
    UniqueFd file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file) return file;
    // A file system without O_TMPFILE: make one and take its name away at once.
    std::string name = (folder / ".scratch-XXXXXX").string();
    file = UniqueFd(::mkostemp(name.data(), O_CLOEXEC));
    if (!file) return from_errno("make a scratch file in " + folder.string());
    ::unlink(name.c_str());
    return file;
}

Result<void> write_at(int file, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::pwrite(file, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return from_errno("write to a scratch file");
        bytes = bytes.subspan(static_cast<std::size_t>(written));
        offset += static_cast<std::uint64_t>(written);
    }
    return {};
}

}  // namespace tessera
