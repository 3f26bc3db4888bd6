// How much of a disk is left alone: below the floor nothing new is taken in, so that what is under way and the database
// can still be written.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/result.hpp"

namespace tessera {

class DiskFloor {
  public:
    DiskFloor() = default;  // none
    DiskFloor(std::vector<std::string> folders, std::int64_t min_free_bytes)
        : folders_(std::move(folders)), min_free_bytes_(min_free_bytes) {}

    // storage_unavailable, with a time to wait, where one of the folders' disks has less than that left. A system call
    // for each.
    [[nodiscard]] Result<void> check() const;

  private:
    std::vector<std::string> folders_;
    std::int64_t min_free_bytes_ = 0;
};

}  // namespace tessera
