#include "blobs/staged_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <tuple>
#include <utility>
#include <vector>

namespace tessera::blobs {

namespace {

Result<struct stat> status_of_regular(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return from_errno("fstat");
    if (!S_ISREG(status.st_mode)) return internal_error("only a regular file can be adopted");
    return status;
}

std::vector<std::uint8_t> buffer_for(std::uint64_t size) {
    return std::vector<std::uint8_t>(std::min<std::uint64_t>(size, std::size_t{256} * 1024));
}

// Large files start on their way to the disk while they are still coming, so that the final sync finds little to do.
constexpr std::uint64_t flush_step = 8 << 20;

}  // namespace

Result<StagedFile> StagedFile::create(std::filesystem::path path) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!fd) return from_errno("create " + path.string());
    StagedFile file(std::move(path), std::move(fd));
    file.hash_.emplace();
    return file;
}

Result<StagedFile> StagedFile::adopt(std::filesystem::path path, std::optional<Digest> sha256) {
    // Not through a symbolic link: an engine could have left one in its scratch folder.
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd) return from_errno("open " + path.string());
    const auto status = status_of_regular(fd.get());
    if (!status) return status.error();
    // Engines run as another user; best effort, for where that user is not ours to change.
    const bool ours = status->st_uid == ::geteuid() && status->st_gid == ::getegid();
    if (::fchmod(fd.get(), 0600) == 0 && !ours) std::ignore = ::fchown(fd.get(), ::geteuid(), ::getegid());
    StagedFile file(std::move(path), std::move(fd));
    file.size_ = static_cast<std::uint64_t>(status->st_size);
    file.digest_ = sha256;
    return file;
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      fd_(std::move(other.fd_)),
      size_(other.size_),
      flushing_(other.flushing_),
      hash_(std::move(other.hash_)),
      digest_(other.digest_) {}

StagedFile& StagedFile::operator=(StagedFile&& other) noexcept {
    if (this != &other) {
        discard();
        path_ = std::exchange(other.path_, {});
        fd_ = std::move(other.fd_);
        size_ = other.size_;
        flushing_ = other.flushing_;
        hash_ = std::move(other.hash_);
        digest_ = other.digest_;
    }
    return *this;
}

StagedFile::~StagedFile() {
    discard();
}

void StagedFile::discard() {
    if (!path_.empty()) ::unlink(path_.c_str());
}

Result<void> StagedFile::write(std::span<const std::uint8_t> bytes) {
    if (!hash_) return internal_error("write to a staged file that is finished");
    auto written = write_all(fd_.get(), bytes);
    if (!written) return written;
    hash_->update(bytes);
    size_ += bytes.size();
    if (size_ - flushing_ >= flush_step) {
        ::sync_file_range(fd_.get(), static_cast<off64_t>(flushing_), static_cast<off64_t>(size_ - flushing_),
                          SYNC_FILE_RANGE_WRITE);  // a hint: sync() reports what goes wrong
        flushing_ = size_;
    }
    return {};
}

Result<UniqueFd> StagedFile::duplicate_descriptor() const {
    UniqueFd copy(::fcntl(fd_.get(), F_DUPFD_CLOEXEC, 0));
    if (!copy) return from_errno("duplicate a descriptor");
    return copy;
}

Result<void> StagedFile::append(int source, std::uint64_t size) {
    auto buffer = buffer_for(size);
    for (std::uint64_t offset = 0; offset < size;) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), size - offset));
        auto step = read_exactly_at(source, offset, part);
        if (step) step = write(part);
        if (!step) return step;
        offset += part.size();
    }
    return {};
}

Result<void> StagedFile::sync() {
    if (::fdatasync(fd_.get()) != 0) return from_errno("fdatasync " + path_.string());
    return {};
}

Result<void> StagedFile::move_to(std::filesystem::path target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return from_errno("rename to " + target.string());
    path_ = std::move(target);
    return {};
}

Result<Digest> StagedFile::sha256() {
    if (digest_) return *digest_;
    if (hash_) {
        digest_ = hash_->finish();
        hash_.reset();
        return *digest_;
    }
    Sha256 hash;
    auto buffer = buffer_for(size_);
    for (std::uint64_t offset = 0; offset < size_;) {
        const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), size_ - offset));
        const auto read = read_exactly_at(fd_.get(), offset, part);
        if (!read) return read.error();
        hash.update(part);
        offset += part.size();
    }
    digest_ = hash.finish();
    return *digest_;
}

}  // namespace tessera::blobs
