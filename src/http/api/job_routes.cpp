#include "http/api/job_routes.hpp"

#include <functional>
#include <memory>
#include <utility>

#include "http/api/job_json.hpp"
#include "http/message/origin.hpp"
#include "http/message/prefer.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/jobs/job_waits.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::http {
namespace {

constexpr std::size_t max_job_body_bytes = 1 << 20;

class WaitForJob final : public Waited {
  public:
    explicit WaitForJob(std::unique_ptr<service::JobWait> wait) : wait_(std::move(wait)) {}
    void wait(std::function<void()> over) override { wait_->when_over(std::move(over)); }
    void give_up() override { wait_->give_up(); }

  private:
    std::unique_ptr<service::JobWait> wait_;
};

// A request about one job, from the first look to the answer. The request outlives it.
class AboutJob {
  public:
    AboutJob(service::Jobs& jobs, service::JobWaits* waits, const Request& request)
        : jobs_(jobs), waits_(waits), request_(request) {}

    // `answer` makes the response of what the last look saw.
    ResponseOrWait respond(const Uuid& id, std::function<Response(Result<service::JobView>)> answer) const {
        const auto preferred = waits_ != nullptr ? preferred_wait(request_) : std::nullopt;
        // Begun before the look: the end can't fall between the two. One too many is answered at once.
        auto wait = preferred ? waits_->begin(request_.principal->account.id, id, *preferred) : nullptr;
        auto view = look(id);
        if (!preferred || !wait) return answer(std::move(view));
        if (!view || has_ended(view->job.status) || *preferred == std::chrono::seconds(0))
            return applied(*preferred, answer(std::move(view)));
        return respond_after(std::move(wait), *preferred, id, std::move(answer));
    }

    ResponseOrWait respond_after(std::unique_ptr<service::JobWait> wait, std::chrono::seconds preferred, const Uuid& id,
                                 std::function<Response(Result<service::JobView>)> answer) const {
        return WaitThenRespond{std::make_unique<WaitForJob>(std::move(wait)),
                               [about = *this, id, preferred, answer = std::move(answer)] {
                                   return applied(preferred, answer(about.look(id)));
                               }};
    }

  private:
    static Response applied(std::chrono::seconds preferred, Response response) {
        if (!response.error) response.add("Preference-Applied", wait_applied(preferred));
        return response;
    }
    [[nodiscard]] Result<service::JobView> look(const Uuid& id) const {
        return jobs_.inspect(*request_.principal, id.to_string(), origin_of(request_));
    }

    service::Jobs& jobs_;
    service::JobWaits* waits_;
    const Request& request_;
};

Response accepted(const service::SubmittedJob& submitted) {
    Response response = Response::json(to_json(submitted.view), submitted.replayed ? 200 : 201);
    response.add("Job-Credits", std::to_string(submitted.view.job.credits));
    if (submitted.replayed) response.add("Idempotency-Replayed", "true");
    response.job = submitted.view.job.id;
    return response;
}

ResponseOrWait submit(service::Jobs& jobs, service::JobWaits* waits, const Request& request) {
    const std::string origin = origin_of(request);
    const std::string trace = stored_trace(request.trace.context, request.trace.state);
    const auto preferred = waits != nullptr ? preferred_wait(request) : std::nullopt;
    // Begun before there is a job: a new one need not be looked at before it has ended.
    const Uuid new_id = Uuid::time_ordered();
    auto wait =
        preferred > std::chrono::seconds(0) ? waits->begin(request.principal->account.id, new_id, *preferred) : nullptr;
    auto submitted =
        jobs.submit(*request.principal, request.body, request.header("Idempotency-Key"),
                    {.origin = origin, .request_id = request.request_id, .trace = trace, .job_id = new_id});
    if (!submitted) return Response::from(std::move(submitted).error());
    if (!preferred) return accepted(*submitted);
    const Uuid id = submitted->view.job.id;
    // It was accepted, whatever becomes of the look at it.
    const auto answer = [known = std::move(*submitted)](Result<service::JobView> view) {
        return accepted(view ? service::SubmittedJob{*std::move(view), known.replayed} : known);
    };
    const AboutJob about(jobs, waits, request);
    if (wait && id == new_id) return about.respond_after(std::move(wait), *preferred, id, answer);
    wait.reset();
    return about.respond(id, answer);
}

Response shown(Result<service::JobView> view) {
    if (!view) return Response::from(std::move(view).error());
    Response response = Response::json(to_json(*view));
    response.job = view->job.id;
    return response;
}

ResponseOrWait inspect(service::Jobs& jobs, service::JobWaits* waits, const Request& request) {
    const auto id = Uuid::parse(request.parameter("id"));
    // What is no id is the use case's to refuse.
    if (!id) return shown(jobs.inspect(*request.principal, request.parameter("id"), origin_of(request)));
    return AboutJob(jobs, waits, request).respond(*id, shown);
}

Route submit_route(service::Jobs& jobs, service::JobWaits* waits) {
    Route route;
    route.method = Method::post;
    route.pattern = "/v1/jobs";
    route.operation_id = "createJob";
    route.summary = "Submit a job";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_write;
    route.limit = LimitRule{service::RateClass::job_submissions, LimitScope::account};
    route.parameters = {"Idempotency-Key", "Prefer"};
    route.request_body = BodyDoc{"application/json", "JobRequest"};
    const Link look{"job", "getJob", "$response.body#/id", "Wait for the job until it has succeeded or failed."};
    route.answers = {{201,
                      "The job was accepted; it is queued, or as the wait left it",
                      "Job",
                      {"application/json"},
                      {"Job-Credits", "Preference-Applied"},
                      {look}},
                     {200,
                      "An earlier request with this Idempotency-Key made this job",
                      "Job",
                      {"application/json"},
                      {"Job-Credits", "Idempotency-Replayed", "Preference-Applied"},
                      {look}}};
    route.failures = {400, 404, 409, 413, 500, 503};
    route.handler = on_pool_or_later([&jobs, waits](const Request& request) { return submit(jobs, waits, request); },
                                     max_job_body_bytes);
    return route;
}

Route inspect_route(service::Jobs& jobs, service::JobWaits* waits) {
    Route route;
    route.method = Method::get;
    route.pattern = "/v1/jobs/{id}";
    route.operation_id = "getJob";
    route.summary = "Look at a job and its artifacts";
    route.tag = "jobs";
    route.auth = Auth::api_key;
    route.permission = Permission::jobs_read;
    route.limit = LimitRule{service::RateClass::job_reads, LimitScope::account};
    route.parameters = {"Prefer"};
    const Link look{"artifact", "getArtifact", "$response.body#/artifacts/0/id",
                    "Get an address to download what the job made, once it has succeeded."};
    route.answers = {{200,
                      "The job as it is now, or when the wait is over",
                      "Job",
                      {"application/json"},
                      {"Preference-Applied"},
                      {look}}};
    route.failures = {400, 404, 503};
    route.handler = on_pool_or_later([&jobs, waits](const Request& request) { return inspect(jobs, waits, request); });
    return route;
}

}  // namespace

std::vector<Route> job_routes(service::Jobs& jobs, service::JobWaits* waits) {
    return {submit_route(jobs, waits), inspect_route(jobs, waits)};
}

}  // namespace tessera::http
