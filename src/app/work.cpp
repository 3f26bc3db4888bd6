#include "app/work.hpp"

#include <iostream>
#include <memory>

#include "app/backup/restore_mark.hpp"
#include "app/command_failed.hpp"
#include "app/config/load.hpp"
#include "app/heap.hpp"
#include "app/node.hpp"
#include "app/node_metrics.hpp"
#include "app/node_reports.hpp"
#include "app/operational.hpp"
#include "app/shutdown_signals.hpp"
#include "app/stores.hpp"
#include "app/supervisor.hpp"
#include "core/log.hpp"
#include "engine/host/pool.hpp"
#include "http/server/server.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "worker/worker.hpp"

namespace tessera::app {
namespace {

// A node that takes no requests has one address at most, for operators, and few who ask.
http::ServerConfig for_operators(const Config& config) {
    http::ServerConfig server = config.server;
    server.listen.clear();
    server.admin_listen = config.worker.admin_listen;
    server.threads = 1;
    server.blocking_threads = 1;
    return server;
}

// What operators ask, where there is an address for it.
class OperatorsDesk {
  public:
    explicit OperatorsDesk(Node& node)
        : operational_(node),
          numbers_(std::make_shared<NodeMetrics>(node, nullptr, operational_.readiness())),
          server_(for_operators(node.config), {}, operational_.routes(for_operators(node.config)), nullptr) {
        operational_.metrics().add(server_.metrics());
        operational_.metrics().add(numbers_);
        must(server_.start());
    }
    [[nodiscard]] std::vector<std::string> addresses() const { return server_.admin_addresses(); }
    void start_draining() { operational_.start_draining(); }
    void stop() { server_.stop(); }

  private:
    Operational operational_;
    std::shared_ptr<NodeMetrics> numbers_;
    http::Server server_;
};

}  // namespace

int work(const LoadedConfig& loaded) {
    bound_the_heap();
    ShutdownSignals signals;
    DataFolder folder = must(DataFolder::open(loaded.config.data.dir));
    must(folder.lock_for_work());
    must(require_whole(folder));
    Node node(loaded.config, NodeRole::worker, folder);
    must(apply_configured_plans(*node.store, PlansConfig{}));

    std::unique_ptr<OperatorsDesk> desk;
    if (!loaded.config.worker.admin_listen.empty()) desk = std::make_unique<OperatorsDesk>(node);
    node.worker->start();
    node.stacks->start();
    NodeReports reports(node, NodeRole::worker, nullptr);
    reports.start();
    const std::string sandbox = engine::describe(node.engines->protections());
    log::info("worker_started", {{"node", node.scratch.name()}, {"slots", node.worker->slots()}, {"sandbox", sandbox}});
    tell_supervisor_ready();
    std::cout << "Tessera worker, " << node.worker->slots() << " jobs at once\n"
              << "  data     " << folder.path().string() << "\n  sandbox  " << sandbox << "\n";
    if (desk) {
        for (const std::string& address : desk->addresses())
            std::cout << "  metrics  http://" << address << "/metrics\n";
    }
    std::cout << std::flush;

    const int signal = signals.wait([&] { return node.log.reopen(); });
    log::info("stopping", {{"signal", signal}});
    tell_supervisor_stopping();
    if (desk) desk->start_draining();
    reports.stop();
    node.worker->stop();
    node.stacks->stop();
    if (desk) desk->stop();
    node.engines->stop();
    node.stop_traces();
    log::info("stopped", {});
    return 0;
}

}  // namespace tessera::app
