#include "metadata/sqlite/rows.hpp"

#include "metadata/row_values.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

std::optional<Job> find_job(Connection& db, const Uuid& account_id, const Uuid& id, Timestamp now) {
    Query row(db, sql::jobs::find, id, account_id);
    if (!row.next()) return std::nullopt;
    Job job = read_job(row);
    if (job.status == JobStatus::succeeded) {
        Query artifact(db, sql::artifacts::of_job, id, now);
        while (artifact.next()) job.artifacts.push_back(read_artifact(artifact));
    }
    return job;
}

void insert_artifact(Connection& db, const Artifact& artifact, int position) {
    db.run(sql::artifacts::insert, artifact.id, artifact.account_id, artifact.job_id, artifact.kind,
           artifact.content_type, artifact.byte_size, artifact.width, artifact.height, artifact.checksum_sha256,
           artifact.metadata_json, artifact.storage_key, artifact.filename, artifact.created_at, artifact.expires_at,
           position);
}

std::optional<Tileset> find_tileset(Connection& db, const Uuid& id, std::int64_t version, Timestamp now) {
    Tileset tileset;
    {
        Query row(db, sql::tilesets::find, id, now);
        if (!row.next()) return std::nullopt;
        tileset = read_tileset_head(row);
        const std::int64_t current = row.integer();
        if (version == 0) version = current;
    }
    Query row(db, sql::tilesets::version, id, version);
    if (!row.next()) return std::nullopt;
    TilesetVersion& found = tileset.current;
    found = read_tileset_version(row);
    Query layer(db, sql::tilesets::layers, id, version);
    while (layer.next()) {
        std::string key = layer.text();
        found.layers.push_back({std::move(key), layer.integer()});
    }
    return tileset;
}

}  // namespace tessera::metadata::sqlite
