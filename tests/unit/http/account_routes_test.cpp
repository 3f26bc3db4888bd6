// GET /v1/plans and GET /v1/account against stubs of the use cases.
#include "http/api/account_routes.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"
#include "service/access/account_context.hpp"
#include "service/access/plan_catalogue.hpp"
#include "service/access/rate_limiter.hpp"

namespace tessera::http::test {
namespace {

class StubPlans final : public service::PlanCatalogue {
  public:
    [[nodiscard]] service::PlanList cached_public_plans() const override { return cached; }
    Result<service::PlanList> public_plans() override {
        ++queries;
        return stored;
    }

    service::PlanList cached;
    Result<service::PlanList> stored = std::make_shared<const std::vector<Plan>>();
    int queries = 0;
};

class StubAccounts final : public service::AccountContexts {
  public:
    Result<service::AccountContext> read(service::PrincipalPtr principal) override {
        if (refusal) return *refusal;
        service::AccountContext context;
        context.principal = std::move(principal);
        context.credits_used = 3;
        return context;
    }
    std::optional<Error> refusal;
};

class AccountRoutes : public testing::Test {
  protected:
    static service::PlanList plans_called(std::string code) {
        Plan plan;
        plan.code = std::move(code);
        return std::make_shared<const std::vector<Plan>>(std::vector<Plan>{plan});
    }

    StubPlans plans;
    StubAccounts accounts;
    std::vector<Route> routes = account_routes(plans, accounts);
    const Route& list = routes.at(0);
    const Route& account = routes.at(1);
};

}  // namespace

TEST_F(AccountRoutes, AreTheInterfacesOnes) {
    EXPECT_EQ(list.pattern, "/v1/plans");
    EXPECT_EQ(list.auth, Auth::none);
    EXPECT_EQ(list.limit->rate_class, service::RateClass::plans);
    EXPECT_EQ(list.limit->scope, LimitScope::ip);
    EXPECT_EQ(account.pattern, "/v1/account");
    EXPECT_EQ(account.auth, Auth::api_key);
    EXPECT_EQ(account.permission, Permission::account_read);
    EXPECT_EQ(account.limit->rate_class, service::RateClass::account);
}

TEST_F(AccountRoutes, PlansInMemoryAreAnsweredOnTheLoop) {
    plans.cached = plans_called("small");
    const Response response = Asked().of(list);
    EXPECT_NE(text_of(response).find("\"small\""), std::string::npos) << text_of(response);
    EXPECT_EQ(plans.queries, 0);
}

TEST_F(AccountRoutes, TheTextIsMadeAnewWhenAPlanHasChanged) {
    plans.stored = plans_called("first");
    EXPECT_NE(text_of(Asked().of(list)).find("\"first\""), std::string::npos);
    plans.stored = plans_called("second");
    EXPECT_NE(text_of(Asked().of(list)).find("\"second\""), std::string::npos);
    EXPECT_EQ(plans.queries, 2);
}

TEST_F(AccountRoutes, AStoreThatIsAwayIsSaidToBe) {
    plans.stored = Error{ErrorCode::internal_error, "failed to load plans", ""};
    EXPECT_EQ(text_of(Asked().of(list)), "error: failed to load plans");
    accounts.refusal = Error{ErrorCode::internal_error, "failed to load account", ""};
    EXPECT_EQ(text_of(Asked().of(account)), "error: failed to load account");
}

TEST_F(AccountRoutes, TheAccountIsTheCallersOwn) {
    Asked asked;
    auto principal = std::make_shared<service::Principal>();
    principal->account.id = *Uuid::parse("0190b0a0-0000-7000-8000-000000000009");
    static const Role role{};
    principal->role = &role;
    asked.request.principal = principal;
    const std::string text = text_of(asked.of(account));
    EXPECT_NE(text.find("0190b0a0-0000-7000-8000-000000000009"), std::string::npos) << text;
}

}  // namespace tessera::http::test
