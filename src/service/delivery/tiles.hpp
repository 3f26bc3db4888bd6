// The use case of reading a tile, with a key or with a signed address. What is in memory is answered on the spot; for
// the rest the same question is put again where waiting is allowed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/image_format.hpp"
#include "core/result.hpp"
#include "service/access/principal.hpp"

namespace tessera::service {

// The parts of a tile's address, as they stand in it.
struct TileAddress {
    std::string_view tileset_id;
    std::string_view zoom;
    std::string_view column;
    std::string_view row;  // with the file extension
};

struct TileSignature {
    std::string_view version;
    std::optional<std::string_view> expires;
    std::optional<std::string_view> signature;
};

struct Tile {
    std::shared_ptr<const void> owner;  // keeps the bytes
    std::string_view bytes;
    ImageFormat format = ImageFormat::png;
    // Together they name the bytes among all tiles: an archive never changes.
    std::uint64_t archive = 0;
    std::uint64_t offset = 0;
    int file = -1;                  // where `bytes` lie in a file, at `offset`: its descriptor, kept open by `owner`
    std::int64_t seconds_left = 0;  // of a signed address
    std::atomic<std::uint64_t>* delivered = nullptr;  // where bytes sent to the public are counted; count at once
};

class Tiles {
  public:
    virtual ~Tiles() = default;

    // A tile of the current version of a tileset of the caller's account. The first never waits; it has no value where
    // something must be read first.
    [[nodiscard]] virtual std::optional<Result<Tile>> try_read(const Principal& principal,
                                                               const TileAddress& address) = 0;
    [[nodiscard]] virtual Result<Tile> read(const Principal& principal, const TileAddress& address) = 0;

    // Before `read`: whoever has asked for too much that is not there waits for his turn, and holds no thread
    // meanwhile. `go_on` is called once, from any thread, with an error where there is no such tileset; for everybody
    // else at once and with none.
    using GoOn = std::function<void(std::optional<Error>)>;
    virtual void wait_for_turn(const Principal& principal, const TileAddress& address, GoOn go_on) = 0;
    virtual void wait_for_turn_signed(const TileAddress& address, const TileSignature& signature, GoOn go_on) = 0;

    // A tile of a given version, for whoever has its signed address.
    [[nodiscard]] virtual std::optional<Result<Tile>> try_read_signed(const TileAddress& address,
                                                                      const TileSignature& signature) = 0;
    [[nodiscard]] virtual Result<Tile> read_signed(const TileAddress& address, const TileSignature& signature) = 0;
};

}  // namespace tessera::service
