// Pictures over the tiles that are there and the engines.
#pragma once

#include <memory>

#include "core/clock.hpp"
#include "engine/host/cut.hpp"
#include "service/delivery/links.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/tile_reader.hpp"
#include "service/pictures/pictures.hpp"
#include "service/pictures/pictures_config.hpp"
#include "service/previews/made_once.hpp"

namespace tessera::metadata {
class Store;
class Subscription;
}  // namespace tessera::metadata

namespace tessera::service {

struct PictureParts {
    metadata::Store& store;
    OpenTilesets& tilesets;
    TileReader& tiles;
    const Signer& signer;
    const Links& links;
    const Clock& clock;
    engine::Cutter& cutter;
};

class PictureService final : public Pictures {
  public:
    PictureService(const PictureParts& parts, const PicturesConfig& config);
    ~PictureService() override;  // when the cutter has no more turns

    Answer<PictureSource> find(const PicturesQuestion& question) override;
    Answer<PictureSource> load(const PicturesQuestion& question) override;
    void wait_for_turn(const PicturesQuestion& question, Tiles::GoOn go_on) override;
    PictureAnswer find(const PictureSource& source, const Cut& cut) override;
    Result<Opened> open(const PictureSource& source, const Cut& cut) override;
    [[nodiscard]] std::string tag_of(const PictureSource& source, const Cut& cut) const override;
    void count_delivered(const PictureSource& source, std::size_t bytes) override;

    // What was made and is being made, for others who make pictures, too: an account that is erased goes from it.
    [[nodiscard]] const std::shared_ptr<MadeOnce>& made() const { return made_; }

  private:
    [[nodiscard]] Result<WantedVersion> wanted(const PicturesQuestion& question) const;
    [[nodiscard]] Answer<PictureSource> shown(const PicturesQuestion& question, const WantedVersion& wanted,
                                              OpenVersionPtr version) const;
    [[nodiscard]] Result<engine::GatheredTiles> gather(const PictureSource& source, const Cut& cut);

    const PictureParts parts_;
    std::shared_ptr<MadeOnce> made_;  // with what is still being made
    std::unique_ptr<metadata::Subscription> erasures_;
};

}  // namespace tessera::service
