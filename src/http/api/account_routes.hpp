// GET /v1/plans and GET /v1/account.
#pragma once

#include <string>
#include <vector>

#include "http/routing/route.hpp"

namespace tessera {
struct Plan;
}
namespace tessera::service {
class AccountContexts;
class PlanCatalogue;
struct AccountContext;
}  // namespace tessera::service

namespace tessera::http {

// Both outlive the routes.
std::vector<Route> account_routes(service::PlanCatalogue& plans, service::AccountContexts& accounts);

std::string plans_json(const std::vector<Plan>& plans);
std::string account_json(const service::AccountContext& context);

}  // namespace tessera::http
