#include "http/api/api_gate.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/network.hpp"
#include "service/access/authenticator.hpp"
#include "service/access/in_process_rate_limiter.hpp"

namespace tessera::http {
namespace {

class Keys final : public service::Authenticator {
  public:
    service::PrincipalPtr cached(std::string_view key) const override {
        const auto found = known.find(std::string(key));
        return found == known.end() ? nullptr : found->second;
    }
    bool may_exist(std::string_view key) const override { return !learned || key == "good"; }
    void learn_which_exist() override { learned = true; }
    Result<service::PrincipalPtr> authenticate(std::string_view key) override {
        ++queries;
        if (down) return storage_unavailable("down");
        if (key != "good") return Error{ErrorCode::invalid_api_key, "invalid api key", {}};
        return known["good"] = principal("runtime");
    }
    static service::PrincipalPtr principal(std::string_view role) {
        auto made = std::make_shared<service::Principal>();
        made->account.id = Uuid::time_ordered();
        made->role = find_role(role);
        return made;
    }
    std::map<std::string, service::PrincipalPtr> known;
    bool learned = false;
    int queries = 0;
    bool down = false;
};

class ApiGateTest : public testing::Test {
  protected:
    static service::RateLimitsConfig config() {
        service::RateLimitsConfig made;
        made.account = 2;
        made.plans = 2;
        made.failed_authentication = 3;
        return made;
    }

    static Request request(const std::vector<HeaderView>& headers, std::uint8_t client = 1) {
        Request made;
        made.headers = headers;
        made.client_address[15] = client;
        made.client_address[0] = client;
        return made;
    }

    // What the server does: ask on the loop, and on the pool when that does not know.
    Verdict ask(const Route& route, Request& asked) {
        auto verdict = gate.try_admit(route, asked);
        return verdict ? *std::move(verdict) : gate.admit(route, asked);
    }
    Verdict ask(const Route& route, const std::vector<HeaderView>& headers, std::uint8_t client = 1) {
        Request asked = request(headers, client);
        return ask(route, asked);
    }
    static std::string code(const Verdict& verdict) {
        return verdict.refusal ? std::string(to_string(verdict.refusal->code)) : "admitted";
    }
    static Route account_route() {
        Route route;
        route.auth = Auth::api_key;
        route.permission = Permission::account_read;
        return route;
    }

    Keys keys;
    service::InProcessRateLimiter limiter{config()};
    ApiGate gate{keys, limiter};
};

TEST_F(ApiGateTest, TakesTheKeyFromEitherHeader) {
    const auto key = [](std::vector<HeaderView> headers) {
        Request asked = request(headers);
        return std::string(api_key_of(asked));
    };
    EXPECT_EQ(key({{"Authorization", "Bearer k"}}), "k");
    EXPECT_EQ(key({{"authorization", "bearer  k "}}), "k");
    EXPECT_EQ(key({{"X-API-Key", "k"}}), "k");
    EXPECT_EQ(key({{"Authorization", "Basic abc"}, {"X-API-Key", "k"}}), "k");
    EXPECT_EQ(key({{"Authorization", "Bearer"}}), "");
    EXPECT_EQ(key({{"Authorization", "Bearer "}}), "");
    EXPECT_EQ(key({{"Authorization", "k"}}), "");
    EXPECT_EQ(key({{"X-API-Key", ""}}), "");
    EXPECT_EQ(key({}), "");
}

TEST_F(ApiGateTest, TellsAMissingKeyFromAWrongOne) {
    const Verdict missing = ask(account_route(), {});
    EXPECT_EQ(missing.refusal->message, "missing api key");
    const Verdict wrong = ask(account_route(), {{"X-API-Key", "bad"}});
    EXPECT_EQ(wrong.refusal->message, "invalid api key");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}})), "admitted");
}

TEST_F(ApiGateTest, AsksTheStoreOncePerKey) {
    Request asked = request({});
    const std::vector<HeaderView> headers = {{"X-API-Key", "good"}};
    for (int i = 0; i < 5; ++i) EXPECT_EQ(code(ask(account_route(), headers)), "admitted");
    EXPECT_EQ(keys.queries, 1);
}

TEST_F(ApiGateTest, RefusesARoleWithoutThePermission) {
    keys.known["tiles"] = Keys::principal("tile_reader");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "tiles"}})), "permission_denied");
}

TEST_F(ApiGateTest, AKeyIsRefusedOutsideItsNetworks) {
    const auto principal = std::make_shared<service::Principal>(*Keys::principal("runtime"));
    principal->key.networks = NetworkList::parse(std::vector<std::string>{"203.0.113.0/24", "100::/8"}).value();
    keys.known["fenced"] = principal;
    Request inside = request({});
    const std::vector<HeaderView> headers = {{"X-API-Key", "fenced"}};
    inside.headers = headers;
    inside.client_address = IpAddress::parse("203.0.113.7")->bytes;
    EXPECT_EQ(code(ask(account_route(), inside)), "admitted");
    EXPECT_TRUE(principal->use.take());
    Request outside = request({});
    outside.headers = headers;
    outside.client_address = IpAddress::parse("203.0.114.7")->bytes;
    const Verdict refused = ask(account_route(), outside);
    EXPECT_EQ(refused.refusal->message, "invalid api key");
    EXPECT_EQ(code(refused), "invalid_api_key");
    EXPECT_EQ(outside.principal, nullptr) << "nobody speaks for the account";
    EXPECT_FALSE(principal->use.take()) << "it was not used";
    for (int i = 0; i < 2; ++i) EXPECT_EQ(code(ask(account_route(), outside)), "invalid_api_key");
    EXPECT_EQ(code(ask(account_route(), outside)), "rate_limited") << "as with any wrong key";
    EXPECT_EQ(code(ask(account_route(), headers, 1)), "admitted") << "100::/8";
}

TEST_F(ApiGateTest, CountsPerAccountAndSaysHowMuchIsLeft) {
    Route route = account_route();
    route.limit = LimitRule{service::RateClass::account, LimitScope::account};
    keys.known["a"] = Keys::principal("runtime");
    keys.known["b"] = Keys::principal("runtime");
    const Verdict first = ask(route, {{"X-API-Key", "a"}}, 1);
    EXPECT_EQ(first.headers,
              "RateLimit-Limit: 2\r\nRateLimit-Remaining: 1\r\nRateLimit-Reset: 60\r\n"
              "RateLimit-Policy: \"account\";q=2;w=60\r\nRateLimit: \"account\";r=1;t=60\r\n");
    EXPECT_EQ(code(ask(route, {{"X-API-Key", "a"}}, 2)), "admitted");
    const Verdict refused = ask(route, {{"X-API-Key", "a"}}, 3);
    EXPECT_EQ(code(refused), "rate_limited");
    EXPECT_EQ(refused.refusal->retry_after_s, 60);
    EXPECT_NE(refused.headers.find("RateLimit-Remaining: 0\r\n"), std::string::npos);
    EXPECT_EQ(code(ask(route, {{"X-API-Key", "b"}}, 1)), "admitted") << "another account has its own count";
}

TEST_F(ApiGateTest, CountsOpenRoutesPerClient) {
    Route route;
    route.limit = LimitRule{service::RateClass::plans, LimitScope::ip};
    EXPECT_EQ(code(ask(route, {}, 1)), "admitted");
    EXPECT_EQ(code(ask(route, {}, 1)), "admitted");
    EXPECT_EQ(code(ask(route, {}, 1)), "rate_limited");
    EXPECT_EQ(code(ask(route, {}, 2)), "admitted");
}

TEST_F(ApiGateTest, AKeyThatNobodyUsedYetWorksBesideGuessers) {
    for (int i = 0; i < 10; ++i) ask(account_route(), {{"X-API-Key", "bad"}});
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "bad"}})), "rate_limited");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}})), "admitted");
}

TEST_F(ApiGateTest, StopsGuessersWithoutAskingTheStore) {
    for (int i = 0; i < 3; ++i) EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "bad"}})), "invalid_api_key");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "bad"}})), "rate_limited");
    EXPECT_TRUE(keys.learned);
    const int before = keys.queries;
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "bad"}})), "rate_limited");
    EXPECT_EQ(code(ask(account_route(), {})), "rate_limited");
    EXPECT_EQ(keys.queries, before);
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}}, 2)), "admitted");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}}, 1)), "admitted") << "a key that is known always works";
}

TEST_F(ApiGateTest, AKeyThatHasToBeReadAgainIsReadWhateverItsNeighboursGuess) {
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}})), "admitted");
    for (int i = 0; i < 5; ++i) (void)ask(account_route(), {{"X-API-Key", "bad"}});
    keys.known.clear();
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "bad"}})), "rate_limited");
    EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}})), "admitted");
}

TEST_F(ApiGateTest, DoesNotCountAStoreThatIsDownAgainstTheClient) {
    keys.down = true;
    for (int i = 0; i < 10; ++i) EXPECT_EQ(code(ask(account_route(), {{"X-API-Key", "good"}})), "storage_unavailable");
}

}  // namespace
}  // namespace tessera::http
