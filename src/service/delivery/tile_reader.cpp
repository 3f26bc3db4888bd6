#include "service/delivery/tile_reader.hpp"

#include <atomic>
#include <charconv>

#include "blobs/blob_store.hpp"
#include "core/per_thread.hpp"
#include "service/delivery/gathered_lookups.hpp"
#include "service/delivery/tile_memory.hpp"
#include "service/delivery/tileset_unavailable.hpp"
#include "tiles/archive/layers.hpp"

namespace tessera::service {
namespace {

// Larger tiles are read where waiting is allowed.
constexpr std::uint32_t largest_on_the_spot = 1 << 20;
// Of tiles that patches left as recipes, for threads that have not kept them yet.
constexpr std::size_t most_whole_bytes = 64U << 20;

Error invalid_coordinates() {
    return Error{ErrorCode::invalid_request, "invalid tile coordinates", {}}.with_hint(
        "an address ends in zoom, column and row, whole numbers from 0 without leading zeros, and .png, .jpg or .webp: "
        "/3/5/2.png");
}
Error no_extension() {
    return {ErrorCode::invalid_request,
            "invalid tile coordinates: the row needs the extension of the tileset's format, "
            "as in {z}/{x}/{y}.png, .jpg or .webp",
            {}};
}
Error tile_not_found() {
    return {ErrorCode::tile_not_found, "tile not found", {}};
}
Error tileset_not_found() {
    return {ErrorCode::tileset_not_found, "tileset not found", {}};
}
Error invalid_signature() {
    return {ErrorCode::invalid_signature, "invalid or expired tile signature", {}};
}
Error damaged(const OpenVersion& version, const Error& cause) {
    return tileset_unavailable(cause, "tileset " + version.key.tileset_id.to_string() + ": ");
}

std::optional<ImageFormat> format_of_extension(std::string_view extension) {
    if (extension == "png") return ImageFormat::png;
    if (extension == "jpg" || extension == "jpeg") return ImageFormat::jpeg;
    if (extension == "webp") return ImageFormat::webp;
    return std::nullopt;
}

// Decimal digits with no leading zero, as in every address of ours. Nothing for any other spelling.
std::optional<std::int64_t> canonical_number(std::string_view text) {
    if (text.empty() || text.size() > 18 || (text.size() > 1 && text.front() == '0')) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
    return value;
}

bool is_expired(const OpenVersion& version, Timestamp now) {
    return version.expires_at && *version.expires_at <= now;
}

void note_use(const OpenVersion& version, std::int64_t now_s) {
    if (version.last_used_s.load(std::memory_order_relaxed) != now_s) {
        version.last_used_s.store(now_s, std::memory_order_relaxed);
    }
}

struct Found {
    const OpenLayer* layer = nullptr;
    tiles::TileLocation location;
};

enum class Wait { never, allowed };

// Outer: nothing when it would have to wait. Inner: nothing when no layer has the tile.
std::optional<Result<std::optional<Found>>> find_tile(const OpenVersion& version, tiles::TileCoord coord, Wait wait) {
    for (const auto& layer : version.layers) {
        if (wait == Wait::never && !layer->archive().find_is_cached(coord)) return std::nullopt;
        const auto location = layer->archive().find(coord);
        if (!location) return damaged(version, location.error());
        if (*location) return std::optional(Found{layer.get(), **location});
    }
    return std::optional<Found>();
}

Tile tile_at(const OpenVersion& version, const Found& found, std::int64_t seconds_left) {
    Tile tile;
    tile.format = version.format;
    tile.archive = found.layer->tag();
    tile.offset = found.location.offset;
    tile.seconds_left = seconds_left;
    return tile;
}

std::string_view text_of(const std::vector<std::uint8_t>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// A tile whose bytes this thread keeps itself.
Tile serve_kept(const LocalVersion& local, TileMemory::Checked& known, std::int64_t now_s, std::int64_t seconds_left) {
    known.resident_at_s = now_s;
    note_use(local.version(), now_s);
    Tile tile = tile_at(local.version(), {known.layer, known.location}, seconds_left);
    tile.bytes = text_of(**known.kept);
    tile.owner = known.kept;
    tile.delivered = &local.tally->bytes;
    return tile;
}

// A tile that another thread has put together. Nothing when it is still to be done.
std::optional<Result<Tile>> serve_whole(TileMemory& memory, WholeTiles& whole, const LocalVersion& local,
                                        TileMemory::Checked& known, std::int64_t now_s, std::int64_t seconds_left) {
    auto bytes = whole.find(known.layer->id(), known.location.offset);
    if (!bytes) return std::nullopt;
    memory.keep_bytes(known, std::move(bytes));
    if (!known.kept) return std::nullopt;  // larger than all there is room for
    return serve_kept(local, known, now_s, seconds_left);
}

// A tile of a remote archive that is in the cache's memory, which all threads share: from the second time on that it is
// asked for, this one has its own copy.
std::optional<Result<Tile>> serve_held(TileMemory& memory, WholeTiles& whole, const LocalVersion& local,
                                       tiles::TileCoord coord, const Found& found, TileMemory::Checked* known,
                                       std::int64_t now_s, std::int64_t seconds_left) {
    const auto& [layer, location] = found;
    auto held = layer->hold(location);
    if (!held) return std::nullopt;
    // What the cache holds came from the store or was compared since: it is right for as long as it was right once.
    if (known == nullptr) {
        if (auto ok = tiles::Archive::verify(location, held->bytes); !ok) return damaged(local.version(), ok.error());
        const bool recipe = tiles::is_recipe(held->bytes);
        TileMemory::Checked& noted = memory.note_tile(local, coord, *layer, location, now_s, recipe);
        if (recipe) return serve_whole(memory, whole, local, noted, now_s, seconds_left);
    } else {
        known->resident_at_s = now_s;
        memory.keep_bytes(*known, std::make_shared<std::vector<std::uint8_t>>(held->bytes.begin(), held->bytes.end()));
    }
    note_use(local.version(), now_s);
    Tile tile = tile_at(local.version(), found, seconds_left);
    tile.bytes = {reinterpret_cast<const char*>(held->bytes.data()), held->bytes.size()};
    tile.owner = std::move(held->owner);
    tile.delivered = &local.tally->bytes;
    return tile;
}

// A tile that is in memory, checked once by this thread; nothing when it has to be read.
std::optional<Result<Tile>> serve_now(TileMemory& memory, WholeTiles& whole, const LocalVersion& local,
                                      tiles::TileCoord coord, std::int64_t now_s, std::int64_t seconds_left) {
    const OpenVersion& version = local.version();
    Found found;
    TileMemory::Checked* known = memory.find_tile(local, coord);
    if (known != nullptr) {
        if (known->kept) return serve_kept(local, *known, now_s, seconds_left);
        if (known->recipe) return serve_whole(memory, whole, local, *known, now_s, seconds_left);
        found = {known->layer, known->location};
    } else {
        auto looked = find_tile(version, coord, Wait::never);
        if (!looked) return std::nullopt;
        if (!*looked) return std::move(*looked).error();
        if (!**looked) return tile_not_found();
        found = ***looked;
        if (found.location.length > largest_on_the_spot) return std::nullopt;
    }
    if (!found.layer->is_mapped()) {
        return serve_held(memory, whole, local, coord, found, known, now_s, seconds_left);
    }
    if (known != nullptr) {
        if (known->resident_at_s != now_s && !found.layer->is_resident(found.location)) return std::nullopt;
        known->resident_at_s = now_s;
    } else {
        memory.buffer.resize(found.location.length);
        if (!found.layer->try_read(found.location, memory.buffer)) return std::nullopt;
        if (auto ok = tiles::Archive::verify(found.location, memory.buffer); !ok) return damaged(version, ok.error());
        const bool recipe = tiles::is_recipe(memory.buffer);
        TileMemory::Checked& noted = memory.note_tile(local, coord, *found.layer, found.location, now_s, recipe);
        if (recipe) return serve_whole(memory, whole, local, noted, now_s, seconds_left);
    }

    note_use(version, now_s);
    Tile tile = tile_at(version, found, seconds_left);
    tile.owner = local.owner;
    tile.bytes = found.layer->mapped(found.location);
    tile.file = found.layer->descriptor();
    tile.delivered = &local.tally->bytes;
    return tile;
}

// The same where waiting is allowed: read, checked, and by that brought into memory.
Result<Tile> serve_with_patience(WholeTiles& whole, const OpenVersionPtr& version, tiles::TileCoord coord,
                                 std::int64_t seconds_left) {
    auto looked = find_tile(*version, coord, Wait::allowed);
    if (!*looked) return std::move(*looked).error();
    if (!**looked) return tile_not_found();
    const auto& [layer, location] = ***looked;
    struct Kept {
        OpenVersionPtr version;
        std::vector<std::uint8_t> bytes;
    };
    const auto kept = std::make_shared<Kept>();
    kept->version = version;
    kept->bytes.resize(location.length);
    if (auto ok = layer->read(location, kept->bytes); !ok) return damaged(*version, ok.error());
    if (auto ok = tiles::Archive::verify(location, kept->bytes); !ok) return damaged(*version, ok.error());
    if (tiles::is_recipe(kept->bytes)) {
        auto made = tiles::whole_tile(std::move(kept->bytes), version->layers.back()->archive(), coord);
        if (!made) return damaged(*version, made.error());
        const auto bytes = std::make_shared<const std::vector<std::uint8_t>>(std::move(*made));
        whole.keep(layer->id(), location.offset, bytes);
        Tile tile = tile_at(*version, ***looked, seconds_left);
        tile.bytes = text_of(*bytes);
        tile.owner = bytes;
        tile.delivered = &version->shared_tally().bytes;
        return tile;
    }

    Tile tile = tile_at(*version, ***looked, seconds_left);
    tile.bytes = text_of(kept->bytes);
    tile.owner = kept;
    tile.delivered = &version->shared_tally().bytes;
    return tile;
}

}  // namespace

TileReader::TileReader(OpenTilesets& tilesets, const Signer& signer, const Clock& clock)
    : id_(next_owner_id()), tilesets_(tilesets), signer_(signer), clock_(clock), whole_(most_whole_bytes) {}

Result<TileReader::Wanted> TileReader::understand(const TileAddress& address) const {
    const auto id = Uuid::parse(address.tileset_id);
    if (!id) return Error{ErrorCode::invalid_id, "invalid tileset id", {}};
    return understand(address, *id);
}

Result<TileReader::Wanted> TileReader::understand(const TileAddress& address, const Uuid& id) const {
    const std::size_t dot = address.row.find('.');
    const auto format = dot == std::string_view::npos ? std::nullopt : format_of_extension(address.row.substr(dot + 1));
    const auto zoom = canonical_number(address.zoom);
    const auto column = canonical_number(address.column);
    const auto row = canonical_number(address.row.substr(0, dot));
    if (!zoom || !column || !row) return invalid_coordinates();
    if (!format) return no_extension();
    const auto coord = tiles::TileCoord::make(*zoom, *column, *row);
    if (!coord) return tile_not_found();
    return Wanted{{id, 0}, *coord, *format, nullptr, 0, clock_.now()};
}

// All tiles of a version have one signature: it is worked out once, and compared from then on.
Result<TileReader::Wanted> TileReader::understand_signed(const TileAddress& address,
                                                         const TileSignature& signature) const {
    if (!signature.expires || !signature.signature) return understand_unknown(address, signature);
    const TileMemory& memory = of_this_thread<TileMemory>(id_);
    const auto* known = memory.find_signed(address.tileset_id, signature, signer_.generation());
    if (known == nullptr) return understand_unknown(address, signature);
    auto wanted = understand(address, known->key.tileset_id);
    if (!wanted && wanted.error().code != ErrorCode::tile_not_found) return wanted;
    const std::int64_t now_s = to_unix_seconds(wanted ? wanted->now : clock_.now());
    if (known->expires <= now_s) return invalid_signature();
    if (!wanted) return wanted;
    wanted->key.version = known->key.version;
    wanted->seconds_left = known->expires - now_s;
    return wanted;
}

Result<TileReader::Wanted> TileReader::understand_unknown(const TileAddress& address,
                                                          const TileSignature& signature) const {
    auto wanted = understand(address);
    if (!wanted && wanted.error().code != ErrorCode::tile_not_found) return wanted;
    const auto id = Uuid::parse(address.tileset_id);
    const auto version = canonical_number(signature.version);
    if (!version || *version == 0) {
        return Error{ErrorCode::invalid_request, "invalid tileset version", {}}.with_hint(
            "versions are whole numbers from 1; use the address as the job's result gave it");
    }
    if (!signature.expires || !signature.signature) return invalid_signature();
    const auto expires = parse_expires(*signature.expires);
    if (!expires) return expires_is_no_time();
    const Timestamp now = wanted ? wanted->now : clock_.now();
    const std::uint64_t generation = signer_.generation();
    if (!signer_.verify_tileset(*id, *version, *expires, *signature.signature, now)) return invalid_signature();
    of_this_thread<TileMemory>(id_).note_signed({std::string(address.tileset_id),
                                                 std::string(signature.version),
                                                 std::string(*signature.expires),
                                                 std::string(*signature.signature),
                                                 {*id, *version},
                                                 *expires,
                                                 generation});
    if (!wanted) return wanted;
    wanted->key.version = *version;
    wanted->seconds_left = *expires - to_unix_seconds(now);
    return wanted;
}

// Whether a version may be shown to whoever asks, and in the format asked for.
std::optional<Error> TileReader::refusal(const Wanted& wanted, const OpenVersion& version) const {
    const bool allowed = wanted.account ? version.account_id == *wanted.account : version.public_delivery;
    if (!allowed || is_expired(version, wanted.now)) return tileset_not_found();
    if (version.format != wanted.format) return tile_not_found();
    return std::nullopt;
}

std::optional<Result<Tile>> TileReader::try_serve(const Wanted& wanted) {
    TileMemory& memory = of_this_thread<TileMemory>(id_);
    const LocalVersion* local = memory.find(wanted.key);
    if (local == nullptr) {
        const auto opened = tilesets_.find_open(wanted.key);
        if (!opened && !could_be_ours(wanted.key.tileset_id)) return tileset_not_found();
        if (!opened) return std::nullopt;
        local = memory.keep(opened);
    }
    if (auto refused = refusal(wanted, local->version())) return std::move(*refused);
    return serve_now(memory, whole_, *local, wanted.coord, to_unix_seconds(wanted.now), wanted.seconds_left);
}

Result<Tile> TileReader::serve(const Wanted& wanted) {
    auto version = tilesets_.open(wanted.key);
    if (!version) {
        if (version.error().code == ErrorCode::tileset_not_found) tilesets_.lookups().note_unknown(asker(wanted));
        return std::move(version).error();
    }
    if (auto refused = refusal(wanted, **version)) return std::move(*refused);
    return serve_with_patience(whole_, *version, wanted.coord, wanted.seconds_left);
}

// Only what was there once has a signed address: whoever asks for a tileset that is gone waits with the others who do.
const Uuid& TileReader::asker(const Wanted& wanted) {
    return wanted.account != nullptr ? *wanted.account : wanted.key.tileset_id;
}

void TileReader::wait_for_turn(const Wanted& wanted, GoOn go_on) {
    GatheredLookups& lookups = tilesets_.lookups();
    if (lookups.may_ask_alone(asker(wanted)) || tilesets_.find_open(wanted.key)) return go_on(std::nullopt);
    const std::optional<Uuid> account = wanted.account != nullptr ? std::optional(*wanted.account) : std::nullopt;
    lookups.ask({wanted.key.tileset_id, wanted.key.version},
                [&lookups, account, by = asker(wanted), go_on = std::move(go_on)](Result<std::optional<Uuid>> owner) {
                    if (!owner) return go_on(std::move(owner).error());
                    if (*owner && (!account || *account == **owner)) return go_on(std::nullopt);
                    lookups.note_unknown(by);
                    go_on(tileset_not_found());
                });
}

std::optional<Result<Tile>> TileReader::try_read(const Principal& principal, const TileAddress& address) {
    auto wanted = understand(address);
    if (!wanted) return std::move(wanted).error();
    wanted->account = &principal.account.id;
    return try_serve(*wanted);
}

Result<Tile> TileReader::read(const Principal& principal, const TileAddress& address) {
    auto wanted = understand(address);
    if (!wanted) return std::move(wanted).error();
    wanted->account = &principal.account.id;
    return serve(*wanted);
}

// What is wrong with an address is said where the tile is read.
void TileReader::wait_for_turn(const Principal& principal, const TileAddress& address, GoOn go_on) {
    auto wanted = understand(address);
    if (!wanted) return go_on(std::nullopt);
    wanted->account = &principal.account.id;
    wait_for_turn(*wanted, std::move(go_on));
}

void TileReader::wait_for_turn_signed(const TileAddress& address, const TileSignature& signature, GoOn go_on) {
    const auto wanted = understand_signed(address, signature);
    if (!wanted) return go_on(std::nullopt);
    wait_for_turn(*wanted, std::move(go_on));
}

std::optional<Result<Tile>> TileReader::try_read_signed(const TileAddress& address, const TileSignature& signature) {
    auto wanted = understand_signed(address, signature);
    if (!wanted) return std::move(wanted).error();
    return try_serve(*wanted);
}

Result<Tile> TileReader::read_signed(const TileAddress& address, const TileSignature& signature) {
    auto wanted = understand_signed(address, signature);
    if (!wanted) return std::move(wanted).error();
    return serve(*wanted);
}

}  // namespace tessera::service
