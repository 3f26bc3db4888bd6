#include "http/operators/account_admin_routes.hpp"

#include <utility>

#include "http/api/list_query.hpp"
#include "http/operators/json_body.hpp"
#include "http/operators/route.hpp"
#include "service/operators/desk.hpp"

namespace tessera::http {
namespace {

using service::AccountDesk;
using service::Shown;

Result<service::AccountQuery> query_of(const Request& request, const std::vector<std::string>& known) {
    const auto query = ListQuery::parse_encoded(request, known);
    if (!query) return query.error();
    service::AccountQuery wanted{.page = {query->get("limit"), query->get("cursor")},
                                 .text = request.query_parameter("q").value_or(""),
                                 .state = query->get("state"),
                                 .plan = query->get("plan")};
    return wanted;
}

Result<Shown> create(AccountDesk& desk, const Request& request) {
    const auto body = JsonBody::parse(request, {"slug", "display_name", "plan"});
    if (!body) return body.error();
    auto slug = body->text("slug");
    if (!slug) return std::move(slug).error();
    auto display_name = body->text("display_name");
    if (!display_name) return std::move(display_name).error();
    auto plan = body->text("plan");
    if (!plan) return std::move(plan).error();
    return desk.create({.slug = std::move(*slug), .display_name = std::move(*display_name), .plan = std::move(*plan)});
}

Result<Shown> change_plan(AccountDesk& desk, const Request& request) {
    const auto body = JsonBody::parse(request, {"plan"});
    if (!body) return body.error();
    const auto plan = body->text("plan");
    if (!plan) return plan.error();
    return desk.change_plan(request.parameter("id"), *plan);
}

Result<Shown> set_entitlement(AccountDesk& desk, const Request& request) {
    const auto body = JsonBody::parse(request, {"enabled"});
    if (!body) return body.error();
    const auto enabled = body->flag("enabled");
    if (!enabled) return enabled.error();
    return desk.set_entitlement(request.parameter("id"), std::string(request.parameter("feature")), *enabled);
}

Result<Shown> erase(AccountDesk& desk, const Request& request) {
    const auto body = JsonBody::parse(request, {"confirm"});
    if (!body) return body.error();
    const auto confirm = body->text("confirm");
    if (!confirm) return confirm.error();
    return desk.erase(request.parameter("id"), *confirm);
}

Result<Shown> issue_key(AccountDesk& desk, const Request& request) {
    const auto body = JsonBody::parse(request, {"name", "role_code", "expires_at", "networks"});
    if (!body) return body.error();
    service::KeyWish wish;
    auto name = body->text("name");
    if (!name) return std::move(name).error();
    wish.name = std::move(*name);
    auto role = body->optional_text("role_code");
    if (!role) return std::move(role).error();
    if (*role) wish.role_code = *std::move(*role);
    const auto expires_at = body->optional_time("expires_at");
    if (!expires_at) return expires_at.error();
    wish.expires_at = *expires_at;
    auto networks = body->texts("networks");
    if (!networks) return std::move(networks).error();
    wish.networks = std::move(*networks);
    return desk.issue_key(request.parameter("id"), wish);
}

Route list_route(AccountDesk& desk) {
    Route route =
        operator_route(Method::get, "/accounts", "listAccounts", "List accounts, newest first, or search", "accounts");
    route.parameters = {"limit", "cursor", "q", "state:accounts", "plan"};
    route.answers = {{200, "A page of accounts", "AccountList"}};
    route.failures = {400, 503};
    route.handler = answered_by([&desk](const Request& request) -> Result<Shown> {
        const auto query = query_of(request, {"limit", "cursor", "q", "state", "plan"});
        if (!query) return query.error();
        return desk.list(*query);
    });
    return route;
}

Route usage_route(AccountDesk& desk) {
    Route route =
        operator_route(Method::get, "/usage", "listUsage",
                       "List what accounts have used in their current periods, newest account first", "usage");
    route.parameters = {"limit", "cursor", "q"};
    route.answers = {{200, "A page of accounts with their use", "AccountUseList"}};
    route.failures = {400, 503};
    route.handler = answered_by([&desk](const Request& request) -> Result<Shown> {
        const auto query = query_of(request, {"limit", "cursor", "q"});
        if (!query) return query.error();
        return desk.usage(*query);
    });
    return route;
}

Route usage_by_day_route(AccountDesk& desk) {
    Route route = operator_route(Method::get, "/accounts/{id}/usage", "getAccountUsage",
                                 "Read what an account has used, by day", "usage");
    route.parameters = {"days"};
    route.answers = {{200, "Every day, oldest first, and the totals", "UsageHistory"}};
    route.failures = {400, 404, 503};
    route.handler = answered_by([&desk](const Request& request) -> Result<Shown> {
        const auto query = ListQuery::parse(request, {"days"});
        if (!query) return query.error();
        return desk.usage_by_day(request.parameter("id"), query->get("days"));
    });
    return route;
}

Route create_route(AccountDesk& desk) {
    Route route = operator_route(Method::post, "/accounts", "createAccount", "Make an account", "accounts");
    route.request_body = BodyDoc{"application/json", "NewAccount"};
    route.answers = {{201, "The account", "OperatorAccount"}};
    route.failures = {400, 409, 503};
    route.handler = answered_by([&desk](const Request& request) { return create(desk, request); }, 201);
    return route;
}

Route issue_route(AccountDesk& desk) {
    Route route = operator_route(Method::post, "/accounts/{id}/keys", "issueKey",
                                 "Issue a key; its text is in this answer and nowhere else", "keys");
    route.request_body = BodyDoc{"application/json", "NewKey"};
    route.answers = {{201, "The key, with its text", "IssuedKey"}};
    route.failures = {400, 404, 409, 503};
    route.handler = answered_by([&desk](const Request& request) { return issue_key(desk, request); }, 201);
    return route;
}

// A route that is about one thing, and takes nothing else but perhaps a body.
struct About {
    Method method;
    std::string_view path;
    std::string operation_id;
    std::string summary;
    std::string tag;
    Answer answer;
    std::string body = {};
};
Route about_route(About about, OperatorWork work) {
    Route route = operator_route(about.method, about.path, std::move(about.operation_id), std::move(about.summary),
                                 std::move(about.tag));
    const int status = about.answer.status;
    if (!about.body.empty()) route.request_body = BodyDoc{"application/json", std::move(about.body)};
    route.answers = {std::move(about.answer)};
    route.failures = {400, 404, 503};
    if (about.method != Method::get) route.failures.push_back(409);
    route.handler = answered_by(std::move(work), status);
    return route;
}

Route named_route(std::string_view path, std::string operation_id, std::string summary, std::string tag, Answer answer,
                  OperatorWork work) {
    Route route = operator_route(Method::get, path, std::move(operation_id), std::move(summary), std::move(tag));
    route.answers = {std::move(answer)};
    route.failures = {503};
    route.handler = answered_by(std::move(work));
    return route;
}

}  // namespace

std::vector<Route> account_admin_routes(AccountDesk& desk) {
    const Answer account{200, "The account as it is now", "OperatorAccount"};
    std::vector<Route> routes;
    routes.push_back(list_route(desk));
    routes.push_back(create_route(desk));
    routes.push_back(about_route({Method::get,
                                  "/accounts/{id}",
                                  "getAccountDetails",
                                  "Describe an account",
                                  "accounts",
                                  {200, "The account", "AccountDetails"}},
                                 [&desk](const Request& request) { return desk.show(request.parameter("id")); }));
    routes.push_back(about_route({Method::post, "/accounts/{id}/suspend", "suspendAccount",
                                  "Refuse the account's keys and let its jobs wait", "accounts", account},
                                 [&desk](const Request& request) { return desk.suspend(request.parameter("id")); }));
    routes.push_back(about_route(
        {Method::post, "/accounts/{id}/resume", "resumeAccount", "Let a suspended account go on", "accounts", account},
        [&desk](const Request& request) { return desk.resume(request.parameter("id")); }));
    routes.push_back(
        about_route({Method::put, "/accounts/{id}/plan", "changePlan",
                     "Put an account on another plan; a new billing period begins", "accounts", account, "PlanChange"},
                    [&desk](const Request& request) { return change_plan(desk, request); }));
    routes.push_back(about_route({Method::put,
                                  "/accounts/{id}/entitlements/{feature}",
                                  "setEntitlement",
                                  "Grant a feature or take it away",
                                  "accounts",
                                  {200, "The entitlement as it is now", "OperatorEntitlement"},
                                  "EntitlementChange"},
                                 [&desk](const Request& request) { return set_entitlement(desk, request); }));
    routes.push_back(about_route({Method::post,
                                  "/accounts/{id}/erase",
                                  "eraseAccount",
                                  "Erase an account with all it owns, for good",
                                  "accounts",
                                  {202, "It has begun, and goes on", "OperatorAccount"},
                                  "Erasure"},
                                 [&desk](const Request& request) { return erase(desk, request); }));
    routes.push_back(about_route({Method::get,
                                  "/accounts/{id}/keys",
                                  "listKeys",
                                  "List an account's keys",
                                  "keys",
                                  {200, "All of them, oldest first", "KeyList"}},
                                 [&desk](const Request& request) { return desk.keys(request.parameter("id")); }));
    routes.push_back(issue_route(desk));
    routes.push_back(about_route({Method::post,
                                  "/keys/{id}/revoke",
                                  "revokeKey",
                                  "Make a key useless, for good",
                                  "keys",
                                  {200, "The key as it is now", "OperatorKey"}},
                                 [&desk](const Request& request) { return desk.revoke_key(request.parameter("id")); }));
    routes.push_back(usage_by_day_route(desk));
    routes.push_back(usage_route(desk));
    routes.push_back(named_route("/plans", "listAllPlans", "List all plans, public or not", "plans",
                                 {200, "The plans", "OperatorPlanList"},
                                 [&desk](const Request&) { return desk.plans(); }));
    routes.push_back(named_route("/roles", "listRoles", "List what keys may be", "keys", {200, "The roles", "RoleList"},
                                 [&desk](const Request&) { return desk.roles(); }));
    return routes;
}

}  // namespace tessera::http
