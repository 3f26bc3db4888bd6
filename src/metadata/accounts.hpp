// Accounts: the tenants of the service.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/account.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct NewAccount {
    std::string slug;
    std::string display_name;
    std::string plan_code;
    std::string access_source = "admin";
};

class Accounts {
  public:
    virtual ~Accounts() = default;

    // `conflict` when the slug is taken, `not_found` when there is no such plan.
    virtual Result<Account> create(const NewAccount& account) = 0;
    // Puts the account on a plan; the billing periods start anew. `not_found` for an unknown account or plan, and for
    // one that is being erased.
    virtual Result<Account> change_plan(Uuid id, std::string_view plan_code, std::string_view access_source) = 0;

    // Nothing of a suspended account is claimed or served; jobs that run are handed back, at no cost, and wait. The
    // account as it is now; doing it twice changes nothing. `not_found`, or `conflict` where it is being erased.
    virtual Result<Account> suspend(Uuid id) = 0;
    virtual Result<Account> resume(Uuid id) = 0;

    virtual Result<std::optional<Account>> find(Uuid id) = 0;
    virtual Result<std::optional<Account>> find_by_slug(std::string_view slug) = 0;
    virtual Result<std::vector<Account>> all() = 0;  // oldest first
    virtual Result<bool> any() = 0;                  // but those that were erased
};

}  // namespace tessera::metadata
