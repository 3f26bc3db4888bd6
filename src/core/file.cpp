#include "core/file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <vector>

#include "core/random.hpp"

namespace tessera {

void UniqueFd::reset(int fd) {
    if (fd_ >= 0) ::close(fd_);
    fd_ = fd;
}

Result<UniqueFd> open_for_reading(const std::filesystem::path& path) {
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!fd) return from_errno("open " + path.string());
    return fd;
}

Result<std::uint64_t> size_of(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return from_errno("fstat");
    return static_cast<std::uint64_t>(status.st_size);
}

Result<void> write_all(int fd, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(fd, bytes.data(), bytes.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            return from_errno("write");
        }
        bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
    return {};
}

Result<void> copy_file(const std::filesystem::path& from, const std::filesystem::path& to) {
    constexpr std::size_t at_once = 1 << 18;
    const auto source = open_for_reading(from);
    if (!source) return source.error();
    const UniqueFd target(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!target) return from_errno("open " + to.string());
    std::vector<std::uint8_t> bytes(at_once);
    for (;;) {
        const ssize_t got = ::read(source->get(), bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return from_errno("read " + from.string());
        if (got == 0) return {};
        if (auto written = write_all(target.get(), {bytes.data(), static_cast<std::size_t>(got)}); !written)
            return written;
    }
}

Result<void> read_exactly_at(int fd, std::uint64_t offset, std::span<std::uint8_t> out) {
    while (!out.empty()) {
        const ssize_t got = ::pread(fd, out.data(), out.size(), static_cast<off_t>(offset));
        if (got < 0) {
            if (errno == EINTR) continue;
            return from_errno("pread");
        }
        if (got == 0) return storage_unavailable("pread: the file ends too early");
        out = out.subspan(static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    return {};
}

Result<std::string> read_whole_file(const std::filesystem::path& path, std::uint64_t at_most) {
    auto fd = open_for_reading(path);
    if (!fd) return fd.error();
    const auto size = size_of(fd->get());
    if (!size) return size.error();
    if (*size > at_most) return storage_unavailable(path.string() + " is larger than expected");
    std::string content(*size, '\0');
    const auto read = read_exactly_at(fd->get(), 0, {reinterpret_cast<std::uint8_t*>(content.data()), content.size()});
    if (!read) return read.error();
    return content;
}

Result<void> sync_folder(const std::filesystem::path& folder) {
    // The folder of a file that is named without one.
    const UniqueFd fd(::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd) return from_errno("open " + folder.string());
    if (::fsync(fd.get()) != 0) return from_errno("fsync " + folder.string());
    return {};
}

Result<void> replace_file(const std::filesystem::path& path, std::string_view content, unsigned mode) {
    const std::filesystem::path staged = path.string() + "." + random_token(12) + ".tmp";
    UniqueFd fd(::open(staged.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    if (!fd) return from_errno("create " + staged.string());

    auto written = write_all(fd.get(), {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()});
    if (written && ::fsync(fd.get()) != 0) written = from_errno("fsync " + staged.string());
    if (written && ::rename(staged.c_str(), path.c_str()) != 0) written = from_errno("rename to " + path.string());
    if (!written) {
        ::unlink(staged.c_str());
        return written;
    }
    return sync_folder(path.parent_path());
}

}  // namespace tessera
