#include "app/node.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "app/command_failed.hpp"
#include "app/stores.hpp"
#include "app/version.hpp"
#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "engine/host/pool.hpp"
#include "engine/sandbox/sandbox.hpp"
#include "metadata/nodes.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "metadata/webhooks.hpp"
#include "service/upkeep/readiness.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "telemetry/tracer.hpp"
#include "worker/worker.hpp"

namespace tessera::app {
namespace {

worker::WorkerConfig worker_config(const Config& config, const DataFolder& folder) {
    worker::WorkerConfig worker = config.worker;
    worker.max_input_megapixels = config.limits.max_input_megapixels;
    worker.max_output_megapixels = config.limits.max_output_megapixels;
    worker.disk = disk_floor(config, folder);
    return worker;
}

int slots_of(const Config& config) {
    return config.worker.slots > 0 ? config.worker.slots
                                   : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

// Nobody renews the leases of a node that died: its jobs are for whoever claims next, and not in half a minute.
Result<void> end_leases(metadata::Store& store, std::span<const std::string> dead_nodes) {
    const Result<int> ended = store.queue().end_leases_of(dead_nodes);
    if (!ended) return ended.error();
    if (const auto sent = store.webhooks().end_claims_of(dead_nodes); !sent) return sent.error();
    for (const std::string& name : dead_nodes) {
        if (const auto left = store.nodes().leave(name); !left) return left.error();
    }
    log::info("dead_nodes_found", {{"nodes", dead_nodes.size()}, {"leases", *ended}});
    return {};
}

// Idle engines take five descriptors each, in two lanes: where there are few, most are for others.
int kept_engines(const Config& config) {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return config.engine.kept_engines;
    const auto most = static_cast<int>(std::min<rlim_t>(limit.rlim_max / 64, 1'000'000));
    return std::min(config.engine.kept_engines, most);
}

std::unique_ptr<engine::Pool> start_engines(const Config& config, NodeRole role, const ScratchRoot& scratch) {
    engine::PoolConfig pool = config.engine;
    pool.scratch_root = scratch.path();
    pool.kept_engines = kept_engines(config);
    pool.job_engines = role == NodeRole::api ? 0 : slots_of(config);
    pool.probe_engines = role == NodeRole::worker ? 0 : config.engine.probe_engines;
    pool.preview_engines = role == NodeRole::worker ? 0 : config.engine.preview_engines;
    return must(engine::Pool::start(std::move(pool)));
}

// Engines work with what they have; whoever runs them should not have to find out by comparing lists.
void warn_of_missing_protections(const engine::Pool& engines) {
    std::string parts;
    for (const engine::Protection& part : engine::missed(engines.protections()))
        parts += (parts.empty() ? "" : ", ") + part.name + " (" + part.note + ")";
    if (parts.empty()) return;
    log::warning("sandbox_incomplete",
                 {{"missing", parts},
                  {"meaning",
                   "engines run with less protection than this program can give them; docs/sandbox.md says "
                   "what each part takes, sandbox.required = true refuses to start without"}});
}

std::unique_ptr<metadata::Subscription> forget_erased(metadata::Store& store, blobs::BlobStore& blobs) {
    return store.on_change([&blobs](const metadata::Change& change) {
        if (change.kind != metadata::Change::Kind::erased_account) return;
        for (const char* area : {"assets/", "artifacts/", "tilesets/"})
            blobs.forget_cached(area + change.id.to_string() + "/");
    });
}

std::unique_ptr<telemetry::Tracer> start_traces(const Config& config, const ScratchRoot& scratch) {
    if (config.traces.endpoint.empty()) return nullptr;
    auto tracer = std::make_unique<telemetry::Tracer>(config.traces, scratch.name(), version);
    tracer->start();
    return tracer;
}

}  // namespace

LogToWriter::LogToWriter(const LogConfig& config) {
    const auto most = static_cast<std::size_t>(config.max_waiting_bytes);
    writer_ = config.file.empty() ? std::make_unique<LogWriter>(STDERR_FILENO, most)
                                  : must(LogWriter::to_file(config.file, most));
    log::set_sink([writer = writer_.get()](log::Level level, std::string_view line) { writer->write(level, line); },
                  config.threshold());
}

LogToWriter::~LogToWriter() {
    log::set_sink({}, log::Level::info);
}

Node::Node(const Config& configuration, NodeRole role, DataFolder& data_folder)
    : config(configuration),
      log(configuration.log),
      folder(data_folder),
      store(must(open_metadata(config, folder, clock))),
      blobs(must(open_blobs(config, folder))),
      erasures(forget_erased(*store, *blobs)),
      scratch(must(ScratchRoot::make(folder.scratch(), [this](auto dead) { return end_leases(*store, dead); }))),
      tracer(start_traces(config, scratch)),
      engines(start_engines(config, role, scratch)),
      operations(operations::Registry::built_in()),
      worker(role == NodeRole::api
                 ? nullptr
                 : std::make_unique<worker::Worker>(*store, *blobs, *engines, operations, clock,
                                                    worker_config(config, folder), scratch.name(), tracer.get())),
      stacks(role == NodeRole::api
                 ? nullptr
                 : std::make_unique<service::StackKeeper>(*store, *blobs, scratch.path(), config.tiles.stacks)) {
    warn_of_missing_protections(*engines);
}

Node::~Node() = default;

void Node::stop_traces() {
    if (tracer) tracer->stop();
}

void Node::add_probes(service::Readiness& readiness) {
    readiness.add("database", [this] { return store->check(); });
    readiness.add("blobs", [this] { return blobs->check(); });
    readiness.add("engine", [this]() -> Result<void> {
        if (engines->ready()) return {};
        return internal_error("no engine can be started");
    });
}

}  // namespace tessera::app
