// One archive of a tileset, open for serving: its directories in memory, its bytes mapped where they are a local file.
// The mapping is only ever read by the kernel, which answers a file that was cut short with an error and not with a
// signal; what this process looks at itself, it reads with read_at.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/result.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::blobs {
class Blob;
class BlobKey;
class BlobStore;
struct HeldBytes;
}  // namespace tessera::blobs

namespace tessera::service {

class OpenLayer {
  public:
    static Result<std::shared_ptr<const OpenLayer>> open(blobs::BlobStore& blobs, const std::string& storage_key);
    ~OpenLayer();
    OpenLayer(const OpenLayer&) = delete;
    OpenLayer& operator=(const OpenLayer&) = delete;

    [[nodiscard]] const tiles::Archive& archive() const { return *archive_; }
    [[nodiscard]] std::uint64_t id() const { return id_; }    // unique in this process
    [[nodiscard]] std::uint64_t tag() const { return tag_; }  // the same in every process: made from the storage key

    [[nodiscard]] bool is_mapped() const { return map_ != nullptr; }
    [[nodiscard]] int descriptor() const;  // of the mapped file
    [[nodiscard]] std::string_view mapped(const tiles::TileLocation& location) const;
    // Whether the mapped bytes are in the page cache now.
    [[nodiscard]] bool is_resident(const tiles::TileLocation& location) const;

    [[nodiscard]] Result<void> read(const tiles::TileLocation& location, std::span<std::uint8_t> out) const;
    // Where the bytes are in memory already, without waiting and, if they can be had in one piece, without copying.
    [[nodiscard]] std::optional<blobs::HeldBytes> hold(const tiles::TileLocation& location) const;
    [[nodiscard]] bool try_read(const tiles::TileLocation& location, std::span<std::uint8_t> out) const;

  private:
    OpenLayer(std::shared_ptr<const blobs::Blob> blob, std::uint64_t tag);
    void map();

    std::shared_ptr<const blobs::Blob> blob_;
    std::shared_ptr<const tiles::Archive> archive_;
    const std::uint64_t id_;
    const std::uint64_t tag_;
    char* map_ = nullptr;
    std::size_t map_size_ = 0;
};

// Where a tile's bytes are: the layer that has it, and the place in that.
struct StoredTile {
    const OpenLayer* layer = nullptr;
    tiles::TileLocation location;
};

}  // namespace tessera::service
