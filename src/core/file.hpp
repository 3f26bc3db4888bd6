// Open files that close themselves, and the few file steps that durability is made of.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"

namespace tessera {

class UniqueFd {
  public:
    UniqueFd() = default;
    explicit UniqueFd(int fd) : fd_(fd) {}
    UniqueFd(UniqueFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
    UniqueFd& operator=(UniqueFd&& other) noexcept {
        if (this != &other) reset(std::exchange(other.fd_, -1));
        return *this;
    }
    ~UniqueFd() { reset(); }

    [[nodiscard]] int get() const { return fd_; }
    [[nodiscard]] bool valid() const { return fd_ >= 0; }
    explicit operator bool() const { return valid(); }
    int release() { return std::exchange(fd_, -1); }
    void reset(int fd = -1);

  private:
    int fd_ = -1;
};

Result<UniqueFd> open_for_reading(const std::filesystem::path& path);
Result<std::uint64_t> size_of(int fd);
Result<void> write_all(int fd, std::span<const std::uint8_t> bytes);
// Fills all of `out` from `offset`; an early end of the file is an error.
Result<void> read_exactly_at(int fd, std::uint64_t offset, std::span<std::uint8_t> out);
Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t at_most);

// Over what `to` was. An error says what the system said, which std::filesystem does not where a disk is full.
Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to);

Result<void> sync_folder(const std::filesystem::path& folder);
// Writes beside `path`, syncs, renames over it and syncs the folder: a reader sees the old file or the new one.
Result<void> replace_file(const std::filesystem::path& path, std::string_view content, unsigned mode);

}  // namespace tessera
