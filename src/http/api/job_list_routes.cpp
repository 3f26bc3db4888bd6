#include "http/api/job_list_routes.hpp"

#include "http/api/job_json.hpp"
#include "http/api/list_query.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http {
namespace {

Response list(service::JobLists& jobs, const Request& request, const std::vector<std::string>& parameters) {
    const auto query = ListQuery::parse(request, parameters);
    if (!query) return Response::from(query.error());
    const service::JobQuestion question{query->get("status"),
                                        query->get("operation"),
                                        query->get("asset_id"),
                                        query->get("tileset_id"),
                                        {query->get("limit"), query->get("cursor")}};
    const auto listed = jobs.list(*request.principal, question, origin_of(request));
    if (!listed) return Response::from(listed.error());
    return Response::json(to_json(*listed));
}

Response cancel(service::JobLists& jobs, const Request& request) {
    auto view = jobs.cancel(*request.principal, request.parameter("id"), origin_of(request));
    if (!view) return Response::from(std::move(view).error());
    Response response = Response::json(to_json(*view));
    response.job = view->job.id;
    return response;
}

Route list_route(service::JobLists& jobs) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/jobs";
    route.operation_id = "listJobs";
    route.summary = "List the account's jobs, newest first";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_read;
    route.limit = LimitRule{service::RateClass::job_lists, LimitScope::account};
    route.parameters = {"status", "operation", "asset_id", "tileset_id", "limit", "cursor"};
    route.answers = {{200, "A page of jobs", "JobList"}};
    route.failures = {400, 503};
    route.handler =
        on_pool([&jobs, known = route.parameters](const Request& request) { return list(jobs, request, known); });
    return route;
}

Route cancel_route(service::JobLists& jobs) {
    Route route;
    route.method = Method::post;
    route.pattern = "/v1/jobs/{id}/cancel";
    route.operation_id = "cancelJob";
    route.summary = "Cancel a job that has not ended";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_write;
    route.limit = LimitRule{service::RateClass::job_cancellations, LimitScope::account};
    route.answers = {{200, "The job as it is now: cancelled, or as it had ended before", "Job"}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&jobs](const Request& request) { return cancel(jobs, request); });
    return route;
}

}  // namespace

std::vector<Route> job_list_routes(service::JobLists& jobs) {
    return {list_route(jobs), cancel_route(jobs)};
}

}  // namespace tessera::http
