#include "http/api/job_routes.hpp"

#include "http/api/job_json.hpp"
#include "http/message/origin.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::http {
namespace {

constexpr std::size_t max_job_body_bytes = 1 << 20;

Response submit(service::Jobs& jobs, const Request& request) {
    const std::string origin = origin_of(request);
    auto submitted = jobs.submit(*request.principal, request.body, request.header("Idempotency-Key"),
                                 {.origin = origin, .request_id = request.request_id});
    if (!submitted) return Response::from(std::move(submitted).error());
    Response response = Response::json(to_json(submitted->view), submitted->replayed ? 200 : 201);
    response.add("Job-Credits", std::to_string(submitted->view.job.credits));
    if (submitted->replayed) response.add("Idempotency-Replayed", "true");
    response.job = submitted->view.job.id;
    return response;
}

Response inspect(service::Jobs& jobs, const Request& request) {
    auto view = jobs.inspect(*request.principal, request.parameter("id"), origin_of(request));
    if (!view) return Response::from(std::move(view).error());
    Response response = Response::json(to_json(*view));
    response.job = view->job.id;
    return response;
}

Route submit_route(service::Jobs& jobs) {
    Route route;
    route.method = Method::post;
    route.pattern = "/v1/jobs";
    route.operation_id = "createJob";
    route.summary = "Submit a job";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_write;
    route.limit = LimitRule{service::RateClass::job_submissions, LimitScope::account};
    route.parameters = {"Idempotency-Key"};
    route.request_body = BodyDoc{"application/json", "JobRequest"};
    const Link look{"job", "getJob", "$response.body#/id", "Poll the job until it has succeeded or failed."};
    route.answers = {{201, "The job was accepted and is queued", "Job", {"application/json"}, {"Job-Credits"}, {look}},
                     {200,
                      "An earlier request with this Idempotency-Key made this job",
                      "Job",
                      {"application/json"},
                      {"Job-Credits", "Idempotency-Replayed"},
                      {look}}};
    route.failures = {400, 404, 409, 413, 500, 503};
    route.handler = on_pool([&jobs](const Request& request) { return submit(jobs, request); }, max_job_body_bytes);
    return route;
}

Route inspect_route(service::Jobs& jobs) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/jobs/{id}";
    route.operation_id = "getJob";
    route.summary = "Look at a job and its artifacts";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_read;
    route.limit = LimitRule{service::RateClass::job_reads, LimitScope::account};
    const Link look{"artifact", "getArtifact", "$response.body#/artifacts/0/id",
                    "Get an address to download what the job made, once it has succeeded."};
    route.answers = {{200, "The job as it is now", "Job", {"application/json"}, {}, {look}}};
    route.failures = {400, 404, 503};
    route.handler = on_pool([&jobs](const Request& request) { return inspect(jobs, request); });
    return route;
}

}  // namespace

std::vector<Route> job_routes(service::Jobs& jobs) {
    return {submit_route(jobs), inspect_route(jobs)};
}

}  // namespace tessera::http
