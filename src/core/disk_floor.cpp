#include "core/disk_floor.hpp"

#include <sys/statvfs.h>

namespace tessera {
namespace {

constexpr int retry_after_s = 30;

}  // namespace

Result<void> DiskFloor::check() const {
    if (min_free_bytes_ <= 0) return {};
    for (const std::string& folder : folders_) {
        struct statvfs disk {};
        // A folder that can't be asked fails where it is written to, with a better reason.
        if (::statvfs(folder.c_str(), &disk) != 0) continue;
        const std::uint64_t free = std::uint64_t{disk.f_bavail} * disk.f_frsize;
        if (free >= static_cast<std::uint64_t>(min_free_bytes_)) continue;
        Error error = storage_unavailable("the disk of " + folder + " has " + std::to_string(free) +
                                          " bytes left, less than storage.min_free_bytes");
        error.retry_after_s = retry_after_s;
        return error;
    }
    return {};
}

}  // namespace tessera
