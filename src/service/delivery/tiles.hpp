// The use case of reading a tile, with a key or with a signed address. What is in memory is answered on the spot; for
// the rest the same question is put again where waiting is allowed.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "core/error.hpp"
#include "core/image_format.hpp"
#include "core/uuid.hpp"
#include "service/delivery/answer.hpp"
#include "service/delivery/tile_address.hpp"

namespace tessera::service {

// What stands in a signed address beside the tile's own.
struct TileSignature {
    std::string_view version;
    std::optional<std::string_view> expires;
    std::optional<std::string_view> signature;
};

// With a key it is for a tile of the current version of one of the account's tilesets; without one, for a tile of the
// version that the signature is for.
struct TileQuestion {
    TileAddress address;
    std::optional<Uuid> account;  // whose key it came with
    TileSignature signature{};    // where it came with none
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
using TileAnswer = Answer<Tile>;

class Tiles {
  public:
    virtual ~Tiles() = default;

    // Never waits.
    virtual TileAnswer find(const TileQuestion& question) = 0;
    // May wait for the database, the disk and the network, and so never says that one must.
    virtual TileAnswer load(const TileQuestion& question) = 0;

    // Between the two: whoever has asked for too much that is not there waits for his turn, and holds no thread
    // meanwhile. `go_on` is called once, from any thread, with an error where there is nothing to load; for everybody
    // else at once and with none.
    using GoOn = std::function<void(std::optional<Error>)>;
    virtual void wait_for_turn(const TileQuestion& question, GoOn go_on) = 0;
};

}  // namespace tessera::service
