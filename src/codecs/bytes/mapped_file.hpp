// A file's bytes, read through the page cache as they are needed. The file must not shrink meanwhile.
#pragma once

#include <cstdint>
#include <span>
#include <utility>

#include "core/result.hpp"

namespace tessera::codecs {

class MappedFile {
  public:
    static Result<MappedFile> open(int fd);
    MappedFile(MappedFile&& other) noexcept : bytes_(std::exchange(other.bytes_, {})) {}
    MappedFile& operator=(MappedFile&&) = delete;
    ~MappedFile();
    [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

  private:
    explicit MappedFile(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}
    std::span<const std::uint8_t> bytes_;
};

}  // namespace tessera::codecs
