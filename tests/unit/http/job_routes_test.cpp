// POST /v1/jobs and GET /v1/jobs/{id} against a stub of the use cases.
#include "http/api/job_routes.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"
#include "service/access/rate_limiter.hpp"
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
        return submitted;
    }
    Result<service::JobView> inspect(const service::Principal&, std::string_view id, std::string_view) override {
        seen_id = id;
        return inspected;
    }

    std::string seen_body, seen_origin, seen_request_id, seen_id;
    std::optional<std::string> seen_key;
    Result<service::SubmittedJob> submitted = service::SubmittedJob{};
    Result<service::JobView> inspected = service::JobView{};
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

}  // namespace tessera::http::test
