#include "metadata/postgres/tilesets.hpp"

#include "metadata/postgres/tileset_rows.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

// Requests under way may still read a blob whose name has just gone.
constexpr Millis keep_for_readers = std::chrono::minutes(10);

}  // namespace

Result<std::optional<Tileset>> PostgresTilesets::find_one(const Uuid& id, std::optional<std::int64_t> version) {
    return pool_.read([&](Connection& db) -> std::optional<Tileset> {
        Rows row = db.run(sql::tilesets::find, id, version, time_.now());
        if (!row.next()) return std::nullopt;
        return read_tileset(row);
    });
}

Result<std::optional<Tileset>> PostgresTilesets::find(Uuid account_id, Uuid id) {
    Result<std::optional<Tileset>> found = find_any(id);
    if (found.ok() && found->has_value() && (*found)->account_id != account_id) return std::optional<Tileset>();
    return found;
}

Result<std::optional<Tileset>> PostgresTilesets::find_any(Uuid id) {
    return find_one(id, std::nullopt);
}

Result<std::optional<Tileset>> PostgresTilesets::find_version(Uuid id, std::int64_t version) {
    return find_one(id, version);
}

Result<std::vector<Tileset>> PostgresTilesets::list(Uuid account_id) {
    return pool_.read([&](Connection& db) {
        std::vector<Tileset> tilesets;
        Rows rows = db.run(sql::tilesets::list, account_id, time_.now());
        while (rows.next()) tilesets.push_back(read_tileset(rows));
        return tilesets;
    });
}

Result<std::vector<std::optional<Uuid>>> PostgresTilesets::owners(std::span<const TilesetVersionName> names) {
    std::vector<std::optional<std::string>> ids;
    std::vector<std::optional<std::string>> versions;
    for (const TilesetVersionName& name : names) {
        ids.emplace_back(name.tileset_id.to_string());
        versions.emplace_back(std::to_string(name.version));
    }
    Call call{sql::tilesets::owners, {}};
    call.parameters.add_array(ids);
    call.parameters.add_array(versions);
    call.parameters.add(time_.now());
    return pool_.read([&](Connection& db) {
        std::vector<std::optional<Uuid>> owners(names.size());
        Rows row = db.run(call);
        while (row.next()) {
            const auto place = static_cast<std::size_t>(row.integer() - 1);
            owners.at(place) = row.uuid();
        }
        return owners;
    });
}

Result<bool> PostgresTilesets::remove(Uuid id) {
    return pool_.write([&](Connection& db) {
        Rows row = db.run(sql::tilesets::lock, id, time_.now());
        if (!row.next()) return false;
        auditor_.note(db, {"tileset.delete", row.uuid(), id.to_string()});
        db.run(sql::tilesets::remove, id, time_.now(), keep_for_readers);
        return true;
    });
}

Result<std::vector<TilesetVersionName>> PostgresTilesets::deeper_than(int layers, int limit) {
    return pool_.read([&](Connection& db) {
        std::vector<TilesetVersionName> names;
        Rows row = db.run(sql::tilesets::deeper_than, layers, time_.now(), limit);
        while (row.next()) {
            const Uuid id = row.uuid();
            names.push_back({id, row.integer()});
        }
        return names;
    });
}

Result<FoldAnswer> PostgresTilesets::fold(Uuid id, std::span<const TilesetLayer> replaced, const TilesetLayer& folded) {
    std::vector<std::optional<std::string>> keys;
    for (const TilesetLayer& layer : replaced) keys.emplace_back(layer.storage_key);
    Call call{sql::tilesets::fold, Parameters(time_.now(), id)};
    call.parameters.add_array(keys);
    call.parameters.add(folded.storage_key);
    call.parameters.add(folded.byte_size);
    call.parameters.add(keep_for_readers);
    return pool_.write([&](Connection& db) {
        Rows row = db.run(call);
        row.next();
        return static_cast<FoldAnswer>(row.integer());
    });
}

}  // namespace tessera::metadata::postgres
