#include <gtest/gtest.h>
#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>

#include "http/api/operational_routes.hpp"
#include "server_fixture.hpp"

namespace tessera::http::test {
namespace {

TEST(ReadinessWatch, TellsWhichPartFails) {
    ReadinessWatch watch([] { return ReadinessAnswer{false, false, {{"database", false}, {"blobs", true}}}; });
    ASSERT_TRUE(eventually([&] { return watch.report().json.find("blobs") != std::string::npos; }));
    EXPECT_FALSE(watch.report().ready);
    EXPECT_EQ(watch.report().json, R"({"status":"unavailable","checks":{"database":"failed","blobs":"ok"}})");
}

TEST(ReadinessWatch, AnswersAtOnceThoughTheCheckHangs) {
    Door door;
    std::atomic<int> asked{0};
    {
        ReadinessWatch watch(
            [&] {
                if (++asked > 1) door.pass();
                return ReadinessAnswer{true, false, {}};
            },
            std::chrono::milliseconds(10), std::chrono::milliseconds(200));
        EXPECT_TRUE(eventually([&] { return watch.report().ready; }));
        EXPECT_TRUE(eventually([&] { return !watch.report().ready; }))
            << "a check that hangs is a node that is not ready";
        EXPECT_NE(watch.report().json.find("checks do not answer"), std::string::npos);
        door.open();
        EXPECT_TRUE(eventually([&] { return watch.report().ready; }));
        watch.start_draining();
        EXPECT_FALSE(watch.report().ready);
    }
}

using Metrics = ServerTest;

TEST_F(Metrics, CountRequestsByRouteAndStatus) {
    start();
    for (int i = 0; i < 3; ++i) ask(address(), get("/now"));
    ask(address(), get("/pool"));
    ask(address(), get("/nothing"));
    ask(address(), "broken\r\n\r\n");
    MetricsPage page;
    page.add(server_->metrics());
    for (const char* line :
         {"tessera_http_requests_total{method=\"GET\",route=\"/now\",status=\"2xx\"} 3",
          "tessera_http_requests_total{method=\"GET\",route=\"/pool\",status=\"2xx\"} 1",
          "tessera_http_requests_total{method=\"any\",route=\"none\",status=\"4xx\"} 2",
          "tessera_http_request_duration_seconds_count{method=\"GET\",route=\"/now\"} 3",
          "tessera_http_request_duration_seconds_bucket{method=\"GET\",route=\"/now\",le=\"+Inf\"} 3",
          "tessera_http_bad_requests_total 1"}) {
        // A client may see its answer before its loop has counted it.
        EXPECT_TRUE(eventually([&] { return page.text().find(line) != std::string::npos; })) << line;
    }
}

TEST_F(Metrics, ShowWhatIsInFlight) {
    start();
    Client client(address());
    client.send(get("/wait"));
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 1; }));
    MetricsPage page;
    page.add(server_->metrics());
    EXPECT_NE(page.text().find("tessera_http_requests_in_flight{method=\"GET\",route=\"/wait\"} 1"), std::string::npos);
    door_.open();
    client.read();
    EXPECT_TRUE(eventually([&] {
        return page.text().find("tessera_http_requests_in_flight{method=\"GET\",route=\"/wait\"} 0") !=
               std::string::npos;
    }));
}

TEST(MetricsPage, LeavesOutWhatIsGone) {
    MetricsPage page;
    {
        Server server({}, {}, {}, nullptr);
        page.add(server.metrics());
        EXPECT_NE(page.text().find("tessera_http"), std::string::npos);
    }
    EXPECT_EQ(page.text(), "");
}

}  // namespace
}  // namespace tessera::http::test
