// A growing store of byte runs that arrive in any order from many threads and are copied out once, in another order.
// Small ones stay in memory; larger ones move to a file without a name, which vanishes with the process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <span>
#include <vector>

#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::tiles {

class Spool {
  public:
    explicit Spool(std::filesystem::path folder) : folder_(std::move(folder)) {}

    // Gives the offset under which the bytes are kept.
    Result<std::uint64_t> append(std::span<const std::uint8_t> bytes);
    [[nodiscard]] std::uint64_t size() const;

    // Appends a part of the spool to `fd`. No append() may run meanwhile.
    Result<void> copy_to(int fd, std::uint64_t offset, std::uint64_t length) const;

  private:
    Result<void> move_to_file();

    std::filesystem::path folder_;
    mutable std::mutex mutex_;
    std::vector<std::uint8_t> memory_;
    UniqueFd file_;
    std::uint64_t size_ = 0;
};

}  // namespace tessera::tiles
