// Inside imaging only: a file that encoders write to, with a cap on its size and a memory of what went wrong.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vips/vips8>

#include "core/file.hpp"
#include "core/job.hpp"

namespace tessera::imaging {

class FileTarget {
  public:
    static JobResult<FileTarget> create(const std::filesystem::path& path, std::int64_t max_bytes);

    // False once the file may not grow or the disk refuses; `failure` says which.
    bool write(std::span<const std::uint8_t> bytes);
    [[nodiscard]] const std::optional<JobError>& failure() const { return failure_; }
    [[nodiscard]] std::int64_t size() const { return size_; }

    // A libvips target that writes here; this object must outlive it and stay in place.
    vips::VTarget as_vips_target();

  private:
    FileTarget(UniqueFd file, std::int64_t max_bytes) : file_(std::move(file)), max_bytes_(max_bytes) {}
    UniqueFd file_;
    std::int64_t max_bytes_;
    std::int64_t size_ = 0;
    std::optional<JobError> failure_;
};

}  // namespace tessera::imaging
