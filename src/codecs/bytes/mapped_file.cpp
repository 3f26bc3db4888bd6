#include "codecs/bytes/mapped_file.hpp"

#include <sys/mman.h>

#include "core/file.hpp"

namespace tessera::codecs {

Result<MappedFile> MappedFile::open(int fd) {
    const auto size = size_of(fd);
    if (!size) return size.error();
    if (*size == 0) return MappedFile({});
    void* start = ::mmap(nullptr, *size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (start == MAP_FAILED) return from_errno("map a source");
    return MappedFile({static_cast<const std::uint8_t*>(start), *size});
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::uint8_t*>(bytes_.data()), bytes_.size());
}

}  // namespace tessera::codecs
