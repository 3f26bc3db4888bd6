#include "app/console.hpp"

#include <iterator>

#include "app/config/print.hpp"
#include "app/version.hpp"
#include "http/operators/account_admin_routes.hpp"
#include "http/operators/gate.hpp"
#include "http/operators/openapi.hpp"
#include "http/operators/session_routes.hpp"
#include "http/operators/watch_routes.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

service::ThisService about(const ConsoleParts& parts) {
    const Config& config = parts.loaded.config;
    return {.node = parts.node,
            .version = version,
            .database = config.metadata.url.starts_with("sqlite") ? "sqlite" : "postgresql",
            .blobs = config.blobs.url.starts_with("file") ? "file" : "s3"};
}

}  // namespace

Console::Console(const ConsoleParts& parts)
    : enabled_(parts.loaded.config.console.enabled),
      limiter_(parts.limiter),
      days_(parts.store.daily_use(), parts.clock),
      sessions_(parts.store.operators(), parts.limiter, parts.loaded.config.console),
      eraser_(parts.store, parts.blobs),
      overview_(parts.store, days_, parts.clock, about(parts)),
      accounts_(parts.store, eraser_, days_, parts.clock, parts.loaded.config.storage),
      watch_(parts.store, overview_, [&loaded = parts.loaded] { return config_as_list(loaded); }) {}

std::vector<http::Route> Console::work_routes() {
    std::vector<http::Route> all;
    for (auto& some :
         {http::session_routes(sessions_), http::account_admin_routes(accounts_), http::watch_routes(watch_)}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    return all;
}

std::vector<http::Route> Console::routes() {
    if (!enabled_) return {};
    auto all = work_routes();
    http::add_operator_openapi_route(all, version);
    return all;
}

std::string Console::openapi() {
    auto all = work_routes();
    return http::add_operator_openapi_route(all, version);
}

std::shared_ptr<http::Gate> Console::gate(std::shared_ptr<http::Gate> others) {
    return std::make_shared<http::OperatorGate>(sessions_, limiter_, std::move(others));
}

void Console::stop() {
    sessions_.stop();
    eraser_.stop();
}

}  // namespace tessera::app
