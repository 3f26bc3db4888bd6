// The table of all configuration keys; those of the parts that work on images are in keys_work.cpp.
#include "app/config/checks.hpp"
#include "app/config/key_groups.hpp"
#include "app/config/setting_kinds.hpp"

namespace tessera::app {
namespace {

using namespace std::chrono_literals;

constexpr std::int64_t kib = 1024;
constexpr std::int64_t mib = 1024 * kib;
constexpr std::int64_t gib = 1024 * mib;
constexpr std::int64_t tib = 1024 * gib;

constexpr SectionNote sections[] = {
    {"data", "where this node keeps its files"},
    {"server", "addresses, threads, limits and time-outs of the HTTP server"},
    {"log", "the log: one JSON object a line"},
    {"metadata", "the database"},
    {"blobs", "where the bytes of images live"},
    {"signing", "signed download and tile addresses"},
    {"plans", "the plans that accounts can be on"},
    {"keys", "API keys"},
    {"rate_limits", "requests admitted per window; 0 lifts that limit"},
    {"waiting", "requests that wait for jobs, and event streams"},
    {"console", "operators: who signs in with a password to run the service"},
    {"limits", "what the workers take on whatever a plan allows; a job beyond it gets 429 `worker_capacity_exceeded`"},
    {"storage", "how much may be kept"},
    {"worker", "the part that runs jobs"},
    {"engine", "the sandboxed processes that touch pixels"},
    {"sandbox", "what holds the engines"},
    {"tiles", "the tilesets that this node serves"},
    {"pictures", "parts of pictures, cut when viewers ask for them"},
    {"uploads", "source images"},
    {"scanning", "a virus scanner for uploads; off by default"},
    {"webhooks", "who is told when jobs end: addresses that `tessera admin webhook` manages"},
    {"traces", "spans for OpenTelemetry; off without an endpoint. Give all nodes of a cluster the same"},
    {"retention", "what is removed when; what expires is the plans' business"},
};

void add_server(std::vector<Setting>& keys) {
    keys.push_back(list_of(
        "server.listen", "addresses such as 127.0.0.1:8080 or [::]:8080", is_listen_address, false,
        "Where clients connect. `[::]:8080` takes IPv4 too; port 0 takes any free one.",
        [](auto& c) -> auto& { return c.server.listen; }));
    keys.push_back(list_of(
        "server.admin_listen", "addresses such as 127.0.0.1:9090", is_listen_address, true,
        "When set, /metrics, /healthz and /readyz are served here and nowhere else.",
        [](auto& c) -> auto& { return c.server.admin_listen; }));
    keys.push_back(text(
        "server.public_url", "an address such as https://images.example.org, with no path", is_base_url_or_empty,
        "What clients call this service; signed download addresses start with it. Empty: what a trusted proxy says "
        "that "
        "they call it, otherwise the address that their connection came to.",
        [](auto& c) -> auto& { return c.links.public_url; }));
    keys.push_back(text(
        "server.cdn_url", "an address such as https://tiles.example.org, with no path", is_base_url_or_empty,
        "The host that signed tile addresses name. Empty: the same as server.public_url.",
        [](auto& c) -> auto& { return c.links.cdn_url; }));
    keys.push_back(count(
        "server.threads", {0, 1024}, "Threads that speak HTTP. 0: one per core.",
        [](auto& c) -> auto& { return c.server.threads; }));
    keys.push_back(count(
        "server.blocking_threads", {0, 4096}, "Threads for work that waits. 0: four per core, at least 64.",
        [](auto& c) -> auto& { return c.server.blocking_threads; }));
    keys.push_back(count(
        "server.blocking_queue", {1, 1'000'000}, "Requests that may wait for such a thread; more get 503.",
        [](auto& c) -> auto& { return c.server.blocking_queue; }));
    keys.push_back(count(
        "server.max_connections", {1, 1'000'000}, "Connections at once; more are refused with 503.",
        [](auto& c) -> auto& { return c.server.max_connections; }));
    keys.push_back(count(
        "server.max_connections_per_address", {1, 1'000'000},
        "Connections at once from one address (of IPv6: one /64 network); more are refused with 503. Trusted proxies "
        "have no such bound.",
        [](auto& c) -> auto& { return c.server.max_connections_per_address; }));
    keys.push_back(bytes(
        "server.max_head_bytes", {1 * kib, 1 * mib}, "Request line and headers together.",
        [](auto& c) -> auto& { return c.server.max_head_bytes; }));
    keys.push_back(bytes(
        "server.max_target_bytes", {256, 1 * mib}, "The request's path and query.",
        [](auto& c) -> auto& { return c.server.max_target_bytes; }));
    keys.push_back(count(
        "server.max_headers", {8, 10'000}, "Headers in a request.",
        [](auto& c) -> auto& { return c.server.max_headers; }));
    keys.push_back(duration(
        "server.idle_timeout", 100ms, 24h, "How long a connection may idle between requests.",
        [](auto& c) -> auto& { return c.server.idle_timeout; }));
    keys.push_back(duration(
        "server.head_timeout", 100ms, 1h, "From the first byte of a request's head to its last.",
        [](auto& c) -> auto& { return c.server.head_timeout; }));
    keys.push_back(duration(
        "server.body_timeout", 100ms, 1h, "A body must bring server.body_min_bytes in each such span, to its end.",
        [](auto& c) -> auto& { return c.server.body_timeout; }));
    keys.push_back(bytes(
        "server.body_min_bytes", {1, 1 * mib}, "See server.body_timeout.",
        [](auto& c) -> auto& { return c.server.body_min_bytes; }));
    keys.push_back(duration(
        "server.write_timeout", 100ms, 1h, "A client must take something in each such span.",
        [](auto& c) -> auto& { return c.server.write_timeout; }));
    keys.push_back(duration(
        "server.drain_timeout", 0ms, 1h, "What is still in flight this long after SIGTERM is cut off.",
        [](auto& c) -> auto& { return c.server.drain_timeout; }));
    keys.push_back(list_of(
        "server.trusted_proxies", "networks such as 10.0.0.0/8 or ::1/128", is_network, true,
        "Proxies whose X-Forwarded-For is believed, and without server.public_url their Host and X-Forwarded-Proto.",
        [](auto& c) -> auto& { return c.server.trusted_proxies; }));
    keys.push_back(text(
                       "server.metrics_token", "a text", is_anything,
                       "Whoever sends it as a bearer token may read /metrics. Without it only clients on this machine "
                       "may, and those "
                       "at server.admin_listen.",
                       [](auto& c) -> auto& { return c.server.metrics_token; })
                       .secret(Secrecy::hidden));
    keys.push_back(flag(
        "server.access_log", "Log every request.", [](auto& c) -> auto& { return c.server.access_log; }));
    keys.push_back(flag(
        "server.server_timing",
        "Tell clients that have a key and send `Prefer: server-timing` where their request's time went.",
        [](auto& c) -> auto& { return c.server.server_timing; }));
}

void add_storage(std::vector<Setting>& keys) {
    keys.push_back(text(
                       "metadata.url", "sqlite, sqlite:PATH or postgresql://…", is_metadata_url,
                       "`sqlite`: a file in the data folder.", [](auto& c) -> auto& { return c.metadata.url; })
                       .secret(Secrecy::url_password)
                       .path("sqlite:"));
    keys.push_back(count(
        "metadata.connections", {0, 1000}, "Connections for reading. 0: four for SQLite, eight for PostgreSQL.",
        [](auto& c) -> auto& { return c.metadata.connections; }));
    keys.push_back(text(
                       "blobs.url", "file, file:PATH or s3://BUCKET?…", is_blobs_url,
                       "`file`: a folder in the data folder.", [](auto& c) -> auto& { return c.blobs.url; })
                       .secret(Secrecy::url_password)
                       .path("file:"));
}

void add_s3(std::vector<Setting>& keys) {
    keys.push_back(text(
        "blobs.access_key_id", "a text", is_anything, "For S3. Empty: AWS_ACCESS_KEY_ID from the environment.",
        [](auto& c) -> auto& { return c.blobs.s3.access_key_id; }));
    keys.push_back(text(
                       "blobs.secret_access_key", "a text", is_anything,
                       "For S3. Empty: AWS_SECRET_ACCESS_KEY from the environment.",
                       [](auto& c) -> auto& { return c.blobs.s3.secret_access_key; })
                       .secret(Secrecy::hidden));
    keys.push_back(bytes(
        "blobs.cache_bytes", {0, 1 * tib}, "For S3: parts of objects kept on the local disk.",
        [](auto& c) -> auto& { return c.blobs.s3.cache_bytes; }));
    keys.push_back(bytes(
        "blobs.memory_cache_bytes", {0, 1 * tib}, "For S3: parts of objects kept in memory.",
        [](auto& c) -> auto& { return c.blobs.s3.memory_cache_bytes; }));
    keys.push_back(bytes(
        "blobs.object_cache_bytes", {0, 1 * tib}, "For S3: whole objects kept on the local disk.",
        [](auto& c) -> auto& { return c.blobs.s3.object_cache_bytes; }));
    keys.push_back(bytes(
        "blobs.part_bytes", {5 * mib, 5 * gib}, "For S3: larger objects go in parts of this size.",
        [](auto& c) -> auto& { return c.blobs.s3.part_bytes; }));
    keys.push_back(count(
        "blobs.attempts", {1, 100}, "For S3: how often each request is tried.",
        [](auto& c) -> auto& { return c.blobs.s3.attempts; }));
    keys.push_back(duration(
        "blobs.connect_timeout", 100ms, 10min, "For S3.", [](auto& c) -> auto& { return c.blobs.s3.connect_timeout; }));
    keys.push_back(duration(
        "blobs.stall_timeout", 100ms, 1h, "For S3: a transfer that brings nothing for so long has failed.",
        [](auto& c) -> auto& { return c.blobs.s3.stall_timeout; }));
}

void add_signing(std::vector<Setting>& keys) {
    keys.push_back(
        text(
            "signing.secrets_file", "a path", is_anything,
            "The list of secrets: the first signs, all verify. Empty: in the database where it is PostgreSQL, so that "
            "nodes share it; otherwise `signing-secrets` in the data folder. Made on first start.",
            [](auto& c) -> auto& { return c.secrets.file; })
            .path());
    keys.push_back(duration(
        "signing.artifact_url_ttl", 1s, 24h * 7, "How long a signed download address works.",
        [](auto& c) -> auto& { return c.signing.artifact_url_lifetime; }));
    keys.push_back(duration(
        "signing.tile_url_ttl", 1s, 24h * 30, "How long a signed tile address works.",
        [](auto& c) -> auto& { return c.signing.tile_url_lifetime; }));
}

void add_rate_limits(std::vector<Setting>& keys) {
    constexpr Range any{0, 1'000'000'000};
    keys.push_back(flag(
        "rate_limits.enabled", "false lifts all of them.", [](auto& c) -> auto& { return c.rate_limits.enabled; }));
    keys.push_back(duration(
        "rate_limits.window", 1s, 24h, "A window opens with the first request and lasts this long.",
        [](auto& c) -> auto& { return c.rate_limits.window; }));
    keys.push_back(count(
        "rate_limits.plans", any, "GET /v1/plans, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.plans; }));
    keys.push_back(count(
        "rate_limits.account", any, "GET /v1/account, per account.",
        [](auto& c) -> auto& { return c.rate_limits.account; }));
    keys.push_back(count(
        "rate_limits.uploads", any, "POST /v1/assets, per account.",
        [](auto& c) -> auto& { return c.rate_limits.uploads; }));
    keys.push_back(count(
        "rate_limits.job_submissions", any, "POST /v1/jobs, per account.",
        [](auto& c) -> auto& { return c.rate_limits.job_submissions; }));
    keys.push_back(count(
        "rate_limits.job_reads", any, "GET /v1/jobs/{id}, per account.",
        [](auto& c) -> auto& { return c.rate_limits.job_reads; }));
    keys.push_back(count(
        "rate_limits.artifact_reads", any, "GET /v1/artifacts/{id}, per account.",
        [](auto& c) -> auto& { return c.rate_limits.artifact_reads; }));
    keys.push_back(count(
        "rate_limits.downloads", any, "GET /v1/artifacts/{id}/download, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.downloads; }));
    keys.push_back(count(
        "rate_limits.tiles", any, "GET /v1/tilesets/{id}/xyz/…, per account.",
        [](auto& c) -> auto& { return c.rate_limits.tiles; }));
    keys.push_back(count(
        "rate_limits.cdn_tiles", any, "GET /cdn/tilesets/…, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.cdn_tiles; }));
    keys.push_back(count(
        "rate_limits.failed_authentication", any, "Requests refused with 401, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.failed_authentication; }));
    keys.push_back(count(
        "rate_limits.asset_reads", any, "GET /v1/assets and GET /v1/assets/{id}, together per account.",
        [](auto& c) -> auto& { return c.rate_limits.asset_reads; }));
    keys.push_back(count(
        "rate_limits.asset_downloads", any, "GET /v1/assets/{id}/content, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.asset_downloads; }));
    keys.push_back(count(
        "rate_limits.job_lists", any, "GET /v1/jobs, per account.",
        [](auto& c) -> auto& { return c.rate_limits.job_lists; }));
    keys.push_back(count(
        "rate_limits.job_cancellations", any, "POST /v1/jobs/{id}/cancel, per account.",
        [](auto& c) -> auto& { return c.rate_limits.job_cancellations; }));
    keys.push_back(count(
        "rate_limits.tileset_reads", any,
        "GET /v1/tilesets, GET /v1/tilesets/{id} and /tilejson, together per account.",
        [](auto& c) -> auto& { return c.rate_limits.tileset_reads; }));
    keys.push_back(count(
        "rate_limits.deletions", any, "DELETE of assets, artifacts and tilesets, together per account.",
        [](auto& c) -> auto& { return c.rate_limits.deletions; }));
    keys.push_back(count(
        "rate_limits.asset_previews", any,
        "GET /v1/assets/{id}/preview, per account; with a signed address, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.asset_previews; }));
    keys.push_back(count(
        "rate_limits.asset_pictures", any,
        "Pictures of assets (IIIF), per account; with a signed address, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.asset_pictures; }));
    keys.push_back(count(
        "rate_limits.usage_reads", any, "GET /v1/usage, per account.",
        [](auto& c) -> auto& { return c.rate_limits.usage_reads; }));
    keys.push_back(count(
        "rate_limits.operator_sign_ins", any, "Attempts to sign in as an operator, per IP address.",
        [](auto& c) -> auto& { return c.rate_limits.operator_sign_ins; }));
    keys.push_back(count(
        "rate_limits.operator_names", any,
        "The same per name, wherever they come from. Beyond it each IP address has one: nobody can lock others out.",
        [](auto& c) -> auto& { return c.rate_limits.operator_names; }));
    keys.push_back(count(
        "rate_limits.max_subjects", {64, 100'000'000}, "Windows kept in memory, at some 100 bytes each.",
        [](auto& c) -> auto& { return c.rate_limits.max_subjects; }));
}

std::vector<Setting> make_settings() {
    std::vector<Setting> keys;
    keys.push_back(text(
                       "data.dir", "a path", is_not_empty,
                       "The data folder: made when it is not there. Also --data-dir.",
                       [](auto& c) -> auto& { return c.data.dir; })
                       .path());
    add_server(keys);
    keys.push_back(choice(
        "log.level", {"debug", "info", "warning", "error"}, "The least important level that is written.",
        [](auto& c) -> auto& { return c.log.level; }));
    keys.push_back(text(
                       "log.file", "a path", is_anything, "Where the log goes. Empty: standard error.",
                       [](auto& c) -> auto& { return c.log.file; })
                       .path());
    keys.push_back(bytes(
        "log.max_waiting_bytes", {64 * kib, 1024 * mib},
        "Lines that may wait for a slow reader; more are dropped and counted, and the service goes on.",
        [](auto& c) -> auto& { return c.log.max_waiting_bytes; }));
    add_storage(keys);
    add_s3(keys);
    add_signing(keys);
    keys.push_back(text(
                       "plans.file", "a path", is_anything,
                       "A file of plans to apply at start. Empty: the plans built in, on first start.",
                       [](auto& c) -> auto& { return c.plans.file; })
                       .path());
    keys.push_back(duration(
        "keys.recheck_after", 1s, 1h,
        "A key that is in use is looked up again this often at least. A node that lost its database hears of no "
        "revocation: from then on it answers 503.",
        [](auto& c) -> auto& { return c.identity.recheck_after; }));
    add_rate_limits(keys);
    add_waiting(keys);
    add_console(keys);
    add_limits(keys);
    add_storage_limits(keys);
    add_worker(keys);
    add_engine(keys);
    add_tiles(keys);
    add_pictures(keys);
    add_uploads(keys);
    add_webhooks(keys);
    add_traces(keys);
    add_retention(keys);
    return keys;
}

}  // namespace

const std::vector<Setting>& all_settings() {
    static const std::vector<Setting> settings = make_settings();
    return settings;
}

std::span<const SectionNote> all_sections() {
    return sections;
}

log::Level LogConfig::threshold() const {
    if (level == "debug") return log::Level::debug;
    if (level == "warning") return log::Level::warning;
    if (level == "error") return log::Level::error;
    return log::Level::info;
}

}  // namespace tessera::app
