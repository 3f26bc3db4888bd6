// What an operator who is signed in can look at and do. Answers are the JSON that is shown (shown.hpp); values that
// come from outside are texts as they were sent, and are checked here. Calls block.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "core/result.hpp"
#include "service/access/page.hpp"
#include "service/operators/account_acts.hpp"

namespace tessera::service {

using Shown = boost::json::object;

struct AccountQuery {
    PageRequest page;
    std::string text = {};  // a part of slug or name, or a whole id
    std::optional<std::string_view> state = {};
    std::optional<std::string_view> plan = {};
};

class AccountDesk {
  public:
    virtual ~AccountDesk() = default;

    virtual Result<Shown> list(const AccountQuery& query) = 0;
    virtual Result<Shown> create(const AccountWish& wish) = 0;
    virtual Result<Shown> show(std::string_view id) = 0;
    virtual Result<Shown> suspend(std::string_view id) = 0;
    virtual Result<Shown> resume(std::string_view id) = 0;
    virtual Result<Shown> change_plan(std::string_view id, const std::string& plan) = 0;
    virtual Result<Shown> set_entitlement(std::string_view id, const std::string& feature, bool enabled) = 0;
    // Begins it; the account as it is then.
    virtual Result<Shown> erase(std::string_view id, std::string_view confirm) = 0;
    virtual Result<Shown> keys(std::string_view id) = 0;
    virtual Result<Shown> issue_key(std::string_view id, const KeyWish& wish) = 0;
    virtual Result<Shown> revoke_key(std::string_view key_id) = 0;
    virtual Result<Shown> plans() = 0;
    virtual Result<Shown> roles() = 0;
    virtual Result<Shown> usage(const AccountQuery& query) = 0;
    virtual Result<Shown> usage_by_day(std::string_view id, std::optional<std::string_view> days) = 0;
};

struct DeliveriesQuery {
    PageRequest page;
    std::optional<std::string_view> account_id = {};
    std::optional<std::string_view> endpoint_id = {};
    std::optional<std::string_view> state = {};
};

class WatchDesk {
  public:
    virtual ~WatchDesk() = default;

    virtual Result<Shown> overview() = 0;
    virtual Result<Shown> endpoints(std::optional<std::string_view> account_id) = 0;
    virtual Result<Shown> enable_endpoint(std::string_view id) = 0;
    virtual Result<Shown> disable_endpoint(std::string_view id) = 0;
    virtual Result<Shown> deliveries(const DeliveriesQuery& query) = 0;
    virtual Result<Shown> delivery(std::string_view id) = 0;
    virtual Result<Shown> replay(std::string_view id) = 0;
    virtual Result<Shown> audit(const PageRequest& page, std::optional<std::string_view> account_id) = 0;
    virtual Result<Shown> configuration() = 0;
};

}  // namespace tessera::service
