#include "http/api/usage_routes.hpp"

#include <boost/json/serialize.hpp>

#include "http/api/list_query.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/access/usage_days.hpp"
#include "service/operators/shown.hpp"

namespace tessera::http {
namespace {

Response read(service::UsageHistories& histories, const Request& request, const std::vector<std::string>& known) {
    const auto query = ListQuery::parse(request, known);
    if (!query) return Response::from(query.error());
    const auto history = histories.read(request.principal->account.id, query->get("days"));
    if (!history) return Response::from(history.error());
    return Response::json(boost::json::serialize(service::shown(*history)));
}

}  // namespace

std::vector<Route> usage_routes(service::UsageHistories& histories) {
    Route route;
    route.pattern = "/v1/usage";
    route.operation_id = "getUsage";
    route.summary = "Read what the account has used, by day";
    route.tag = "account";
    route.auth = Auth::api_key;
    route.permission = Permission::account_read;
    route.limit = LimitRule{service::RateClass::usage_reads, LimitScope::account};
    route.parameters = {"days"};
    route.answers = {{200, "Every day, oldest first, and the totals", "UsageHistory"}};
    route.failures = {400, 503};
    route.handler = on_pool(
        [&histories, known = route.parameters](const Request& request) { return read(histories, request, known); });
    return {route};
}

}  // namespace tessera::http
