#include "tiles/archive/spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "core/scratch_file.hpp"

namespace tessera::tiles {
namespace {

constexpr std::uint64_t memory_limit = 8U << 20;
constexpr std::size_t copy_buffer = 256U << 10;

// What the kernel can't copy by itself (another file system, an old kernel, a sandbox).
Result<void> copy_by_hand(int from, std::uint64_t offset, std::uint64_t length, int to) {
    std::vector<std::uint8_t> buffer(std::min<std::uint64_t>(length, copy_buffer));
    while (length > 0) {
        const std::span<std::uint8_t> part(buffer.data(), std::min<std::uint64_t>(length, buffer.size()));
        if (const auto got = read_exactly_at(from, offset, part); !got) return got.error();
        if (const auto put = write_all(to, part); !put) return put.error();
        offset += part.size();
        length -= part.size();
    }
    return {};
}

}  // namespace

std::uint64_t Spool::size() const {
    const std::lock_guard lock(mutex_);
    return size_;
}

Result<void> Spool::move_to_file() {
    auto made = make_scratch_file(folder_);
    if (!made) return made.error();
    if (const auto put = write_at(made->get(), 0, memory_); !put) return put.error();
    file_ = std::move(*made);
    memory_ = {};
    return {};
}

Result<std::uint64_t> Spool::append(std::span<const std::uint8_t> bytes) {
    std::uint64_t offset = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!file_ && size_ + bytes.size() > memory_limit) {
            if (const auto moved = move_to_file(); !moved) return moved.error();
        }
        offset = size_;
        size_ += bytes.size();
        if (!file_) {
            memory_.insert(memory_.end(), bytes.begin(), bytes.end());
            return offset;
        }
    }
    // The place is taken: the write itself needs no lock.
    if (const auto put = write_at(file_.get(), offset, bytes); !put) return put.error();
    return offset;
}

Result<void> Spool::copy_to(int fd, std::uint64_t offset, std::uint64_t length) const {
    if (!file_) return write_all(fd, std::span(memory_).subspan(offset, length));
    while (length > 0) {
        auto from = static_cast<off_t>(offset);
        const ssize_t copied = ::copy_file_range(file_.get(), &from, fd, nullptr, length, 0);
        if (copied < 0 && errno == EINTR) continue;
        if (copied <= 0) return copy_by_hand(file_.get(), offset, length, fd);
        offset += static_cast<std::uint64_t>(copied);
        length -= static_cast<std::uint64_t>(copied);
    }
    return {};
}

}  // namespace tessera::tiles
