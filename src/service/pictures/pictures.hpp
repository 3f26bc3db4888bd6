// The use case of reading pictures of a tileset version, as IIIF and Deep Zoom name them: with a key, or from an
// address that has its signature in the path. What is in memory is answered on the spot, the rest where waiting is
// allowed.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/error.hpp"
#include "core/uuid.hpp"
#include "service/delivery/answer.hpp"
#include "service/delivery/signing.hpp"
#include "service/delivery/tiles.hpp"
#include "service/delivery/wanted_version.hpp"
#include "service/pictures/cut.hpp"
#include "service/previews/previews.hpp"

namespace tessera::service {

struct OpenVersion;

// A version of a tileset, as its address names it.
struct PicturesQuestion {
    PictureForm form = PictureForm::iiif;
    std::string_view tileset_id;
    std::string_view version;
    std::optional<Uuid> account;   // whose key it came with
    std::string grant = {};        // where it came with none: {expires}-{signature}
    std::string_view origin = {};  // what it was sent to
};

// A version that may be shown to whoever asks.
struct PictureSource {
    WantedVersion wanted;
    std::shared_ptr<const OpenVersion> version;
    std::string base;  // its address, as the asker may use it

    [[nodiscard]] const TilesetGeometry& geometry() const;
};

// A picture that was made, or a tile that is one.
struct MadePicture {
    PreviewBytes bytes;
};
using PictureAnswer = Answer<std::variant<Tile, MadePicture>>;

class Pictures {
  public:
    virtual ~Pictures() = default;

    // Never waits.
    virtual Answer<PictureSource> find(const PicturesQuestion& question) = 0;
    // May wait for the database and the disk, and so never says that one must.
    virtual Answer<PictureSource> load(const PicturesQuestion& question) = 0;
    // As Tiles::wait_for_turn.
    virtual void wait_for_turn(const PicturesQuestion& question, Tiles::GoOn go_on) = 0;

    // What is in memory. Never waits.
    virtual PictureAnswer find(const PictureSource& source, const Cut& cut) = 0;
    // The same, read from disk where it is a tile's; what has to be made is begun.
    using Opened = std::variant<Tile, MadePicture, std::shared_ptr<PendingPreview>>;
    virtual Result<Opened> open(const PictureSource& source, const Cut& cut) = 0;

    // Names the bytes of a picture that is made, before they are.
    [[nodiscard]] virtual std::string tag_of(const PictureSource& source, const Cut& cut) const = 0;
    // Counts bytes that are sent to the public.
    virtual void count_delivered(const PictureSource& source, std::size_t bytes) = 0;
};

}  // namespace tessera::service
