#include "app/console.hpp"

#include <iterator>

#include "app/config/print.hpp"
#include "app/version.hpp"
#include "http/console/account_admin_routes.hpp"
#include "http/console/console_gate.hpp"
#include "http/console/console_openapi.hpp"
#include "http/console/session_routes.hpp"
#include "http/console/watch_routes.hpp"
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

std::vector<http::Route> Console::routes() {
    std::vector<http::Route> all;
    if (!enabled_) return all;
    for (auto& some :
         {http::session_routes(sessions_), http::account_admin_routes(accounts_), http::watch_routes(watch_)}) {
        all.insert(all.end(), some.begin(), some.end());
    }
    http::add_console_openapi_route(all, version);
    return all;
}

std::shared_ptr<http::Gate> Console::gate(std::shared_ptr<http::Gate> others) {
    return std::make_shared<http::ConsoleGate>(sessions_, limiter_, std::move(others));
}

void Console::stop() {
    sessions_.stop();
    eraser_.stop();
}

}  // namespace tessera::app
