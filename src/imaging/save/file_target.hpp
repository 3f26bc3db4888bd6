// Inside imaging only: a file that encoders write to, with a cap on its size and a memory of what went wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vips/vips8>

#include "core/file.hpp"
#include "core/job.hpp"

namespace tessera::imaging {

class FileTarget {
  public:
    static JobResult<FileTarget> create(const std::filesystem::path& path, std::int64_t max_bytes);

    // These bytes go between the first `at` bytes that are written and the rest.
    void insert(std::int64_t at, std::string bytes);

    // False once the file may not grow or the disk refuses; `failure` says which.
    bool write(std::span<const std::uint8_t> bytes);
    [[nodiscard]] const std::optional<JobError>& failure() const { return failure_; }
    [[nodiscard]] std::int64_t size() const { return size_; }

    // A libvips target that writes here; this object must outlive it and stay in place.
    vips::VTarget as_vips_target();

  private:
    bool append(std::span<const std::uint8_t> bytes);

    FileTarget(UniqueFd file, std::int64_t max_bytes) : file_(std::move(file)), max_bytes_(max_bytes) {}
    UniqueFd file_;
    std::int64_t max_bytes_;
    std::int64_t size_ = 0;
    std::int64_t insert_at_ = 0;
    std::string inserted_;
    std::optional<JobError> failure_;
};

}  // namespace tessera::imaging
