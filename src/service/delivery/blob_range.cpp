#include "service/delivery/blob_range.hpp"

#include <fcntl.h>

#include "blobs/blob_store.hpp"

namespace tessera::service {
namespace {

// A part of a remote blob up to this size is read straight into memory; a larger one goes through a local file.
constexpr std::uint64_t max_bytes_in_memory = 8 << 20;

Result<UniqueFd> duplicate(int fd) {
    UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!copy) return from_errno("duplicate a descriptor");
    return copy;
}

Result<BlobRange> range_in_memory(const blobs::Blob& blob, std::uint64_t offset, std::uint64_t length) {
    auto bytes = std::make_shared<std::string>(length, '\0');
    auto ok = blob.read_at(offset, {reinterpret_cast<std::uint8_t*>(bytes->data()), bytes->size()});
    if (!ok) return std::move(ok).error();
    return BlobRange{nullptr, std::move(bytes), 0, length};
}

}  // namespace

Result<BlobRange> read_range(blobs::BlobStore& blobs, const std::string& storage_key, std::int64_t size,
                             std::uint64_t offset, std::uint64_t length) {
    auto key = blobs::BlobKey::parse(storage_key);
    if (!key) return key.error();
    auto blob = blobs.open(*key);
    if (!blob) {
        if (blob.error().code == ErrorCode::not_found) return internal_error("the blob is gone");
        return blob.error();
    }
    if ((*blob)->size() != static_cast<std::uint64_t>(size)) return internal_error("the blob is not as long as it was");
    const int descriptor = (*blob)->descriptor();
    auto file = descriptor >= 0                ? duplicate(descriptor)
                : length > max_bytes_in_memory ? blobs.open_local(*key)
                                               : Result<UniqueFd>(UniqueFd());
    if (!file) return file.error();
    if (*file) return BlobRange{std::make_shared<const UniqueFd>(std::move(*file)), nullptr, offset, length};
    return range_in_memory(**blob, offset, length);
}

}  // namespace tessera::service
