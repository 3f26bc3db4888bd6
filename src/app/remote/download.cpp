#include "app/remote/download.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/hex.hpp"

namespace tessera::remote {

Download::~Download() {
    fd_.reset();
    if (!kept_) ::unlink(part_.c_str());
}

bool Download::restart() {
    fd_ = UniqueFd(::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600));
    if (!fd_) trouble_ = part_.string() + ": " + std::strerror(errno);
    hash_ = Sha256();
    written_ = 0;
    return fd_.valid();
}

bool Download::write(std::string_view bytes) {
    const std::span<const std::uint8_t> span(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
    written_ += static_cast<std::int64_t>(bytes.size());
    if (written_ > size_) {
        trouble_ = "the service sent more than it said";
        return false;
    }
    hash_.update(span);
    if (write_all(fd_.get(), span)) return true;
    trouble_ = part_.string() + ": " + std::strerror(errno);
    return false;
}

bool Download::finish() {
    made_sha256_ = to_hex(hash_.finish());
    if (written_ != size_) {
        trouble_ = "the result is shorter than the service said";
    } else if (!sha256_.empty() && made_sha256_ != sha256_) {
        trouble_ = "the result is not what the service's checksum says";
    } else if (::fsync(fd_.get()) != 0) {
        trouble_ = part_.string() + ": " + std::strerror(errno);
    } else {
        fd_.reset();
        return true;
    }
    return false;
}

}  // namespace tessera::remote
