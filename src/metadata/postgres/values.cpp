#include "metadata/postgres/values.hpp"

#include <charconv>

#include "core/image_format.hpp"
#include "metadata/postgres/connection.hpp"

namespace tessera::metadata::postgres {
namespace {

ImageFormat stored_format(std::string_view name) {
    const std::optional<ImageFormat> format = image_format_from_string(name);
    if (!format) throw Failure(internal_error("postgres: unknown stored image format"));
    return *format;
}

// One line a layer: its size, a space, its key.
std::vector<TilesetLayer> parse_layers(std::string_view text) {
    std::vector<TilesetLayer> layers;
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(text.size(), line.size() + 1));
        TilesetLayer layer;
        const auto [end, fault] = std::from_chars(line.data(), line.data() + line.size(), layer.byte_size);
        if (fault != std::errc()) throw Failure(internal_error("postgres: a stored layer can't be read"));
        layer.storage_key = line.substr(static_cast<std::size_t>(end - line.data()) + 1);
        layers.push_back(std::move(layer));
    }
    return layers;
}

}  // namespace

Job read_job(Rows& row) {
    Job job;
    job.id = row.uuid();
    job.account_id = row.uuid();
    job.asset_id = row.optional_uuid();
    job.tileset_id = row.optional_uuid();
    job.operation = row.text();
    const std::optional<JobStatus> status = job_status_from_string(row.text());
    if (!status) throw Failure(internal_error("postgres: unknown stored job status"));
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
        // A code that this version does not know (a newer node's) is still a failure.
        job.error_code = job_error_code_from_string(*code).value_or(JobErrorCode::internal_error);
    }
    job.error_message = row.optional_text().value_or("");
    return job;
}

Artifact read_artifact(Rows& row) {
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

Asset read_asset(Rows& row) {
    Asset asset;
    asset.id = row.uuid();
    asset.account_id = row.uuid();
    asset.source_type = row.text();
    asset.status = row.text();
    asset.original_filename = row.text();
    asset.image.format = stored_format(row.text());
    asset.image.width = row.integer();
    asset.image.height = row.integer();
    asset.image.pages = row.small();
    asset.image.has_alpha = row.flag();
    asset.image.bits_per_sample = row.small();
    asset.image.colour_space = row.text();
    asset.checksum_sha256 = row.text();
    asset.byte_size = row.integer();
    asset.storage_key = row.text();
    asset.created_at = row.time();
    asset.expires_at = row.optional_time();
    return asset;
}

Tileset read_tileset(Rows& row) {
    Tileset tileset;
    tileset.id = row.uuid();
    tileset.account_id = row.uuid();
    tileset.created_at = row.time();
    tileset.expires_at = row.optional_time();
    TilesetVersion& version = tileset.current;
    version.version = row.integer();
    version.geometry.format = stored_format(row.text());
    version.geometry.tile_size = row.small();
    version.geometry.width = row.integer();
    version.geometry.height = row.integer();
    version.geometry.min_zoom = row.small();
    version.geometry.max_zoom = row.small();
    version.tile_count = row.integer();
    version.options_json = row.text();
    version.created_at = row.time();
    version.layers = parse_layers(row.text());
    return tileset;
}

}  // namespace tessera::metadata::postgres
