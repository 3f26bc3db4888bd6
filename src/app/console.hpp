// The operators' interface of a node: its use cases, put together over the stores, and its routes.
// Members are in the order of their making; they go in the reverse order.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "app/config/load.hpp"
#include "http/routing/route.hpp"
#include "http/server/server.hpp"
#include "service/access/usage_days.hpp"
#include "service/operators/account_desk.hpp"
#include "service/operators/eraser.hpp"
#include "service/operators/operator_sessions.hpp"
#include "service/operators/overview.hpp"
#include "service/operators/watch_desk.hpp"

namespace tessera::app {

struct ConsoleParts {
    const LoadedConfig& loaded;
    metadata::Store& store;
    blobs::BlobStore& blobs;
    const Clock& clock;
    service::RateLimiter& limiter;
    std::string node;  // what this node is called
};

class Console {
  public:
    explicit Console(const ConsoleParts& parts);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    // All of /console/api, with its OpenAPI document. Nothing where it is not enabled.
    std::vector<http::Route> routes();
    // That document, whether it is enabled or not.
    std::string openapi();
    // Stands before another gate, which has all other routes.
    std::shared_ptr<http::Gate> gate(std::shared_ptr<http::Gate> others);
    // Goes on with erasures that were begun before.
    void start() { eraser_.start(); }
    // Passwords are not compared any more, and no erasure goes on. Safe twice.
    void stop();

  private:
    std::vector<http::Route> work_routes();

    const bool enabled_;
    service::RateLimiter& limiter_;
    service::UsageDays days_;
    service::OperatorSessionService sessions_;
    service::Eraser eraser_;
    service::Overview overview_;
    service::StoredAccountDesk accounts_;
    service::StoredWatchDesk watch_;
};

}  // namespace tessera::app
