#include "http/server/file_pages.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tessera::http {
namespace {

bool byte_in_memory(int file, std::uint64_t offset) {
    char byte = 0;
    iovec part{&byte, 1};
    return ::preadv2(file, &part, 1, static_cast<off_t>(offset), RWF_NOWAIT) >= 0 || errno != EAGAIN;
}

}  // namespace

bool is_in_memory(int file, std::uint64_t offset, std::uint64_t length) {
    constexpr std::uint64_t one_page = 4096;
    if (length == 0) return true;
    if (!byte_in_memory(file, offset + length - 1)) return false;
    return length <= one_page || byte_in_memory(file, offset);
}

bool bring_into_memory(int file, std::uint64_t offset, std::uint64_t length) {
    ::posix_fadvise(file, static_cast<off_t>(offset), static_cast<off_t>(length), POSIX_FADV_WILLNEED);
    std::array<char, 64 << 10> buffer;
    while (length > 0) {
        const std::size_t wanted = static_cast<std::size_t>(std::min<std::uint64_t>(length, buffer.size()));
        const ssize_t got = ::pread(file, buffer.data(), wanted, static_cast<off_t>(offset));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        offset += static_cast<std::uint64_t>(got);
        length -= static_cast<std::uint64_t>(got);
    }
    return true;
}

}  // namespace tessera::http
