// /healthz, /readyz and /metrics: what they say, and to whom.
#include "http/api/operational_routes.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "asked.hpp"

namespace tessera::http::test {
namespace {

class OperationalRoutes : public testing::Test {
  protected:
    // The answer is known before the first question: the watch has asked once.
    std::vector<Route> routes_with(ReadinessAnswer answer, MetricsReaders readers = {}) {
        auto questions = std::make_shared<std::atomic<int>>(0);
        watch = std::make_shared<ReadinessWatch>(
            [answer, questions] {
                ++*questions;
                questions->notify_all();
                return answer;
            },
            std::chrono::milliseconds(1));
        // The first answer was noted before the second question is put.
        for (int seen = *questions; seen < 2; seen = *questions) questions->wait(seen);
        return operational_routes(watch, std::make_shared<MetricsPage>(), std::move(readers));
    }
    static Asked from_loopback() {
        Asked asked;
        asked.request.client_address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1};
        return asked;
    }
    static Asked from_afar() {
        Asked asked;
        asked.request.client_address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 192, 0, 2, 1};
        return asked;
    }

    std::shared_ptr<ReadinessWatch> watch;
};

}  // namespace

TEST_F(OperationalRoutes, HealthIsThatTheProcessAnswers) {
    const auto routes = routes_with({});
    const Response response = Asked().of(routes.at(0));
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(text_of(response), R"({"status":"ok"})");
    EXPECT_TRUE(has_header(response, "Cache-Control: no-store"));
}

TEST_F(OperationalRoutes, ReadinessNamesWhatFails) {
    const auto well = routes_with({true, false, {{"database", true}}});
    EXPECT_EQ(Asked().of(well.at(1)).status, 200);
    const auto ill = routes_with({false, false, {{"database", true}, {"blobs", false}}});
    const Response response = Asked().of(ill.at(1));
    EXPECT_EQ(response.status, 503);
    EXPECT_NE(text_of(response).find(R"("blobs":"failed")"), std::string::npos) << text_of(response);
}

TEST_F(OperationalRoutes, ADrainingNodeIsNotReady) {
    const auto routes = routes_with({true, false, {}});
    watch->start_draining();
    const Response response = Asked().of(routes.at(1));
    EXPECT_EQ(response.status, 503);
    EXPECT_NE(text_of(response).find("draining"), std::string::npos);
}

TEST_F(OperationalRoutes, MetricsAreForThisMachineAndForTheToken) {
    const auto routes = routes_with({}, {.token = "secret"});
    const Route& metrics = routes.at(2);
    EXPECT_EQ(from_loopback().of(metrics).status, 200);
    EXPECT_NE(from_loopback().header("X-Forwarded-For", "192.0.2.1").of(metrics).error, nullptr);
    EXPECT_NE(from_afar().of(metrics).error, nullptr);
    EXPECT_NE(from_afar().header("Authorization", "Bearer other").of(metrics).error, nullptr);
    EXPECT_EQ(from_afar().header("Authorization", "Bearer secret").of(metrics).error, nullptr);
}

TEST_F(OperationalRoutes, MetricsAreOpenMetricsForThoseWhoPreferThem) {
    const auto routes = routes_with({});
    const auto type_for = [&](std::string_view accept) {
        const Response response = from_loopback().header("Accept", accept).of(routes.at(2));
        return text_of(response) == "# EOF\n" ? "openmetrics" : "plain";
    };
    // As Prometheus sends it.
    EXPECT_STREQ(
        type_for("application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,"
                 "text/plain;version=0.0.4;q=0.5,*/*;q=0.1"),
        "openmetrics");
    EXPECT_STREQ(type_for("application/openmetrics-text"), "openmetrics");
    for (const char* accept : {"*/*", "text/plain", "text/plain, application/openmetrics-text;q=0.5",
                               "application/openmetrics-text;version=0.0.1", "application/openmetrics-text;q=0"}) {
        EXPECT_STREQ(type_for(accept), "plain") << accept;
    }
}

TEST_F(OperationalRoutes, WithoutATokenNoTokenOpensMetrics) {
    const auto routes = routes_with({});
    EXPECT_NE(from_afar().header("Authorization", "Bearer ").of(routes.at(2)).error, nullptr);
    const auto open = routes_with({}, {.everyone = true});
    EXPECT_EQ(from_afar().of(open.at(2)).error, nullptr);
}

}  // namespace tessera::http::test
