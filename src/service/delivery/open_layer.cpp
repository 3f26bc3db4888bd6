#include "service/delivery/open_layer.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/hash.hpp"

namespace tessera::service {
namespace {

std::uint64_t next_id() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

std::uint64_t tag_of(std::string_view storage_key) {
    const Digest digest = sha256(storage_key);
    std::uint64_t tag = 0;
    std::memcpy(&tag, digest.data(), sizeof tag);
    return tag;
}

const std::uint64_t page_size = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));

}  // namespace

OpenLayer::OpenLayer(std::shared_ptr<const blobs::Blob> blob, std::uint64_t tag)
    : blob_(std::move(blob)), id_(next_id()), tag_(tag) {}

OpenLayer::~OpenLayer() {
    if (map_ != nullptr) ::munmap(map_, map_size_);
}

Result<std::shared_ptr<const OpenLayer>> OpenLayer::open(blobs::BlobStore& blobs, const std::string& storage_key) {
    const auto key = blobs::BlobKey::parse(storage_key);
    if (!key) return key.error();
    auto blob = blobs.open(*key);
    if (!blob) return std::move(blob).error();
    std::shared_ptr<OpenLayer> layer(new OpenLayer(std::move(*blob), tag_of(storage_key)));
    auto archive = tiles::Archive::open(
        [blob = layer->blob_](std::uint64_t offset, std::span<std::uint8_t> out) { return blob->read_at(offset, out); },
        layer->blob_->size());
    if (!archive) return std::move(archive).error();
    layer->archive_ = std::move(*archive);
    layer->map();
    return std::shared_ptr<const OpenLayer>(std::move(layer));
}

void OpenLayer::map() {
    if (blob_->descriptor() < 0 || blob_->size() == 0) return;
    void* mapping = ::mmap(nullptr, blob_->size(), PROT_READ, MAP_SHARED, blob_->descriptor(), 0);
    if (mapping == MAP_FAILED) return;  // then every tile is read
    ::madvise(mapping, blob_->size(), MADV_RANDOM);
    map_ = static_cast<char*>(mapping);
    map_size_ = blob_->size();
}

int OpenLayer::descriptor() const {
    return blob_->descriptor();
}

std::string_view OpenLayer::mapped(const tiles::TileLocation& location) const {
    return {map_ + location.offset, location.length};
}

bool OpenLayer::is_resident(const tiles::TileLocation& location) const {
    std::array<unsigned char, 64> pages;
    std::uint64_t at = location.offset / page_size * page_size;
    const std::uint64_t end = location.offset + location.length;
    while (at < end) {
        const std::uint64_t length = std::min(end - at, pages.size() * page_size);
        if (::mincore(map_ + at, length, pages.data()) != 0) return false;
        const std::uint64_t count = (length + page_size - 1) / page_size;
        for (std::uint64_t i = 0; i < count; ++i) {
            if ((pages[i] & 1) == 0) return false;
        }
        at += length;
    }
    return true;
}

Result<void> OpenLayer::read(const tiles::TileLocation& location, std::span<std::uint8_t> out) const {
    return blob_->read_at(location.offset, out);
}

std::optional<blobs::HeldBytes> OpenLayer::hold(const tiles::TileLocation& location) const {
    if (auto held = blob_->hold(location.offset, location.length)) return held;
    auto copy = std::make_shared<std::vector<std::uint8_t>>(location.length);
    if (!blob_->try_read_at(location.offset, *copy)) return std::nullopt;
    const std::span<const std::uint8_t> bytes(*copy);
    return blobs::HeldBytes{std::move(copy), bytes};
}

bool OpenLayer::try_read(const tiles::TileLocation& location, std::span<std::uint8_t> out) const {
    return blob_->try_read_at(location.offset, out);
}

}  // namespace tessera::service
