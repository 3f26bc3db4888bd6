#include "service/pictures/picture_service.hpp"

#include <sys/mman.h>

#include <span>
#include <utility>

#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/store.hpp"
#include "service/delivery/tile_address.hpp"
#include "service/delivery/tileset_errors.hpp"
#include "service/pictures/cut_plan.hpp"
#include "service/pictures/grant.hpp"

namespace tessera::service {
namespace {

Error invalid_grant() {
    return Error{ErrorCode::invalid_signature, "invalid or expired picture signature", {}}.with_hint(
        "ask GET /v1/tilesets/{id}/addresses for new addresses, and use them unchanged");
}

Error invalid_version() {
    return Error{ErrorCode::invalid_request, "invalid tileset version", {}}.with_hint(
        "versions are whole numbers from 1; GET /v1/tilesets/{id} lists them");
}

// A file in memory that goes with its descriptor.
Result<UniqueFd> new_memory_file() {
    UniqueFd file(::memfd_create("tiles", MFD_CLOEXEC));
    if (!file) return from_errno("memfd_create");
    return file;
}

std::span<const std::uint8_t> bytes_of(std::string_view text) {
    return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace

const TilesetGeometry& PictureSource::geometry() const {
    return version->geometry;
}

PictureService::PictureService(const PictureParts& parts, const PicturesConfig& config)
    : parts_(parts),
      made_(std::make_shared<MadeOnce>(config.cache_bytes, "the picture is not made yet")),
      erasures_(parts.store.on_change([made = made_](const metadata::Change& change) {
          if (change.kind == metadata::Change::Kind::erased_account) made->forget(change.id);
      })) {}

PictureService::~PictureService() = default;

Result<WantedVersion> PictureService::wanted(const PicturesQuestion& question) const {
    const auto id = Uuid::parse(question.tileset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid tileset id", {}};
    const auto version = canonical_number(question.version);
    if (!version || *version == 0) return invalid_version();
    const Timestamp now = parts_.clock.now();
    WantedVersion wanted{{*id, *version}, question.account, 0, now};
    if (question.account) return wanted;
    const auto grant = parse_grant(question.grant);
    if (!grant) return invalid_grant();
    if (!parts_.signer.verify_pictures(question.form, *id, *version, grant->expires, grant->signature, now)) {
        return invalid_grant();
    }
    wanted.seconds_left = grant->expires - to_unix_seconds(now);
    return wanted;
}

Answer<PictureSource> PictureService::shown(const PicturesQuestion& question, const WantedVersion& wanted,
                                            OpenVersionPtr version) const {
    if (auto refused = refusal(wanted, *version)) return Answer<PictureSource>::absent(std::move(*refused));
    const auto& [id, number] = wanted.version;
    std::string base = question.account ? parts_.links.keyed_picture_base(question.form, id, number, question.origin)
                                        : parts_.links.granted_picture_base(question.form, id, number, question.grant,
                                                                            question.origin);
    return PictureSource{wanted, std::move(version), std::move(base)};
}

Answer<PictureSource> PictureService::find(const PicturesQuestion& question) {
    const auto asked = wanted(question);
    if (!asked) return Answer<PictureSource>::absent(asked.error());
    auto version = parts_.tilesets.find_open(asked->version);
    if (!version && could_be_ours(asked->version.tileset_id)) return Answer<PictureSource>::must_wait();
    if (!version) return Answer<PictureSource>::absent(tileset_not_found());
    return shown(question, *asked, std::move(version));
}

Answer<PictureSource> PictureService::load(const PicturesQuestion& question) {
    const auto asked = wanted(question);
    if (!asked) return Answer<PictureSource>::absent(asked.error());
    auto opened = parts_.tilesets.open(asked->version);
    if (!opened) {
        if (opened.error().code != ErrorCode::tileset_not_found) return Answer<PictureSource>::damaged(opened.error());
        parts_.tilesets.lookups().note_unknown(asked->asker());
        return Answer<PictureSource>::absent(opened.error());
    }
    return shown(question, *asked, std::move(*opened));
}

void PictureService::wait_for_turn(const PicturesQuestion& question, Tiles::GoOn go_on) {
    const auto asked = wanted(question);
    if (!asked) return go_on(asked.error());
    parts_.tiles.wait_for_turn(*asked, std::move(go_on));
}

// Raised when pictures are made in another way: browsers then ask for them anew.
std::string PictureService::tag_of(const PictureSource& source, const Cut& cut) const {
    const std::string named = source.wanted.version.tileset_id.to_string() + ' ' +
                              std::to_string(source.wanted.version.version) + ' ' + cut.name();
    return to_hex(sha256(named)).substr(0, 40) + "-c2";
}

PictureAnswer PictureService::find(const PictureSource& source, const Cut& cut) {
    if (const auto tile = whole_tile(cut, source.geometry())) {
        auto answer = parts_.tiles.cache().find({source.wanted, *tile, cut.format});
        if (!answer) return PictureAnswer::same_as(std::move(answer));
        return std::variant<Tile, MadePicture>(std::move(*answer));
    }
    const auto kept = made_->find(source.version->account_id, tag_of(source, cut));
    if (!kept || !*kept) return PictureAnswer::must_wait();
    return std::variant<Tile, MadePicture>(MadePicture{**kept});
}

Result<Pictures::Opened> PictureService::open(const PictureSource& source, const Cut& cut) {
    if (const auto tile = whole_tile(cut, source.geometry())) {
        auto answer = parts_.tiles.cache().load({source.wanted, *tile, cut.format});
        if (!answer) return std::move(answer).error();
        return Opened(std::move(*answer));
    }
    const Uuid account = source.version->account_id;
    const std::string tag = tag_of(source, cut);
    if (const auto kept = made_->find(account, tag); kept && *kept) return Opened(MadePicture{**kept});
    const MadeOnce::Begun begun = made_->begin(account, tag);
    if (!begun.is_new) return Opened(begun.pending);
    parts_.cutter.cut_in_turn({account, [this, source, cut] { return gather(source, cut); }},
                              [once = made_, account, tag](Result<std::string> made) {
                                  once->finish(
                                      account, tag,
                                      made ? Result<PreviewBytes>(std::make_shared<const std::string>(std::move(*made)))
                                           : Result<PreviewBytes>(std::move(made).error()));
                              });
    return Opened(begun.pending);
}

Result<engine::GatheredTiles> PictureService::gather(const PictureSource& source, const Cut& cut) {
    const TilesetGeometry& geometry = source.geometry();
    const tiles::TileRange range = tiles_of(cut, geometry.tile_size);
    auto file = new_memory_file();
    if (!file) return std::move(file).error();
    operations::CutRequest request;
    request.tile_format = geometry.format;
    request.tile_size = geometry.tile_size;
    request.columns = range.end_column - range.first_column;
    for (std::uint32_t row = range.first_row; row < range.end_row; ++row) {
        for (std::uint32_t column = range.first_column; column < range.end_column; ++column) {
            const auto coord = tiles::TileCoord::make(range.zoom, column, row);
            if (!coord) return internal_error("a cut outside of the grid");
            auto tile = parts_.tiles.cache().load({source.wanted, *coord, geometry.format});
            if (!tile) return std::move(tile).error();
            if (auto written = write_all(file->get(), bytes_of(tile->bytes)); !written)
                return std::move(written).error();
            request.lengths.push_back(static_cast<std::int64_t>(tile->bytes.size()));
        }
    }
    request.x = cut.x - static_cast<double>(range.first_column) * geometry.tile_size;
    request.y = cut.y - static_cast<double>(range.first_row) * geometry.tile_size;
    request.width = cut.width;
    request.height = cut.height;
    request.result_width = cut.size.width;
    request.result_height = cut.size.height;
    request.finish = {cut.mirrored, cut.turned, cut.colours, cut.format};
    return engine::GatheredTiles{std::move(request), std::move(*file)};
}

void PictureService::count_delivered(const PictureSource& source, std::size_t bytes) {
    source.version->shared_tally().bytes.fetch_add(bytes, std::memory_order_relaxed);
}

}  // namespace tessera::service
