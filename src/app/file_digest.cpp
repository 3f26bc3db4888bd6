#include "app/file_digest.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/file.hpp"

namespace tessera::app {

Result<Digest> sha256_of_file(int fd) {
    const auto size = size_of(fd);
    if (!size) return size.error();
    Sha256 hash;
    std::vector<std::uint8_t> buffer(std::size_t{256} * 1024);
    for (std::uint64_t offset = 0; offset < *size;) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), *size - offset));
        if (auto read = read_exactly_at(fd, offset, part); !read) return read.error();
        hash.update(part);
        offset += part.size();
    }
    return hash.finish();
}

Result<Digest> sha256_of_file(const std::filesystem::path& path) {
    const auto file = open_for_reading(path);
    if (!file) return file.error();
    return sha256_of_file(file->get());
}

}  // namespace tessera::app
