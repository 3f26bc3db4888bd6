#include "metadata/sqlite/tilesets.hpp"

#include <algorithm>

#include "metadata/sqlite/garbage.hpp"
#include "metadata/sqlite/rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

// Requests under way may still read a blob whose name has just gone.
constexpr Millis keep_for_readers = std::chrono::minutes(10);

std::vector<std::string> keys_of(Query rows) {
    std::vector<std::string> keys;
    while (rows.next()) keys.push_back(rows.text());
    return keys;
}

void put_layers(Connection& db, const TilesetVersionName& name, std::span<const TilesetLayer> layers) {
    int position = 0;
    for (const TilesetLayer& layer : layers) {
        db.run(sql::tilesets::insert_layer, name.tileset_id, name.version, position++, layer.storage_key,
               layer.byte_size);
    }
}

bool same_layer(const TilesetLayer& a, const TilesetLayer& b) {
    return a.storage_key == b.storage_key;
}

}  // namespace

CompleteAnswer publish(Transaction& transaction, const HeldJob& job, const TilesetChange& change) {
    Connection& db = transaction.db;
    const Uuid& account_id = job.account_id;
    const std::optional<Tileset> before = find_tileset(db, change.tileset_id, 0, transaction.now);
    const bool is_new = change.based_on == 0;
    if (is_new && before) return CompleteAnswer::tileset_changed;
    if (!is_new && (!before || before->account_id != account_id)) return CompleteAnswer::tileset_gone;
    if (!is_new && before->current.version != change.based_on) return CompleteAnswer::tileset_changed;

    for (const TilesetLayer& layer : change.layers) take_name(transaction, layer.storage_key);
    std::vector<TilesetLayer> layers;
    if (change.append && before) layers = before->current.layers;
    layers.insert(layers.end(), change.layers.begin(), change.layers.end());
    const auto depth = static_cast<std::int64_t>(layers.size());

    const TilesetVersionName name{change.tileset_id, change.based_on + 1};
    if (is_new) {
        db.run(sql::tilesets::insert, change.tileset_id, account_id, depth, transaction.now, change.expires_at);
    } else {
        db.run(sql::tilesets::mark_replaced, change.tileset_id, change.based_on, transaction.now);
        db.run(sql::tilesets::advance, change.tileset_id, name.version, depth, change.expires_at);
    }
    const TilesetGeometry& geometry = change.geometry;
    db.run(sql::tilesets::insert_version, name.tileset_id, name.version, to_string(geometry.format), geometry.tile_size,
           geometry.width, geometry.height, geometry.min_zoom, geometry.max_zoom, change.tile_count,
           change.options_json, transaction.now, job.id);
    put_layers(db, name, layers);
    transaction.note_change(Change::Kind::tileset, change.tileset_id);
    return CompleteAnswer::done;
}

void name_artifact(Transaction& transaction, const Artifact& artifact, int position) {
    take_name(transaction, artifact.storage_key);
    insert_artifact(transaction.db, artifact, position);
}

void remove_tileset(Transaction& transaction, const Uuid& id, Millis keep_blobs) {
    const std::vector<std::string> keys = keys_of(Query(transaction.db, sql::tilesets::all_layer_keys, id));
    transaction.db.run(sql::tilesets::remove, id);
    for (const std::string& key : keys) discard(transaction, key, keep_blobs);
    transaction.note_change(Change::Kind::tileset, id);
}

void remove_version(Transaction& transaction, const TilesetVersionName& name, Millis keep_blobs) {
    Connection& db = transaction.db;
    const auto keys = keys_of(Query(db, sql::tilesets::layers, name.tileset_id, name.version));
    db.run(sql::tilesets::remove_version, name.tileset_id, name.version);
    for (const std::string& key : keys) discard(transaction, key, keep_blobs);
}

Result<std::optional<Tileset>> SqliteTilesets::find(Uuid account_id, Uuid id) {
    Result<std::optional<Tileset>> found = find_any(id);
    if (found.ok() && found->has_value() && (*found)->account_id != account_id) return std::optional<Tileset>();
    return found;
}

Result<std::optional<Tileset>> SqliteTilesets::find_any(Uuid id) {
    return readers_.run([&](Connection& db) { return find_tileset(db, id, 0, clock_.now()); });
}

Result<std::optional<Tileset>> SqliteTilesets::find_version(Uuid id, std::int64_t version) {
    if (version < 1) return std::optional<Tileset>();
    return readers_.run([&](Connection& db) { return find_tileset(db, id, version, clock_.now()); });
}

Result<std::vector<Tileset>> SqliteTilesets::list(Uuid account_id) {
    return readers_.run([&](Connection& db) {
        const Timestamp now = clock_.now();
        std::vector<Uuid> ids;
        {
            Query row(db, sql::tilesets::list, account_id, now);
            while (row.next()) ids.push_back(row.uuid());
        }
        std::vector<Tileset> tilesets;
        for (const Uuid& id : ids) {
            if (auto tileset = find_tileset(db, id, 0, now)) tilesets.push_back(*std::move(tileset));
        }
        return tilesets;
    });
}

Result<std::vector<std::optional<Uuid>>> SqliteTilesets::owners(std::span<const TilesetVersionName> names) {
    return readers_.run([&](Connection& db) {
        const Timestamp now = clock_.now();
        std::vector<std::optional<Uuid>> owners;
        owners.reserve(names.size());
        for (const TilesetVersionName& name : names) {
            Query row(db, sql::tilesets::owner, name.tileset_id, now, name.version);
            owners.push_back(row.next() ? std::optional(row.uuid()) : std::nullopt);
        }
        return owners;
    });
}

Result<bool> SqliteTilesets::remove(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        const auto tileset = find_tileset(transaction.db, id, 0, transaction.now);
        if (!tileset) return false;
        transaction.note_act({"tileset.delete", tileset->account_id, id.to_string()});
        remove_tileset(transaction, id, keep_for_readers);
        return true;
    });
}

Result<std::vector<TilesetVersionName>> SqliteTilesets::deeper_than(int layers, int limit) {
    return readers_.run([&](Connection& db) {
        std::vector<TilesetVersionName> names;
        Query row(db, sql::tilesets::deeper_than, layers, clock_.now(), limit);
        while (row.next()) {
            const Uuid id = row.uuid();
            names.push_back({id, row.integer()});
        }
        return names;
    });
}

Result<FoldAnswer> SqliteTilesets::fold(Uuid id, std::span<const TilesetLayer> replaced, const TilesetLayer& folded) {
    return writer_.run([&](Transaction& transaction) {
        Connection& db = transaction.db;
        const auto tileset = find_tileset(db, id, 0, transaction.now);
        if (!tileset) return FoldAnswer::gone;
        std::vector<TilesetLayer> layers = tileset->current.layers;
        const auto first = std::search(layers.begin(), layers.end(), replaced.begin(), replaced.end(), same_layer);
        if (replaced.empty() || first == layers.end()) return FoldAnswer::changed;
        take_name(transaction, folded.storage_key);
        *first = folded;
        layers.erase(first + 1, first + static_cast<std::ptrdiff_t>(replaced.size()));
        const TilesetVersionName name{id, tileset->current.version};
        db.run(sql::tilesets::clear_layers, name.tileset_id, name.version);
        put_layers(db, name, layers);
        db.run(sql::tilesets::set_depth, name.tileset_id, name.version, static_cast<std::int64_t>(layers.size()));
        for (const TilesetLayer& layer : replaced) discard(transaction, layer.storage_key, keep_for_readers);
        transaction.note_change(Change::Kind::tileset, id);
        return FoldAnswer::folded;
    });
}

}  // namespace tessera::metadata::sqlite
