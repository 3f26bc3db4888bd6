#include "http/api/openapi.hpp"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "http/api/account_routes.hpp"
#include "http/api/operational_routes.hpp"
#include "service/access/account_context.hpp"
#include "service/access/plan_catalogue.hpp"

namespace tessera::http {
namespace {

namespace json = boost::json;

class NoPlans final : public service::PlanCatalogue {
  public:
    service::PlanList cached_public_plans() const override { return list; }
    Result<service::PlanList> public_plans() override {
        if (!stored) return Error{ErrorCode::internal_error, "failed to load plans", "disk on fire", 2};
        return stored;
    }
    service::PlanList list;
    service::PlanList stored;
};

class FixedAccount final : public service::AccountContexts {
  public:
    Result<service::AccountContext> read(service::PrincipalPtr principal) override {
        service::AccountContext context;
        context.principal = std::move(principal);
        context.quotas = {{"processing_credits_monthly", 100, 2592000},
                          {"max_grid_render_megapixels", 4, std::nullopt}};
        context.credits_used = 1;
        context.credits_remaining = 99;
        context.credits_limit = 100;
        return context;
    }
};

class ApiRoutes : public testing::Test {
  protected:
    NoPlans plans;
    FixedAccount accounts;
    std::vector<Route> routes = account_routes(plans, accounts);
};

TEST_F(ApiRoutes, AreAllInTheDocument) {
    for (Route& route : operational_routes(nullptr, nullptr, {})) routes.push_back(std::move(route));
    add_openapi_routes(routes, {.version = "9.9.9"});
    const auto answer = routes.back().handler.on_loop({});
    ASSERT_TRUE(answer);
    const json::value document = json::parse(std::string(std::get<SharedBytes>(answer->body).bytes));
    EXPECT_EQ(document.at("openapi").as_string(), "3.1.0");
    EXPECT_EQ(document.at("info").at("version").as_string(), "9.9.9");
    for (const Route& route : routes) {
        ASSERT_TRUE(document.at("paths").as_object().contains(route.pattern)) << route.pattern;
        const json::value& operation = document.at("paths").at(route.pattern).at("get");
        EXPECT_EQ(operation.at("operationId").as_string(), route.operation_id);
        EXPECT_TRUE(operation.at("responses").as_object().contains("200"));
    }
    const json::value& account = document.at("paths").at("/v1/account").at("get");
    for (const char* status : {"401", "403", "429"}) EXPECT_TRUE(account.at("responses").as_object().contains(status));
    EXPECT_EQ(account.at("security").as_array().size(), 2U);
}

TEST_F(ApiRoutes, EverySchemaThatIsReferredToIsThere) {
    add_openapi_routes(routes, {});
    const std::string text(std::get<SharedBytes>(routes.back().handler.on_loop({})->body).bytes);
    const json::value document = json::parse(text);
    const std::string prefix = "#\\/components\\/schemas\\/";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at + 1)) {
        const std::size_t begin = at + prefix.size();
        const std::string name = text.substr(begin, text.find('"', begin) - begin);
        EXPECT_TRUE(document.at("components").at("schemas").as_object().contains(name)) << name;
    }
}

TEST_F(ApiRoutes, WhatADocumentCannotNameIsAnError) {
    routes.front().tag = "nonsense";
    EXPECT_THROW(openapi_document(routes, {}), std::logic_error);
    routes.front().tag = "plans";
    routes.front().parameters = {"nonsense"};
    EXPECT_THROW(openapi_document(routes, {}), std::logic_error);
}

TEST_F(ApiRoutes, OperationsSayWhetherTheyTakeAnAsset) {
    using AssetId = OpenApiOptions::AssetId;
    routes.front().request_body = BodyDoc{"application/json", "JobRequest"};
    const auto shape_of = [&](AssetId use) {
        const OpenApiOptions options{
            .operations = {{"turn", "Turns.", "{}", use, {{"a_rule", "In words."}}, R"({"operation": "turn"})"}}};
        return json::parse(openapi_document(routes, options)).at("components").at("schemas").at("JobRequest_turn");
    };
    EXPECT_EQ(shape_of(AssetId::required).at("required").as_array().size(), 3U);
    EXPECT_EQ(shape_of(AssetId::optional).at("required").as_array().size(), 2U);
    EXPECT_TRUE(shape_of(AssetId::optional).at("properties").as_object().contains("asset_id"));
    EXPECT_FALSE(shape_of(AssetId::absent).at("properties").as_object().contains("asset_id"));
    EXPECT_EQ(shape_of(AssetId::absent).at("x-rules").at("a_rule").as_string(), "In words.");
    EXPECT_EQ(shape_of(AssetId::absent).at("examples").as_array().size(), 1U);
}

TEST_F(ApiRoutes, PlansComeFromMemoryAndLeaveOutWhatIsNotSet) {
    Plan plan;
    plan.code = "starter";
    plan.is_public = true;
    plan.limits.max_upload_bytes = 20971520;
    plans.list = std::make_shared<const std::vector<Plan>>(1, plan);
    const auto answer = routes[0].handler.on_loop({});
    ASSERT_TRUE(answer);
    const json::value body = json::parse(std::string(std::get<SharedBytes>(answer->body).bytes));
    const json::value& first = body.at("plans").as_array().at(0);
    EXPECT_EQ(first.at("code").as_string(), "starter");
    EXPECT_EQ(first.at("limits").as_object().size(), 1U);
    EXPECT_EQ(first.at("limits").at("max_upload_bytes").as_int64(), 20971520);
}

TEST_F(ApiRoutes, SayWhenPlansCannotBeLoaded) {
    EXPECT_FALSE(routes[0].handler.on_loop({})) << "nothing in memory: the pool has to ask";
    const Response response = routes[0].handler.on_pool({});
    ASSERT_TRUE(response.error);
    EXPECT_EQ(response.error->message, "failed to load plans");
    EXPECT_EQ(response.error->detail, "disk on fire");
    EXPECT_EQ(response.error->retry_after_s, 2);
}

TEST_F(ApiRoutes, AccountHasEveryFieldOfTheInterface) {
    auto principal = std::make_shared<service::Principal>();
    principal->role = find_role("runtime");
    principal->key.role_code = "runtime";
    principal->entitlements = {{"cdn_delivery", true, "active", "admin", "tessera", "", false}};
    Request request;
    request.principal = principal;
    const Response response = routes[1].handler.on_pool(request);
    ASSERT_FALSE(response.error);
    const json::value body = json::parse(std::get<std::string>(response.body));
    for (const char* field : {"account", "subject_type", "api_key", "permissions", "plan", "quotas", "effective_limits",
                              "usage", "features", "entitlements"}) {
        EXPECT_TRUE(body.as_object().contains(field)) << field;
    }
    EXPECT_EQ(body.at("quotas").at("processing_credits_monthly").at("interval_seconds").as_int64(), 2592000);
    EXPECT_FALSE(body.at("quotas").at("max_grid_render_megapixels").as_object().contains("interval_seconds"));
    EXPECT_TRUE(body.at("features").at("cdn_delivery").as_bool());
    EXPECT_TRUE(body.at("entitlements").at("cdn_delivery").at("enabled").as_bool());
    EXPECT_EQ(body.at("usage").at("processing_credits").at("remaining").as_int64(), 99);
    EXPECT_EQ(body.at("permissions").as_array().at(0).as_string(), "account:read");
}

}  // namespace
}  // namespace tessera::http
