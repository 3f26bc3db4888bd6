#include "http/api/account_routes.hpp"

#include <atomic>
#include <memory>
#include <utility>

#include "service/access/account_context.hpp"
#include "service/access/plan_catalogue.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

// The plans as JSON, made anew only when the list has changed.
class PlansText {
  public:
    Response answer(const service::PlanList& plans) {
        std::shared_ptr<const Made> made = made_.load();
        if (!made || made->plans != plans) {
            made = std::make_shared<const Made>(Made{plans, plans_json(*plans)});
            made_.store(made);
        }
        const std::string_view text = made->text;
        return Response::bytes("application/json", SharedBytes{std::move(made), text});
    }

  private:
    struct Made {
        service::PlanList plans;
        std::string text;
    };
    std::atomic<std::shared_ptr<const Made>> made_;
};

Route list_plans(service::PlanCatalogue& plans) {
    Route route;
    route.pattern = "/v1/plans";
    route.operation_id = "listPlans";
    route.summary = "List the public plans and their hard limits";
    route.tag = "plans";
    route.limit = LimitRule{service::RateClass::plans, LimitScope::ip};
    route.answers = {{200, "The public plans", "PlanList"}};
    route.failures = {500, 503};
    auto text = std::make_shared<PlansText>();
    route.handler = on_loop_else_pool(
        [&plans, text](const Request&) -> std::optional<Response> {
            if (const service::PlanList list = plans.cached_public_plans()) return text->answer(list);
            return std::nullopt;
        },
        [&plans, text](const Request&) {
            const auto list = plans.public_plans();
            if (list.ok()) return text->answer(*list);
            return Response::from(list.error());
        });
    return route;
}

Route read_account(service::AccountContexts& accounts) {
    Route route;
    route.pattern = "/v1/account";
    route.operation_id = "getAccount";
    route.summary = "Read the account, key, plan, quotas, usage and entitlements of the calling API key";
    route.tag = "account";
    route.auth = Auth::api_key;
    route.permission = Permission::account_read;
    route.limit = LimitRule{service::RateClass::account, LimitScope::account};
    route.answers = {{200, "The account's context", "AccountContext"}};
    route.failures = {500, 503};
    route.handler = on_pool([&accounts](const Request& request) {
        auto context = accounts.read(request.principal);
        if (!context.ok()) return Response::from(std::move(context).error());
        return Response::json(account_json(*context));
    });
    return route;
}

}  // namespace

std::vector<Route> account_routes(service::PlanCatalogue& plans, service::AccountContexts& accounts) {
    std::vector<Route> routes;
    routes.push_back(list_plans(plans));
    routes.push_back(read_account(accounts));
    return routes;
}

}  // namespace tessera::http
