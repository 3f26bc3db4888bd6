// POST /v1/jobs and GET /v1/jobs/{id} against a stub of the use cases.
#include "http/api/job_routes.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/jobs/job_waits.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::http::test {
namespace {

class StubJobs final : public service::Jobs {
  public:
    Result<service::SubmittedJob> submit(const service::Principal&, std::string_view body,
                                         std::optional<std::string_view> idempotency_key,
                                         const service::RequestMarks& marks) override {
        seen_body = body;
        seen_key = idempotency_key ? std::optional(std::string(*idempotency_key)) : std::nullopt;
        seen_origin = marks.origin;
        seen_request_id = marks.request_id;
        if (makes_new_job && submitted && marks.job_id) submitted->view.job.id = *marks.job_id;
        return submitted;
    }
    Result<service::JobView> inspect(const service::Principal&, std::string_view id, std::string_view) override {
        seen_id = id;
        ++looks;
        return inspected;
    }

    bool makes_new_job = false;  // with the id that it is given
    int looks = 0;

    std::string seen_body, seen_origin, seen_request_id, seen_id;
    std::optional<std::string> seen_key;
    Result<service::SubmittedJob> submitted = service::SubmittedJob{};
    Result<service::JobView> inspected = service::JobView{};
};

// A wait that tests look into.
class StubWaits final : public service::JobWaits {
  public:
    class Wait final : public service::JobWait {
      public:
        void when_over(std::function<void()> over) override { over(); }
        void give_up() override {}
    };
    std::unique_ptr<service::JobWait> begin(const Uuid&, const Uuid& job_id, std::chrono::seconds at_most) override {
        seen_job = job_id;
        seen_seconds = at_most;
        if (full) return nullptr;
        return std::make_unique<Wait>();
    }

    bool full = false;
    std::optional<Uuid> seen_job;
    std::optional<std::chrono::seconds> seen_seconds;
};

class JobRoutes : public testing::Test {
  protected:
    static service::JobView view() {
        service::JobView view;
        view.job.id = *Uuid::parse("0190b0a0-0000-7000-8000-000000000001");
        view.job.operation = "resize";
        view.job.credits = 7;
        return view;
    }

    StubJobs jobs;
    std::vector<Route> routes = job_routes(jobs);
    const Route& submit = routes.at(0);
    const Route& inspect = routes.at(1);
};

}  // namespace

TEST_F(JobRoutes, AreTheInterfacesOnes) {
    EXPECT_EQ(submit.method, Method::post);
    EXPECT_EQ(submit.pattern, "/v1/jobs");
    EXPECT_EQ(submit.permission, Permission::jobs_write);
    EXPECT_EQ(submit.limit->rate_class, service::RateClass::job_submissions);
    EXPECT_EQ(submit.handler.max_body_bytes, 1U << 20);
    EXPECT_EQ(inspect.method, Method::get);
    EXPECT_EQ(inspect.pattern, "/v1/jobs/{id}");
    EXPECT_EQ(inspect.permission, Permission::jobs_read);
    EXPECT_EQ(inspect.limit->rate_class, service::RateClass::job_reads);
    for (const Route& route : routes) {
        EXPECT_EQ(route.auth, Auth::api_key);
        EXPECT_EQ(route.limit->scope, LimitScope::account);
        EXPECT_FALSE(route.cors);
    }
}

TEST_F(JobRoutes, ANewJobIs201AndSaysWhatItCosts) {
    jobs.submitted = service::SubmittedJob{view(), false};
    Asked asked(Method::post);
    asked.request.request_id = "request-1";
    const Response response = asked.body("{}").header("Idempotency-Key", "key-1").of(submit);
    EXPECT_EQ(response.status, 201);
    EXPECT_TRUE(has_header(response, "Job-Credits: 7"));
    EXPECT_FALSE(has_header(response, "Idempotency-Replayed: true"));
    EXPECT_EQ(response.job, view().job.id);
    EXPECT_EQ(jobs.seen_body, "{}");
    EXPECT_EQ(jobs.seen_key, "key-1");
    EXPECT_EQ(jobs.seen_origin, "http://localhost");
    EXPECT_EQ(jobs.seen_request_id, "request-1");
    EXPECT_NE(text_of(response).find(R"("operation":"resize")"), std::string::npos) << text_of(response);
}

TEST_F(JobRoutes, AReplayIs200AndSaysSo) {
    jobs.submitted = service::SubmittedJob{view(), true};
    const Response response = Asked(Method::post).of(submit);
    EXPECT_EQ(response.status, 200);
    EXPECT_TRUE(has_header(response, "Idempotency-Replayed: true"));
    EXPECT_EQ(jobs.seen_key, std::nullopt);
}

TEST_F(JobRoutes, ARefusalIsTheAnswer) {
    jobs.submitted = Error{ErrorCode::credits_exhausted, "no credits", ""};
    EXPECT_EQ(text_of(Asked(Method::post).of(submit)), "error: no credits");
    jobs.inspected = Error{ErrorCode::job_not_found, "job not found", ""};
    EXPECT_EQ(text_of(Asked().parameter("id", "x").of(inspect)), "error: job not found");
    EXPECT_EQ(jobs.seen_id, "x");
}

TEST_F(JobRoutes, AFailedJobSaysWhy) {
    auto failed = view();
    failed.job.status = JobStatus::failed;
    failed.job.error_code = JobErrorCode::decode_failed;
    failed.job.error_message = "not \"quite\" a JPEG";
    jobs.inspected = failed;
    const Response response = Asked().parameter("id", failed.job.id.to_string()).of(inspect);
    EXPECT_EQ(response.status, 200);
    const std::string text = text_of(response);
    EXPECT_NE(text.find(R"("status":"failed")"), std::string::npos) << text;
    EXPECT_NE(text.find(R"("error_code":"decode_failed")"), std::string::npos) << text;
    EXPECT_NE(text.find(R"(not \"quite\" a JPEG)"), std::string::npos) << text;
}

TEST_F(JobRoutes, ARequestThatPrefersToWaitDoes) {
    StubWaits waits;
    const std::vector<Route> waiting = job_routes(jobs, &waits);
    jobs.submitted = service::SubmittedJob{view(), false};
    jobs.inspected = view();
    Asked asked(Method::post);
    asked.header("Prefer", "wait=20");
    asked.request.headers = asked.headers;
    auto first = waiting[0].handler.may_wait(asked.request);
    auto* wait = std::get_if<WaitThenRespond>(&first);
    ASSERT_NE(wait, nullptr);
    EXPECT_EQ(waits.seen_job, view().job.id);
    EXPECT_EQ(waits.seen_seconds, std::chrono::seconds(20));
    service::JobView ended = view();
    ended.job.status = JobStatus::succeeded;
    jobs.inspected = ended;
    const Response response = wait->respond();
    EXPECT_EQ(response.status, 201);
    EXPECT_TRUE(has_header(response, "Preference-Applied: wait=20"));
    EXPECT_TRUE(has_header(response, "Job-Credits: 7"));
    EXPECT_NE(text_of(response).find("\"status\":\"succeeded\""), std::string::npos);
}

TEST_F(JobRoutes, ANewJobIsNotLookedAtBeforeItsWaitIsOver) {
    StubWaits waits;
    const std::vector<Route> waiting = job_routes(jobs, &waits);
    jobs.submitted = service::SubmittedJob{view(), false};
    jobs.makes_new_job = true;
    Asked asked(Method::post);
    asked.header("Prefer", "wait=20");
    asked.request.headers = asked.headers;
    auto first = waiting[0].handler.may_wait(asked.request);
    auto* wait = std::get_if<WaitThenRespond>(&first);
    ASSERT_NE(wait, nullptr);
    EXPECT_EQ(jobs.looks, 0);
    EXPECT_EQ(waits.seen_job, jobs.submitted->view.job.id);
    jobs.inspected = jobs.submitted->view;
    jobs.inspected->job.status = JobStatus::succeeded;
    const Response response = wait->respond();
    EXPECT_EQ(jobs.looks, 1);
    EXPECT_EQ(jobs.seen_id, jobs.submitted->view.job.id.to_string());
    EXPECT_EQ(response.status, 201);
    EXPECT_TRUE(has_header(response, "Preference-Applied: wait=20"));
    EXPECT_NE(text_of(response).find("\"status\":\"succeeded\""), std::string::npos);
}

TEST_F(JobRoutes, WithOneWaitTooManyANewJobIsAnsweredAtOnce) {
    StubWaits waits;
    waits.full = true;
    jobs.submitted = service::SubmittedJob{view(), false};
    jobs.makes_new_job = true;
    jobs.inspected = view();
    const Response response = Asked(Method::post).header("Prefer", "wait=20").of(job_routes(jobs, &waits)[0]);
    EXPECT_EQ(response.status, 201);
    EXPECT_FALSE(has_header(response, "Preference-Applied: wait=20"));
}

TEST_F(JobRoutes, AnAcceptedJobIsAnsweredEvenIfItCanNotBeLookedAtAgain) {
    StubWaits waits;
    jobs.submitted = service::SubmittedJob{view(), false};
    jobs.inspected = Error{ErrorCode::storage_unavailable, "away", {}};
    const Response response = Asked(Method::post).header("Prefer", "wait=20").of(job_routes(jobs, &waits)[0]);
    EXPECT_EQ(response.status, 201);
    EXPECT_NE(text_of(response).find(view().job.id.to_string()), std::string::npos);
}

TEST_F(JobRoutes, OneWaitTooManyIsAnsweredWithoutOne) {
    StubWaits waits;
    waits.full = true;
    jobs.inspected = view();
    const Response response =
        Asked().parameter("id", view().job.id.to_string()).header("Prefer", "wait=20").of(job_routes(jobs, &waits)[1]);
    EXPECT_EQ(response.status, 200);
    EXPECT_FALSE(has_header(response, "Preference-Applied: wait=20"));
}

}  // namespace tessera::http::test
