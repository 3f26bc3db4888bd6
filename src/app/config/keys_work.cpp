// The keys of the parts that work on images.
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

}  // namespace

void add_limits(std::vector<Setting>& keys) {
    constexpr Range any{1, 1'000'000'000'000};
    keys.push_back(count(
        "limits.max_input_megapixels", any,
        "Megapixels of a source image, also at the size that it grows to before it is cut.",
        [](auto& c) -> auto& { return c.limits.max_input_megapixels; }));
    keys.push_back(count(
        "limits.max_output_megapixels", any, "Megapixels of a rendered picture.",
        [](auto& c) -> auto& { return c.limits.max_output_megapixels; }));
    keys.push_back(count(
        "limits.max_canvas_megapixels", any, "Megapixels of a picture that exists as tiles only.",
        [](auto& c) -> auto& { return c.limits.max_canvas_megapixels; }));
    keys.push_back(count(
        "limits.max_tiles_per_job", any, "Tiles that one job may make.",
        [](auto& c) -> auto& { return c.limits.max_tiles_per_job; }));
    keys.push_back(count(
        "limits.max_sources_per_job", {1, 100'000}, "Assets that one job may name.",
        [](auto& c) -> auto& { return c.limits.max_sources_per_job; }));
    keys.push_back(bytes(
        "limits.max_artifact_bytes_per_job", {1 * kib, 1024 * tib}, "Bytes of all artifacts of one job.",
        [](auto& c) -> auto& { return c.worker.max_artifact_bytes; }));
    keys.push_back(count(
        "limits.heavy_megapixels", any,
        "A job over this is heavy: it leaves a slot to light ones where there are two or more.",
        [](auto& c) -> auto& { return c.limits.heavy_megapixels; }));
}

void add_storage_limits(std::vector<Setting>& keys) {
    keys.push_back(bytes(
        "storage.max_account_bytes", {1 * kib, 1024 * tib},
        "Bytes that one account may keep, whatever its plan allows; more uploads and jobs get 429 "
        "`storage_limit_exceeded`.",
        [](auto& c) -> auto& { return c.storage.max_account_bytes; }));
    keys.push_back(count(
        "storage.max_account_assets", {1, 1'000'000'000'000},
        "Assets that one account may keep, whatever its plan allows.",
        [](auto& c) -> auto& { return c.storage.max_account_assets; }));
    keys.push_back(bytes(
        "storage.min_free_bytes", {0, 1024 * tib},
        "While a disk that this node writes to has less left, uploads get 503 and no jobs are claimed. 0: no floor.",
        [](auto& c) -> auto& { return c.storage.min_free_bytes; }));
}

void add_worker(std::vector<Setting>& keys) {
    keys.push_back(flag(
        "worker.enabled", "false: `tessera serve` only takes requests; workers run elsewhere. Also --workers 0.",
        [](auto& c) -> auto& { return c.run_worker; }));
    keys.push_back(count(
        "worker.slots", {0, 1024}, "Jobs that run at once. 0: one per core. Also --workers N.",
        [](auto& c) -> auto& { return c.worker.slots; }));
    keys.push_back(list_of(
        "worker.admin_listen", "addresses such as 127.0.0.1:9091", is_listen_address, true,
        "Where `tessera worker` serves /metrics, /healthz and /readyz. Empty: nowhere.",
        [](auto& c) -> auto& { return c.worker.admin_listen; }));
    keys.push_back(duration(
        "worker.lease", 1s, 1h, "A worker that is silent this long has lost its jobs to others.",
        [](auto& c) -> auto& { return c.worker.lease; }));
    keys.push_back(duration(
        "worker.job_deadline", 1s, 24h, "The longest that a job may run; then it fails with `timeout`.",
        [](auto& c) -> auto& { return c.worker.job_deadline; }));
    keys.push_back(duration(
        "worker.grace", 0ms, 1h, "Time for running jobs when the service stops; then they are handed back.",
        [](auto& c) -> auto& { return c.worker.grace; }));
    keys.push_back(duration(
        "worker.retry_base", 1ms, 1h, "The wait before a second attempt; it doubles with each further one.",
        [](auto& c) -> auto& { return c.worker.retry_base; }));
    keys.push_back(duration(
        "worker.retry_longest", 1ms, 24h, "The longest wait between attempts.",
        [](auto& c) -> auto& { return c.worker.retry_longest; }));
    keys.push_back(duration(
        "worker.progress_interval", 10ms, 1h, "How often a running job's progress is written at most.",
        [](auto& c) -> auto& { return c.worker.progress_interval; }));
    keys.push_back(duration(
        "worker.safety_poll", 100ms, 1h, "Workers are woken by a signal; this is for a signal that got lost.",
        [](auto& c) -> auto& { return c.worker.safety_poll; }));
}

void add_engine(std::vector<Setting>& keys) {
    keys.push_back(count(
        "engine.probe_engines", {1, 256},
        "Engines that read the headers of uploads, and nothing else. One account uses all but one of them at most.",
        [](auto& c) -> auto& { return c.engine.probe_engines; }));
    keys.push_back(count(
        "engine.preview_engines", {1, 64},
        "Engines that make previews of assets and cut pictures from tiles and assets, in fair turns of accounts. They "
        "are started when they are needed.",
        [](auto& c) -> auto& { return c.engine.preview_engines; }));
    keys.push_back(count(
        "engine.max_waiting_probes", {1, 100'000},
        "Uploads of one account that may wait for such an engine; more get 429.",
        [](auto& c) -> auto& { return c.engine.max_waiting_probes; }));
    keys.push_back(count(
        "engine.threads_per_job", {1, 256}, "Threads that one job may use for pixels.",
        [](auto& c) -> auto& { return c.engine.threads_per_job; }));
    keys.push_back(flag(
        "engine.lend_idle_slots",
        "A job that makes tiles and starts while other slots are idle uses their threads, too, at a priority that "
        "gives "
        "way to other work.",
        [](auto& c) -> auto& { return c.engine.lend_idle_slots; }));
    keys.push_back(bytes(
        "engine.memory_limit_bytes", {64 * mib, 1 * tib},
        "Memory of one engine; a job that needs more fails with "
        "`resource_exhausted`.",
        [](auto& c) -> auto& { return c.engine.memory_limit_bytes; }));
    keys.push_back(flag(
        "engine.share_between_accounts",
        "true: an engine may work for one account after another with the same memory, which is for servers with one "
        "tenant.",
        [](auto& c) -> auto& { return c.engine.share_between_accounts; }));
    keys.push_back(count(
        "engine.kept_engines", {0, 10'000},
        "Idle engines that are kept for a minute for the next task of their account, beside one for each slot; one for "
        "each 64 descriptors allowed at most.",
        [](auto& c) -> auto& { return c.engine.kept_engines; }));
    keys.push_back(count(
        "engine.recycle_after_tasks", {1, 1'000'000'000}, "An engine is replaced after this many tasks.",
        [](auto& c) -> auto& { return c.engine.recycle_after_tasks; }));
    keys.push_back(bytes(
        "engine.recycle_above_bytes", {16 * mib, 1 * tib}, "An engine that holds more between tasks is replaced.",
        [](auto& c) -> auto& { return c.engine.recycle_above_bytes; }));
    keys.push_back(duration(
        "engine.recycle_when_idle", 1s, 24h * 30, "An engine that was used and then idles this long is replaced.",
        [](auto& c) -> auto& { return c.engine.recycle_when_idle; }));
    keys.push_back(duration(
        "engine.probe_deadline", 100ms, 10min,
        "How long a probe may take by the clock on the wall; past it, the upload is refused with 503.",
        [](auto& c) -> auto& { return c.engine.probe_deadline; }));
    keys.push_back(duration(
        "engine.probe_processor_time", 1s, 10min,
        "Processor time that a probe may use, in whole seconds; an image that needs more to read its header is refused "
        "with 415.",
        [](auto& c) -> auto& { return c.engine.probe_processor_time; }));
    keys.push_back(duration(
        "engine.start_deadline", 100ms, 10min, "The longest that an engine may take to start.",
        [](auto& c) -> auto& { return c.engine.start_deadline; }));
    keys.push_back(duration(
        "engine.max_wait", 100ms, 1h, "The longest that an upload waits for an engine; then it gets 503.",
        [](auto& c) -> auto& { return c.engine.max_wait; }));
    keys.push_back(flag(
        "sandbox.required", "Refuse to start where the kernel lacks a part of the sandbox.",
        [](auto& c) -> auto& { return c.engine.sandbox.required; }));
    keys.push_back(count(
        "sandbox.uid_base", {1, 4'000'000'000}, "Started as root, engine n runs as user and group uid_base + n.",
        [](auto& c) -> auto& { return c.engine.sandbox.uid_base; }));
}

void add_pictures(std::vector<Setting>& keys) {
    keys.push_back(bytes(
        "pictures.cache_bytes", {0, 1 * tib}, "Pictures kept in memory that were cut for IIIF and Deep Zoom.",
        [](auto& c) -> auto& { return c.pictures.cache_bytes; }));
    keys.push_back(count(
        "pictures.max_asset_megapixels", {1, 1'000'000},
        "An asset over this is not shown in parts (IIIF), since each of them is decoded from its file: tile it first.",
        [](auto& c) -> auto& { return c.pictures.max_asset_megapixels; }));
}

void add_uploads(std::vector<Setting>& keys) {
    keys.push_back(bytes(
        "uploads.preview_cache_bytes", {0, 1 * tib}, "Previews of assets kept in memory.",
        [](auto& c) -> auto& { return c.previews.cache_bytes; }));
    keys.push_back(bytes(
        "uploads.max_bytes", {1 * kib, 1024 * tib}, "The largest upload, whatever a plan allows.",
        [](auto& c) -> auto& { return c.uploads.max_bytes; }));
    keys.push_back(flag(
        "scanning.enabled", "Have clamd look at every upload; when it can't, uploads get 503.",
        [](auto& c) -> auto& { return c.scanning.enabled; }));
    keys.push_back(text(
                       "scanning.address", "unix:PATH or HOST:PORT", is_not_empty, "Where clamd listens.",
                       [](auto& c) -> auto& { return c.scanning.address; })
                       .path("unix:"));
    keys.push_back(duration(
        "scanning.timeout", 100ms, 1h, "For one file, from connecting to the verdict.",
        [](auto& c) -> auto& { return c.scanning.timeout; }));
    keys.push_back(count(
        "scanning.at_once", {1, 1'000},
        "Files that clamd is given at the same time, which its `MaxThreads` should allow; one account has half of them "
        "at "
        "most.",
        [](auto& c) -> auto& { return c.scanning.at_once; }));
}

void add_retention(std::vector<Setting>& keys) {
    keys.push_back(duration(
        "retention.interval", 100ms, 24h, "How often the node that sweeps does so.",
        [](auto& c) -> auto& { return c.retention.interval; }));
    keys.push_back(count(
        "retention.batch", {1, 100'000}, "Rows or blobs that one step removes.",
        [](auto& c) -> auto& { return c.retention.batch; }));
    keys.push_back(duration(
        "retention.ended_jobs", 1s, 24h * 3650, "How long an ended job without artifacts stays readable.",
        [](auto& c) -> auto& { return c.retention.ended_jobs; }));
    keys.push_back(duration(
        "retention.daily_usage", 24h * 90, 24h * 3650, "How long what accounts used is known by day.",
        [](auto& c) -> auto& { return c.retention.daily_usage; }));
    keys.push_back(duration(
        "retention.keep_old_versions", 0ms, 24h * 3650,
        "How long a tileset version stays after it was replaced. Raised to signing.tile_url_ttl where that is longer, "
        "which `tessera config print` and the log tell.",
        [](auto& c) -> auto& { return c.retention.keep_old_versions; }));
    keys.push_back(duration(
        "retention.keep_blobs", 0ms, 24h * 365, "How long bytes stay after nothing names them.",
        [](auto& c) -> auto& { return c.retention.keep_blobs; }));
    keys.push_back(duration(
        "retention.orphan_scan_interval", 1s, 24h * 365, "How often all blobs are compared with the rows.",
        [](auto& c) -> auto& { return c.retention.orphan_scan_interval; }));
    keys.push_back(duration(
        "retention.orphan_age", 1s, 24h * 365, "Younger blobs may belong to work that is under way.",
        [](auto& c) -> auto& { return c.retention.orphan_age; }));
}

void add_tiles(std::vector<Setting>& keys) {
    keys.push_back(count(
        "tiles.max_open_archives", {1, 1'000'000},
        "Archives kept open for reading, and a quarter of the descriptors allowed at most. More are closed, least "
        "recently used first.",
        [](auto& c) -> auto& { return c.tiles.max_open_archives; }));
    keys.push_back(count(
        "tiles.max_layers", {2, 400}, "Versions of more archives than this are folded in the background.",
        [](auto& c) -> auto& { return c.tiles.stacks.max_layers; }));
    keys.push_back(duration(
        "tiles.fold_interval", 100ms, 24h,
        "How often to look for long stacks. Versions made by this node are looked at at once.",
        [](auto& c) -> auto& { return c.tiles.stacks.fold_interval; }));
}

}  // namespace tessera::app
