#include "service/delivery/tile_reader.hpp"

#include <utility>

#include "service/delivery/gathered_lookups.hpp"
#include "service/delivery/open_tilesets.hpp"
#include "service/delivery/tileset_errors.hpp"

namespace tessera::service {

TileReader::TileReader(OpenTilesets& tilesets, const Signer& signer, const Clock& clock)
    : tilesets_(tilesets), access_(signer, clock), cache_(tilesets) {}

TileAnswer TileReader::find(const TileQuestion& question) {
    auto wanted = access_.wanted(question);
    if (!wanted) return TileAnswer::absent(std::move(wanted).error());
    return cache_.find(*wanted);
}

TileAnswer TileReader::load(const TileQuestion& question) {
    auto wanted = access_.wanted(question);
    if (!wanted) return TileAnswer::absent(std::move(wanted).error());
    return cache_.load(*wanted);
}

void TileReader::wait_for_turn(const TileQuestion& question, GoOn go_on) {
    auto wanted = access_.wanted(question);
    if (!wanted) return go_on(std::move(wanted).error());
    wait_for_turn(*wanted, std::move(go_on));
}

void TileReader::wait_for_turn(const WantedVersion& wanted, GoOn go_on) {
    GatheredLookups& lookups = tilesets_.lookups();
    if (lookups.may_ask_alone(wanted.asker()) || tilesets_.find_open(wanted.version)) return go_on(std::nullopt);
    lookups.ask({wanted.version.tileset_id, wanted.version.version},
                [&lookups, account = wanted.account, asker = wanted.asker(),
                 go_on = std::move(go_on)](Result<std::optional<Uuid>> owner) {
                    if (!owner) return go_on(std::move(owner).error());
                    if (*owner && (!account || *account == **owner)) return go_on(std::nullopt);
                    lookups.note_unknown(asker);
                    go_on(tileset_not_found());
                });
}

}  // namespace tessera::service
