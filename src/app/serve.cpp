#include "app/serve.hpp"

#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>

#include "app/api.hpp"
#include "app/backup/restore_mark.hpp"
#include "app/command_failed.hpp"
#include "app/config/load.hpp"
#include "app/console.hpp"
#include "app/demo_account.hpp"
#include "app/heap.hpp"
#include "app/node.hpp"
#include "app/node_metrics.hpp"
#include "app/node_reports.hpp"
#include "app/operational.hpp"
#include "app/secret_list.hpp"
#include "app/secrets_watch.hpp"
#include "app/shutdown_signals.hpp"
#include "app/start_banner.hpp"
#include "app/stores.hpp"
#include "app/supervisor.hpp"
#include "app/version.hpp"
#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "engine/host/pool.hpp"
#include "http/api/api_gate.hpp"
#include "http/api/job_json.hpp"
#include "http/console/console_routes.hpp"
#include "http/message/address.hpp"
#include "http/metrics/metrics_page.hpp"
#include "http/server/server.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"
#include "service/upkeep/stack_keeper.hpp"
#include "service/upkeep/sweeper.hpp"
#include "webhooks/dispatcher.hpp"
#include "worker/worker.hpp"

namespace tessera::app {
namespace {

// /healthz, /readyz and /metrics go to the second address when there is one, and what operators do to theirs.
struct RouteTables {
    std::vector<http::Route> open;
    std::vector<http::Route> admin;
    http::OperatorSite operators;
};
// The console is at both addresses: customers sign in at one, operators at theirs.
RouteTables tables_of(Api& api, std::vector<http::Route> operational, std::vector<http::Route> operators,
                      const Config& config) {
    RouteTables tables;
    std::vector<http::Route> beside = http::console_routes(http::console_files());
    if (config.server.admin_listen.empty()) {
        std::ranges::move(operational, std::back_inserter(beside));
    } else {
        tables.admin = std::move(operational);
    }
    tables.open = api.routes(std::move(beside));
    if (config.console.operator_listen.empty()) {
        std::ranges::move(operators, std::back_inserter(tables.open));
    } else {
        std::ranges::move(http::console_routes(http::console_files()), std::back_inserter(operators));
        tables.operators = {config.console.operator_listen, std::move(operators)};
    }
    return tables;
}

bool is_open_to_others(const http::ServerConfig& config) {
    return std::ranges::any_of(config.listen, [](const std::string& text) {
        const auto address = http::ListenAddress::parse(text);
        return address && !address->is_loopback();
    });
}

// A demo account has no limits, and its key has been on a screen.
void refuse_a_public_demo(const http::ServerConfig& config, const ServeOptions& options) {
    if (!options.demo || options.public_demo || !is_open_to_others(config)) return;
    throw CommandFailed(ExitCode::usage,
                        "a demo account, which has no limits, is not for other machines: listen on 127.0.0.1, or add "
                        "--public-demo if that is what you want");
}

// Without a public address links name the address that a connection came to, which may be one that clients don't know.
void warn_of_local_links(const Config& config) {
    if (!config.links.public_url.empty() || !is_open_to_others(config.server)) return;
    log::warning("public_url_not_set",
                 {{"meaning",
                   "signed addresses start with the address that each connection came to, or with what a trusted proxy "
                   "says; set server.public_url to what clients call this service"}});
}

// A start that fails leaves an empty folder as it was. Ends before the lock on the folder and after what uses it.
class FreshStart {
  public:
    explicit FreshStart(DataFolder& folder) : folder_(folder), is_fresh_(folder.is_fresh()) {}
    FreshStart(const FreshStart&) = delete;
    FreshStart& operator=(const FreshStart&) = delete;
    ~FreshStart() {
        if (is_fresh_) folder_.take_back();
    }
    void keep() { is_fresh_ = false; }

  private:
    DataFolder& folder_;
    bool is_fresh_;
};

// Larger options are not sent again to whoever sent them: messages stay small.
constexpr std::size_t most_options_in_message = 8 << 10;

webhooks::JobText job_text_of(service::JobService& jobs) {
    return [&jobs](const Uuid& account_id, const Uuid& job_id) -> Result<std::optional<std::string>> {
        auto view = jobs.for_message(account_id, job_id);
        if (!view) return std::move(view).error();
        if (!*view) return std::optional<std::string>();
        if ((*view)->job.options_json.size() > most_options_in_message) (*view)->job.options_json = "{}";
        return std::optional(http::to_json(**view));
    };
}

std::string plan_to_offer(metadata::Store& store) {
    return must(store.accounts().any()) ? "" : must(plan_for_first_account(store));
}

}  // namespace

int serve(const LoadedConfig& loaded, const ServeOptions& options) {
    bound_the_heap();
    const Config& config = loaded.config;
    refuse_a_public_demo(config.server, options);
    ShutdownSignals signals;
    DataFolder folder = must(DataFolder::open(config.data.dir));
    must(folder.lock_for_serving());
    must(require_whole(folder));
    FreshStart fresh(folder);
    Node node(config, config.run_worker ? NodeRole::both : NodeRole::api, folder);

    must(apply_configured_plans(*node.store, config.plans));
    const auto secret_list = open_secret_list(config.secrets, folder, *node.store, node.clock);
    const auto secrets = in_order_of_use(must(secret_list->read_or_make()), node.clock.now());

    Api api({.config = config,
             .store = *node.store,
             .blobs = *node.blobs,
             .prober = *node.engines,
             .previewer = *node.engines,
             .cutter = *node.engines,
             .clock = node.clock,
             .secrets = texts_of(secrets),
             .disk = disk_floor(config, folder)});
    const SecretsWatch secrets_watch(*secret_list, secrets, node.clock,
                                     [&](const auto& texts) { api.signer.use(texts); });
    webhooks::Dispatcher outbox(*node.store, job_text_of(api.jobs), config.webhooks,
                                {.node = node.scratch.name(), .version = version}, node.tracer.get());
    service::Sweeper sweeper(*node.store, *node.blobs, node.clock, config.retention);

    Operational operational(node);
    Console console({.loaded = loaded,
                     .store = *node.store,
                     .blobs = *node.blobs,
                     .clock = node.clock,
                     .limiter = api.limiter,
                     .node = node.scratch.name()});
    RouteTables tables = tables_of(api, operational.routes(config.server), console.routes(), config);
    http::Server server(config.server, std::move(tables.open), std::move(tables.admin),
                        console.gate(std::make_shared<http::ApiGate>(api.authenticator, api.limiter)),
                        std::move(tables.operators), node.tracer.get());
    NodeReports reports(node, config.run_worker ? NodeRole::both : NodeRole::api, server.metrics());
    const auto node_metrics = std::make_shared<NodeMetrics>(node, &api, operational.readiness(), &outbox.meters());
    operational.metrics().add(server.metrics());
    operational.metrics().add(node_metrics);

    if (config.webhooks.enabled) outbox.start();
    if (node.worker) node.worker->start();
    if (node.stacks) node.stacks->start();
    sweeper.start();
    console.start();
    api.meter.start();
    api.key_uses.start();
    if (api.rates) api.rates->start();
    must(server.listen());
    // Its key is shown once: it is not made before it is sure that it will be.
    std::optional<DemoAccount> demo;
    std::optional<DemoOperator> demo_operator;
    if (options.demo) demo = must(make_demo_account(*node.store));
    if (options.demo && config.console.enabled) demo_operator = must(make_demo_operator(*node.store));
    warn_of_local_links(config);
    for (const std::string& what : loaded.raised) log::warning("setting_raised", {{"meaning", what}});
    const std::string sandbox = engine::describe(node.engines->protections());
    // Who connects from here on is answered; who has an answer can read this.
    std::cout << StartBanner{.admin = options.admin_command,
                             .has_console = !http::console_files().empty(),
                             .addresses = server.addresses(),
                             .admin_addresses = server.admin_addresses(),
                             .operator_addresses = server.operator_addresses(),
                             .data_folder = folder.path().string(),
                             .database = config.metadata.url == "sqlite" ? folder.database().string() : "PostgreSQL",
                             .blobs = config.blobs.url == "file" ? "files in the data folder" : config.blobs.url,
                             .sandbox = sandbox,
                             .worker_slots = node.worker ? node.worker->slots() : 0,
                             .demo = demo,
                             .demo_operator = demo_operator,
                             .plan_for_first_account = plan_to_offer(*node.store)}
                     .text()
              << std::flush;

    must(server.start());
    reports.start();
    fresh.keep();
    tell_supervisor_ready();
    log::info("started", {{"node", node.scratch.name()}, {"listen", server.addresses().front()}, {"sandbox", sandbox}});

    const int signal = signals.wait([&] { return node.log.reopen(); });
    log::info("stopping", {{"signal", signal}});
    tell_supervisor_stopping();
    operational.start_draining();
    reports.stop();
    server.stop([&] {  // the time for what is in flight is over
        console.stop();
        api.uploads.refuse_waiting();
        node.engines->refuse_probes();
    });
    console.stop();
    if (node.worker) node.worker->stop();
    if (node.stacks) node.stacks->stop();
    outbox.stop();
    api.meter.stop();
    api.key_uses.stop();
    if (api.rates) api.rates->stop();
    sweeper.stop();
    node.engines->stop();
    node.stop_traces();
    log::info("stopped", {});
    return 0;
}

}  // namespace tessera::app
