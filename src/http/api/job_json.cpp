#include "http/api/job_json.hpp"

#include <array>
#include <charconv>

#include "core/log.hpp"

namespace tessera::http {
namespace {

// Writes one object, field by field. Values that are JSON already are taken as they are.
class Object {
  public:
    explicit Object(std::string& out) : out_(out) { out_ += '{'; }

    Object& text(std::string_view name, std::string_view value) {
        start(name);
        log::append_json_string(out_, value);
        return *this;
    }
    Object& number(std::string_view name, std::int64_t value) { return raw(name, std::to_string(value)); }
    Object& id(std::string_view name, const Uuid& value) { return text(name, value.to_string()); }
    Object& time(std::string_view name, Timestamp value) { return text(name, to_iso8601(value)); }
    Object& raw(std::string_view name, std::string_view json) {
        start(name);
        out_ += json;
        return *this;
    }
    std::string& start(std::string_view name) {
        if (!first_) out_ += ',';
        first_ = false;
        out_ += '"';
        out_ += name;
        out_ += "\":";
        return out_;
    }
    void end() { out_ += '}'; }

  private:
    std::string& out_;
    bool first_ = true;
};

std::string fraction(double value) {
    std::array<char, 32> text;
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, 3).ptr;
    return {text.data(), end};
}

void write_fields(Object& object, const Artifact& artifact) {
    object.id("id", artifact.id).text("kind", artifact.kind).text("content_type", artifact.content_type);
    object.number("byte_size", artifact.byte_size).number("width", artifact.width).number("height", artifact.height);
    object.text("checksum_sha256", artifact.checksum_sha256).raw("metadata", artifact.metadata_json);
    object.time("created_at", artifact.created_at);
}

void write_result(std::string& out, const std::optional<service::TilesetResult>& tileset) {
    Object result(out);
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

void write_artifacts(std::string& out, const std::vector<Artifact>& artifacts) {
    out += '[';
    for (const Artifact& artifact : artifacts) {
        if (&artifact != &artifacts.front()) out += ',';
        Object object(out);
        write_fields(object, artifact);
        object.end();
    }
    out += ']';
}

}  // namespace

std::string to_json(const service::JobView& view) {
    const Job& job = view.job;
    std::string out;
    out.reserve(1024);
    Object object(out);
    object.id("id", job.id);
    if (job.asset_id) object.id("asset_id", *job.asset_id);
    object.text("operation", job.operation).text("status", to_string(job.status)).raw("options", job.options_json);
    write_result(object.start("result"), view.tileset);
    object.time("queued_at", job.queued_at);
    if (job.started_at) object.time("started_at", *job.started_at);
    if (job.completed_at) object.time("completed_at", *job.completed_at);
    object.time("updated_at", job.updated_at);
    object.number("attempt_count", job.attempt_count).number("max_attempts", job.max_attempts);
    if (job.status == JobStatus::running) object.raw("progress", fraction(job.progress));
    write_artifacts(object.start("artifacts"), job.artifacts);
    if (job.status == JobStatus::failed) {
        object.text("error_code", describe(job.error_code.value_or(JobErrorCode::internal_error)).name);
        object.text("error_message", job.error_message);
    }
    object.end();
    return out;
}

std::string to_json(const service::ArtifactView& view) {
    std::string out;
    Object object(out);
    write_fields(object, view.artifact);
    object.text("download_url", view.link.url).time("download_expires_at", view.link.expires_at);
    object.end();
    return out;
}

}  // namespace tessera::http
