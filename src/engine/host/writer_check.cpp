#include "engine/host/writer_check.hpp"

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <vector>

#include "core/random.hpp"
#include "engine/host/scratch.hpp"

namespace tessera::engine {
namespace {

constexpr std::size_t page = 4096;
constexpr std::uint64_t copied_at_once = std::uint64_t{1} << 30;
constexpr std::size_t copy_buffer = 256 << 10;

enum class Lease { granted, refused, none };

// Given back at once: nobody can become a writer of a file without a name.
Lease try_lease(int file) {
    if (::fcntl(file, F_SETLEASE, F_RDLCK) == 0) {
        ::fcntl(file, F_SETLEASE, F_UNLCK);
        return Lease::granted;
    }
    return errno == EAGAIN ? Lease::refused : Lease::none;
}

WriterCheck::Sight look(UniqueFd writer, int reader) {
    if (::ftruncate(writer.get(), page) != 0) return WriterCheck::Sight::nothing;
    if (try_lease(reader) != Lease::refused) return WriterCheck::Sight::nothing;
    void* mapping = ::mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, writer.get(), 0);
    writer.reset();
    if (mapping == MAP_FAILED) return WriterCheck::Sight::nothing;
    const bool sees_mapping = try_lease(reader) == Lease::refused;
    ::munmap(mapping, page);
    if (try_lease(reader) != Lease::granted) return WriterCheck::Sight::nothing;
    return sees_mapping ? WriterCheck::Sight::all : WriterCheck::Sight::descriptors;
}

Result<void> copy_by_hand(int from, std::uint64_t offset, std::uint64_t end, int to) {
    std::vector<std::uint8_t> buffer(std::min<std::uint64_t>(end - offset, copy_buffer));
    while (offset < end) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(end - offset, buffer.size()));
        if (auto got = read_exactly_at(from, offset, part); !got) return got;
        if (auto put = write_all(to, part); !put) return put;
        offset += part.size();
    }
    return {};
}

Result<void> copy_bytes(int from, std::uint64_t size, int to) {
    if (::ioctl(to, FICLONE, from) == 0) {
        if (::ftruncate(to, static_cast<off_t>(size)) != 0) return from_errno("cut a copy to its size");
        return {};
    }
    off_t offset = 0;
    while (static_cast<std::uint64_t>(offset) < size) {
        const std::uint64_t left = size - static_cast<std::uint64_t>(offset);
        const ssize_t copied = ::copy_file_range(from, &offset, to, nullptr, std::min(left, copied_at_once), 0);
        if (copied < 0 && errno == EINTR) continue;
        if (copied <= 0) return copy_by_hand(from, static_cast<std::uint64_t>(offset), size, to);
    }
    return {};
}

}  // namespace

WriterCheck WriterCheck::try_out(const std::filesystem::path& folder) {
    // Who opens a leased file for writing makes the kernel send this, which would end the process.
    std::signal(SIGIO, SIG_IGN);
    const ScratchPath file(folder / random_token(16));
    UniqueFd writer(::open(file.path().c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    const UniqueFd reader(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
    if (!writer || !reader) return WriterCheck(Sight::nothing);
    return WriterCheck(look(std::move(writer), reader.get()));
}

WriterCheck::Answer WriterCheck::ask(int file) const {
    if (sight_ == Sight::nothing) return Answer::unknown;
    switch (try_lease(file)) {
        case Lease::refused: return Answer::writer;
        case Lease::none: return Answer::unknown;
        case Lease::granted: break;
    }
    return sight_ == Sight::all ? Answer::no_writer : Answer::unknown;
}

Result<UniqueFd> copy_to_new_file(int source, std::uint64_t size, const std::filesystem::path& path) {
    UniqueFd copy(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!copy) return from_errno("create " + path.string());
    if (auto copied = copy_bytes(source, size, copy.get()); !copied) return copied.error();
    return copy;
}

}  // namespace tessera::engine
