#include "metadata/sqlite/rows.hpp"

#include "core/image_format.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

ImageFormat stored_format(std::string_view name) {
    const std::optional<ImageFormat> format = image_format_from_string(name);
    if (!format) throw Failure(internal_error("sqlite: unknown stored image format"));
    return *format;
}

Job read_job(Query& row) {
    Job job;
    job.id = row.uuid();
    job.account_id = row.uuid();
    job.asset_id = row.optional_uuid();
    job.tileset_id = row.optional_uuid();
    job.operation = row.text();
    const std::optional<JobStatus> status = job_status_from_string(row.text());
    if (!status) throw Failure(internal_error("sqlite: unknown stored job status"));
    job.status = *status;
    job.options_json = row.text();
    job.result_json = row.text();
    job.progress = row.real();
    job.heavy = row.flag();
    job.credits = row.integer();
    job.queued_at = row.time();
    job.started_at = row.optional_time();
    job.completed_at = row.optional_time();
    job.updated_at = row.time();
    job.attempt_count = row.small();
    job.max_attempts = row.small();
    if (const auto code = row.optional_text()) {
        // A code that this version does not know (a downgrade) is still a failure.
        job.error_code = job_error_code_from_string(*code).value_or(JobErrorCode::internal_error);
    }
    job.error_message = row.text();
    return job;
}

Artifact read_artifact(Query& row) {
    Artifact artifact;
    artifact.id = row.uuid();
    artifact.account_id = row.uuid();
    artifact.job_id = row.uuid();
    artifact.kind = row.text();
    artifact.content_type = row.text();
    artifact.byte_size = row.integer();
    artifact.width = row.integer();
    artifact.height = row.integer();
    artifact.checksum_sha256 = row.text();
    artifact.metadata_json = row.text();
    artifact.storage_key = row.text();
    artifact.filename = row.text();
    artifact.created_at = row.time();
    artifact.expires_at = row.optional_time();
    return artifact;
}

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
        tileset.id = row.uuid();
        tileset.account_id = row.uuid();
        tileset.created_at = row.time();
        tileset.expires_at = row.optional_time();
        const std::int64_t current = row.integer();
        if (version == 0) version = current;
    }
    Query row(db, sql::tilesets::version, id, version);
    if (!row.next()) return std::nullopt;
    TilesetVersion& found = tileset.current;
    found.version = row.integer();
    found.geometry.format = stored_format(row.text());
    found.geometry.tile_size = row.small();
    found.geometry.width = row.integer();
    found.geometry.height = row.integer();
    found.geometry.min_zoom = row.small();
    found.geometry.max_zoom = row.small();
    found.tile_count = row.integer();
    found.options_json = row.text();
    found.created_at = row.time();
    Query layer(db, sql::tilesets::layers, id, version);
    while (layer.next()) {
        std::string key = layer.text();
        found.layers.push_back({std::move(key), layer.integer()});
    }
    return tileset;
}

}  // namespace tessera::metadata::sqlite
