// The desk for what goes on: overview, webhooks, the audit trail, the configuration.
#pragma once

#include <boost/json/array.hpp>
#include <functional>

#include "service/operators/desk.hpp"
#include "service/operators/overview.hpp"

namespace tessera::service {

class StoredWatchDesk final : public WatchDesk {
  public:
    // `settings` are those in force, with secrets hidden.
    StoredWatchDesk(metadata::Store& store, Overview& overview, std::function<boost::json::array()> settings)
        : store_(store), overview_(overview), settings_(std::move(settings)) {}

    Result<Shown> overview() override { return overview_.read(); }
    Result<Shown> endpoints(std::optional<std::string_view> account_id) override;
    Result<Shown> enable_endpoint(std::string_view id) override;
    Result<Shown> disable_endpoint(std::string_view id) override;
    Result<Shown> deliveries(const DeliveriesQuery& query) override;
    Result<Shown> delivery(std::string_view id) override;
    Result<Shown> replay(std::string_view id) override;
    Result<Shown> audit(const PageRequest& page, std::optional<std::string_view> account_id) override;
    Result<Shown> configuration() override { return Shown{{"settings", settings_()}}; }

  private:
    metadata::Store& store_;
    Overview& overview_;
    const std::function<boost::json::array()> settings_;
};

}  // namespace tessera::service
