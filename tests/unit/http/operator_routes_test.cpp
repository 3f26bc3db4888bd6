// The operators' routes against stubs of the use cases, and the gate before them.
#include <gtest/gtest.h>

#include "asked.hpp"
#include "http/message/problems.hpp"
#include "http/operators/account_admin_routes.hpp"
#include "http/operators/cookie.hpp"
#include "http/operators/gate.hpp"
#include "http/operators/session_routes.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/operators/desk.hpp"
#include "service/operators/sessions.hpp"

namespace tessera::http::test {
namespace {

using service::OperatorSession;
using service::Shown;

class StubSessions final : public service::OperatorSessions {
  public:
    void sign_in(service::SignIn request, SignInAnswer answer) override {
        asked = request;
        if (refusal) return answer(*refusal);
        if (request.password != "right") return answer(std::optional<service::SignedIn>());
        answer(std::optional(service::SignedIn{session, "the-token"}));
    }
    void change_password(service::PasswordChange request, ChangeAnswer answer) override {
        answer(request.current_password == "right");
    }
    Result<service::OperatorSessionPtr> find(std::string_view token) override {
        ++lookups;
        if (token != "the-token") return service::OperatorSessionPtr();
        return std::make_shared<const OperatorSession>(session);
    }
    Result<std::vector<OperatorSession>> list(const OperatorSession& of) override { return std::vector{of}; }
    Result<bool> end(const OperatorSession&, const Uuid& id) override { return id == session.id; }
    Result<void> end_all(const OperatorSession&) override { return {}; }

    StubSessions() {
        session.id = Uuid::random();
        session.operator_name = "anna";
    }
    OperatorSession session{};
    std::optional<Error> refusal;
    std::optional<service::SignIn> asked;
    int lookups = 0;
};

class NoLimits final : public service::RateLimiter {
  public:
    service::RateDecision take(service::RateClass, const service::RateSubject&) override { return {}; }
    service::RateDecision peek(service::RateClass, const service::RateSubject&) override { return {}; }
};

class OtherGate final : public Gate {
  public:
    std::optional<Verdict> try_admit(const Route&, Request&) override {
        ++asked;
        return Verdict{};
    }
    Verdict admit(const Route&, Request&) override { return {}; }
    int asked = 0;
};

class StubDesk final : public service::AccountDesk {
  public:
    Result<Shown> list(const service::AccountQuery& query) override {
        text = query.text;
        return Shown{{"accounts", nullptr}};
    }
    Result<Shown> create(const service::AccountWish& wish) override { return Shown{{"slug", wish.slug}}; }
    Result<Shown> show(std::string_view) override { return Shown{}; }
    Result<Shown> suspend(std::string_view id) override { return Shown{{"id", id}}; }
    Result<Shown> resume(std::string_view) override { return Shown{}; }
    Result<Shown> change_plan(std::string_view, const std::string&) override { return Shown{}; }
    Result<Shown> set_entitlement(std::string_view, const std::string& feature, bool enabled) override {
        return Shown{{feature, enabled}};
    }
    Result<Shown> erase(std::string_view, std::string_view confirm) override { return Shown{{"confirm", confirm}}; }
    Result<Shown> keys(std::string_view) override { return Shown{}; }
    Result<Shown> issue_key(std::string_view, const service::KeyWish& wish) override {
        wished = wish;
        return Shown{{"api_key", "tsr_"}};
    }
    Result<Shown> revoke_key(std::string_view) override { return Shown{}; }
    Result<Shown> plans() override { return Shown{}; }
    Result<Shown> roles() override { return Shown{}; }
    Result<Shown> usage(const service::AccountQuery&) override { return Shown{}; }
    Result<Shown> usage_by_day(std::string_view, std::optional<std::string_view>) override { return Shown{}; }

    std::string text;
    std::optional<service::KeyWish> wished;
};

const Route& route_of(const std::vector<Route>& routes, std::string_view operation_id) {
    return *std::ranges::find(routes, operation_id, &Route::operation_id);
}

Response held(const Route& route, Asked& asked) {
    asked.request.headers = asked.headers;
    std::optional<Response> answer;
    route.handler.hold(asked.request, [&](std::optional<Response> given) { answer = std::move(given); });
    return *std::move(answer);
}

class ConsoleRoutes : public testing::Test {
  protected:
    Asked json(std::string_view body, Method method = Method::post) {
        Asked asked(method);
        asked.request.principal.reset();
        asked.request.session = std::make_shared<const OperatorSession>(sessions.session);
        asked.header("Content-Type", "application/json; charset=utf-8").body(body);
        return asked;
    }

    StubSessions sessions;
    StubDesk desk;
    NoLimits limiter;
    std::shared_ptr<OtherGate> others = std::make_shared<OtherGate>();
    OperatorGate gate{sessions, limiter, others};
    std::vector<Route> session_table = session_routes(sessions);
    std::vector<Route> account_table = account_admin_routes(desk);
};

}  // namespace

TEST_F(ConsoleRoutes, SigningInSetsACookieThatNoScriptAndNoOtherSiteCanUse) {
    Asked asked = json(R"({"name": "anna", "password": "right"})");
    const Response response = held(route_of(session_table, "signIn"), asked);
    EXPECT_EQ(response.status, 201);
    EXPECT_TRUE(has_header(response, "Set-Cookie: tessera_operator=the-token; Max-Age=0; HttpOnly; SameSite=Strict"))
        << response.headers;
    EXPECT_EQ(text_of(response).find("the-token"), std::string::npos);
}

TEST_F(ConsoleRoutes, WrongCredentialsAndOtherRefusalsAreToldApart) {
    Asked wrong = json(R"({"name": "anna", "password": "wrong"})");
    EXPECT_EQ(held(route_of(session_table, "signIn"), wrong).error->code, ConsoleError::invalid_credentials);
    sessions.refusal = Error{ErrorCode::rate_limited, "too often", {}, 3};
    Asked again = json(R"({"name": "anna", "password": "right"})");
    EXPECT_EQ(held(route_of(session_table, "signIn"), again).error->code, ErrorCode::rate_limited);
    for (const std::string_view body : {"", "[]", R"({"name": "anna"})", R"({"name": 1, "password": "x"})"}) {
        Asked bad = json(body);
        EXPECT_EQ(held(route_of(session_table, "signIn"), bad).error->code, ErrorCode::invalid_request) << body;
    }
}

TEST_F(ConsoleRoutes, OnlyTheConsolesOwnPagesMayChangeThings) {
    const Route& suspend = route_of(account_table, "suspendAccount");
    struct Case {
        std::vector<HeaderView> headers;
        bool refused;
    };
    const Case cases[] = {
        {{}, true},
        {{{"X-Tessera-Console", "1"}}, false},
        {{{"X-Tessera-Console", "yes"}}, true},
        {{{"X-Tessera-Console", "1"}, {"Sec-Fetch-Site", "same-origin"}, {"Origin", "https://proxy"}}, false},
        {{{"X-Tessera-Console", "1"}, {"Sec-Fetch-Site", "same-site"}}, true},
        {{{"X-Tessera-Console", "1"}, {"Origin", "http://me:80"}, {"Host", "ME:80"}}, false},
        {{{"X-Tessera-Console", "1"}, {"Origin", "http://you"}, {"Host", "me"}}, true},
        {{{"X-Tessera-Console", "1"}, {"Origin", "null"}, {"Host", "me"}}, true},
    };
    for (const Case& one : cases) {
        Request request;
        request.method = Method::post;
        request.headers = one.headers;
        const auto verdict = gate.try_admit(suspend, request);
        ASSERT_TRUE(verdict && verdict->refusal);
        EXPECT_EQ(verdict->refusal->code == ConsoleError::cross_site_request, one.refused) << &one - cases;
    }
}

TEST_F(ConsoleRoutes, TheGateKnowsSessionsAndLeavesTheRestToOthers) {
    const Route& list = route_of(account_table, "listAccounts");
    Request stranger;
    stranger.method = Method::get;
    EXPECT_EQ(gate.try_admit(list, stranger)->refusal->code, ConsoleError::not_signed_in);
    const HeaderView cookies[] = {{"Cookie", "other=1; tessera_operator=the-token"}};
    Request known;
    known.method = Method::get;
    known.headers = cookies;
    EXPECT_FALSE(gate.try_admit(list, known)) << "the store has to be asked";
    EXPECT_FALSE(gate.admit(list, known).refusal);
    EXPECT_EQ(known.session->operator_name, "anna");
    const HeaderView stale[] = {{"Cookie", "tessera_operator=stale"}};
    known.headers = stale;
    EXPECT_EQ(gate.admit(list, known).refusal->code, ConsoleError::not_signed_in);
    EXPECT_EQ(others->asked, 0);
    gate.try_admit(Route{}, known);
    EXPECT_EQ(others->asked, 1);
}

TEST_F(ConsoleRoutes, BodiesAreCheckedFieldByField) {
    const Route& issue = route_of(account_table, "issueKey");
    EXPECT_EQ(json(R"({"name": "site", "networks": ["10.0.0.0/8"], "expires_at": null})").of(issue).status, 201);
    EXPECT_EQ(desk.wished->role_code, "runtime");
    EXPECT_EQ(desk.wished->networks, std::vector<std::string>{"10.0.0.0/8"});
    for (const std::string_view body :
         {R"({"name": "x", "networks": "10.0.0.0/8"})", R"({"name": "x", "expires_at": "soon"})",
          R"({"name": "x", "role": "runtime"})", R"({"name": "x", "name": "y"})"}) {
        EXPECT_EQ(json(body).of(issue).error->code, ErrorCode::invalid_request) << body;
    }
    Asked form = json(R"({"name": "x"})");
    form.headers = {{"Content-Type", "text/plain"}};
    EXPECT_EQ(form.of(issue).error->message, "Content-Type must be application/json");
}

TEST_F(ConsoleRoutes, SearchTextIsDecoded) {
    const Route& list = route_of(account_table, "listAccounts");
    Asked asked = json("", Method::get);
    asked.query("q=the%20shop&limit=5");
    EXPECT_EQ(asked.of(list).status, 200);
    EXPECT_EQ(desk.text, "the shop");
    asked.query("query=x");
    EXPECT_EQ(asked.of(list).error->code, ErrorCode::invalid_request);
}

TEST_F(ConsoleRoutes, EveryRouteIsForOperators) {
    for (const auto* table : {&session_table, &account_table}) {
        for (const Route& route : *table) {
            EXPECT_TRUE(is_for_operators(route.auth)) << route.pattern;
            EXPECT_TRUE(route.pattern.starts_with("/console/api/"));
            EXPECT_FALSE(route.cors);
        }
    }
}

}  // namespace tessera::http::test
