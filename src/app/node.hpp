// What every node is made of, whatever it does: a data folder, a log, the stores, the engines and perhaps a worker.
// Members are in the order of their making; they go in the reverse order.
#pragma once

#include <memory>
#include <optional>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/log_writer.hpp"
#include "app/scratch_root.hpp"
#include "core/clock.hpp"
#include "operations/registry.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::engine {
class Pool;
}
namespace tessera::metadata {
class Store;
class Subscription;
}  // namespace tessera::metadata
namespace tessera::service {
class Readiness;
class StackKeeper;
}  // namespace tessera::service
namespace tessera::telemetry {
class Tracer;
}
namespace tessera::worker {
class Worker;
}

namespace tessera::app {

// Until it ends, log lines go where the configuration says and never make their writer wait.
class LogToWriter {
  public:
    explicit LogToWriter(const LogConfig& config);
    ~LogToWriter();
    LogToWriter(const LogToWriter&) = delete;
    LogToWriter& operator=(const LogToWriter&) = delete;

    bool reopen() const { return writer_->reopen(); }
    [[nodiscard]] std::uint64_t lines_dropped() const { return writer_->dropped(); }

  private:
    std::unique_ptr<LogWriter> writer_;
};

enum class NodeRole { api, worker, both };

class Node {
  public:
    // Throws CommandFailed when a part can't be had.
    Node(const Config& config, NodeRole role, DataFolder& folder);
    ~Node();
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;

    // Sends the spans that wait, within bounds: when all that make any have stopped.
    void stop_traces();
    void add_probes(service::Readiness& readiness);

    const Config& config;
    const SystemClock clock;
    const LogToWriter log;
    DataFolder& folder;
    const std::unique_ptr<metadata::Store> store;
    const std::unique_ptr<blobs::BlobStore> blobs;
    const std::unique_ptr<metadata::Subscription> erasures;  // empties caches of accounts that were erased
    const ScratchRoot scratch;
    const std::unique_ptr<telemetry::Tracer> tracer;  // null where no traces are sent
    const std::unique_ptr<engine::Pool> engines;
    const operations::Registry operations;
    // Null on an API node; not started yet.
    const std::unique_ptr<worker::Worker> worker;
    const std::unique_ptr<service::StackKeeper> stacks;
};

}  // namespace tessera::app
