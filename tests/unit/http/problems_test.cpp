// Problem details: who gets them, what they say, and the page that their type leads to.
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "asked.hpp"
#include "http/api/problem_routes.hpp"
#include "http/message/accept.hpp"
#include "http/message/problems.hpp"
#include "http/message/status.hpp"

namespace tessera::http::test {
namespace {

bool asks_for_problem(std::initializer_list<std::string_view> accept) {
    std::vector<HeaderView> headers;
    for (const std::string_view line : accept) headers.push_back({"accept", line});
    return accepts_problem_details(headers);
}

TEST(Accept, NamesProblemDetailsOrGetsJson) {
    EXPECT_TRUE(asks_for_problem({"application/problem+json"}));
    EXPECT_TRUE(asks_for_problem({"text/html", "Application/Problem+JSON; q=0.3"}));
    EXPECT_TRUE(asks_for_problem({"application/json, application/problem+json"}));
    EXPECT_TRUE(asks_for_problem({"application/json;q=0.8, application/problem+json;q=0.9"}));
    EXPECT_FALSE(asks_for_problem({"application/json, application/problem+json;q=0.5"}));
    EXPECT_FALSE(asks_for_problem({"application/problem+json;q=0"}));
    EXPECT_FALSE(asks_for_problem({"*/*"})) << "who does not name it gets what there always was";
    EXPECT_FALSE(asks_for_problem({"application/*"}));
    EXPECT_FALSE(asks_for_problem({}));
    EXPECT_FALSE(asks_for_problem({";;q=,", "\""}));
}

TEST(ProblemDetails, SayWhatTheErrorSays) {
    const Error error = Error{ErrorCode::rate_limited, "rate limit exceeded", "for our logs"}.with_limit(
        {.name = "rate_limits.account", .unit = "requests", .allowed = 240});
    const auto problem = boost::json::parse(problem_json(error, "r-1")).as_object();
    EXPECT_EQ(problem.at("type"), "/problems/rate_limited");
    EXPECT_EQ(problem.at("title").as_string(), describe(ErrorCode::rate_limited).meaning);
    EXPECT_EQ(problem.at("status"), 429);
    EXPECT_EQ(problem.at("detail"), "rate limit exceeded");
    EXPECT_EQ(problem.at("code"), "rate_limited");
    EXPECT_EQ(problem.at("request_id"), "r-1");
    EXPECT_EQ(problem.at("hint").as_string(), describe(ErrorCode::rate_limited).remedy);
    EXPECT_EQ(problem.at("limit").at("allowed"), 240);
}

TEST(ProblemRoutes, ExplainEveryCode) {
    const auto routes = problem_routes();
    for (const Problem& problem : problems()) {
        const ErrorKind& kind = problem.code.kind();
        const Response page = Asked().parameter("code", kind.name).of(routes.front());
        EXPECT_EQ(page.status, 200) << kind.name;
        EXPECT_NE(text_of(page).find(kind.meaning), std::string::npos) << kind.name;
        EXPECT_NE(text_of(page).find(kind.remedy), std::string::npos) << kind.name;
    }
    EXPECT_EQ(Asked().parameter("code", "no_such").of(routes.front()).error->code, ErrorCode::not_found);
}

}  // namespace
}  // namespace tessera::http::test
