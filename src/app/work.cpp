#include "app/work.hpp"

#include <iostream>

#include "app/command_failed.hpp"
#include "app/config/load.hpp"
#include "app/heap.hpp"
#include "app/node.hpp"
#include "app/shutdown_signals.hpp"
#include "app/stores.hpp"
#include "core/log.hpp"
#include "engine/pool.hpp"
#include "service/stack_keeper.hpp"
#include "worker/worker.hpp"

namespace tessera::app {

int work(const LoadedConfig& loaded) {
    bound_the_heap();
    ShutdownSignals signals;
    DataFolder folder = must(DataFolder::open(loaded.config.data.dir));
    must(folder.lock_for_work());
    Node node(loaded.config, Role::worker, folder);
    must(apply_configured_plans(*node.store, PlansConfig{}));

    node.worker->start();
    node.stacks->start();
    const std::string sandbox = engine::describe(node.engines->protections());
    log::info("worker_started", {{"node", node.scratch.name()}, {"slots", node.worker->slots()}, {"sandbox", sandbox}});
    std::cout << "Tessera worker, " << node.worker->slots() << " jobs at once\n"
              << "  data     " << folder.path().string() << "\n  sandbox  " << sandbox << std::endl;

    const int signal = signals.wait();
    log::info("stopping", {{"signal", signal}});
    node.worker->stop();
    node.stacks->stop();
    node.engines->stop();
    log::info("stopped", {});
    return 0;
}

}  // namespace tessera::app
