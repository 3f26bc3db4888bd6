#include "http/api/job_json.hpp"

#include <array>
#include <charconv>

#include "http/api/json_object.hpp"

namespace tessera::http {
namespace {

std::string fraction(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3).ptr;
    return {text.data(), end};
}

void write_fields(JsonObject& object, const Artifact& artifact) {
    object.id("id", artifact.id).text("kind", artifact.kind).text("content_type", artifact.content_type);
    object.number("byte_size", artifact.byte_size).number("width", artifact.width).number("height", artifact.height);
    object.text("checksum_sha256", artifact.checksum_sha256).raw("metadata", artifact.metadata_json);
    object.time("created_at", artifact.created_at);
}

void write_result(std::string& out, const std::optional<service::TilesetResult>& tileset) {
    JsonObject result(out);
    if (tileset) {
        result.id("tileset_id", tileset->tileset_id).number("version", tileset->version);
        result.text("format", to_string(tileset->format));
        if (!tileset->url_template.empty()) {
            result.text("public_tile_url_template", tileset->url_template);
            result.text("tile_url_template", tileset->url_template);
        }
    }
    result.end();
}

// The interface's own fields, or all that the lists tell.
enum class Fields { plain, all };

void write_artifacts(std::string& out, const std::vector<Artifact>& artifacts, Fields fields) {
    out += '[';
    for (const Artifact& artifact : artifacts) {
        if (&artifact != &artifacts.front()) out += ',';
        JsonObject object(out);
        write_fields(object, artifact);
        if (fields == Fields::all && artifact.expires_at) object.time("expires_at", *artifact.expires_at);
        object.end();
    }
    out += ']';
}

void write_job(std::string& out, const service::JobView& view, Fields fields) {
    const Job& job = view.job;
    JsonObject object(out);
    object.id("id", job.id);
    if (job.asset_id) object.id("asset_id", *job.asset_id);
    object.text("operation", job.operation).text("status", to_string(job.status)).raw("options", job.options_json);
    write_result(object.start("result"), view.tileset);
    object.time("queued_at", job.queued_at);
    if (job.started_at) object.time("started_at", *job.started_at);
    if (job.completed_at) object.time("completed_at", *job.completed_at);
    object.time("updated_at", job.updated_at);
    object.number("attempt_count", job.attempt_count).number("max_attempts", job.max_attempts);
    if (job.status == JobStatus::running || fields == Fields::all) object.raw("progress", fraction(job.progress));
    if (fields == Fields::all) {
        object.number("credits", job.credits);
        if (job.tileset_id) object.id("tileset_id", *job.tileset_id);
    }
    write_artifacts(object.start("artifacts"), job.artifacts, fields);
    if (job.status == JobStatus::failed) {
        object.text("error_code", describe(job.error_code.value_or(JobErrorCode::internal_error)).name);
        object.text("error_message", job.error_message);
    }
    object.end();
}

}  // namespace

std::string to_json(const service::JobView& view) {
    std::string out;
    out.reserve(1024);
    write_job(out, view, Fields::plain);
    return out;
}

std::string to_json(const service::ListedJobs& listed) {
    return list_json("jobs", listed.jobs, listed.next_cursor,
                     [](std::string& out, const service::JobView& view) { write_job(out, view, Fields::all); });
}

std::string to_json(const service::ArtifactView& view) {
    std::string out;
    JsonObject object(out);
    write_fields(object, view.artifact);
    object.text("download_url", view.link.url).time("download_expires_at", view.link.expires_at);
    object.end();
    return out;
}

}  // namespace tessera::http
