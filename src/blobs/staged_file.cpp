#include "blobs/staged_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace tessera::blobs {

namespace {

Result<std::uint64_t> size_of_regular(int fd) {
    struct stat status {};
    if (::fstat(fd, &status) != 0) return from_errno("fstat");
    if (!S_ISREG(status.st_mode)) return internal_error("only a regular file can be adopted");
    return static_cast<std::uint64_t>(status.st_size);
}

}  // namespace

Result<StagedFile> StagedFile::create(std::filesystem::path path) {
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0640));
    if (!fd) return from_errno("create " + path.string());
    StagedFile file(std::move(path), std::move(fd));
    file.hash_.emplace();
    return file;
}

Result<StagedFile> StagedFile::adopt(std::filesystem::path path, std::optional<Digest> sha256) {
    // Not through a symbolic link: an engine could have left one in its scratch folder.
    UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!fd) return from_errno("open " + path.string());
    const auto size = size_of_regular(fd.get());
    if (!size) return size.error();
    StagedFile file(std::move(path), std::move(fd));
    file.size_ = *size;
    file.digest_ = sha256;
    return file;
}

StagedFile::StagedFile(StagedFile&& other) noexcept
    : path_(std::exchange(other.path_, {})),
      fd_(std::move(other.fd_)),
      size_(other.size_),
      hash_(std::move(other.hash_)),
      digest_(other.digest_) {}

StagedFile& StagedFile::operator=(StagedFile&& other) noexcept {
    if (this != &other) {
        discard();
        path_ = std::exchange(other.path_, {});
        fd_ = std::move(other.fd_);
        size_ = other.size_;
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
    std::vector<std::uint8_t> buffer(256 * 1024);
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
