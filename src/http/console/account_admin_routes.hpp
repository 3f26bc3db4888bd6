// The operators' routes of accounts, keys, plans, roles and use.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::service {
class AccountDesk;
}

namespace tessera::http {

// `desk` outlives the routes.
std::vector<Route> account_admin_routes(service::AccountDesk& desk);

}  // namespace tessera::http
