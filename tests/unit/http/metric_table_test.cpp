// docs/metrics.md shows the table of metrics as it is. UPDATE_DOCS=1 writes it there.
#include "http/metrics/metric_table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace tessera::http {
namespace {

std::string type_of(const MetricInfo& info) {
    switch (info.type) {
        case prometheus::MetricType::Counter: return "counter";
        case prometheus::MetricType::Gauge: return "gauge";
        case prometheus::MetricType::Histogram: return "histogram";
        default: return "?";
    }
}

std::string page_table() {
    std::string out = "| metric | type | of the | labels | meaning |\n|---|---|---|---|---|\n";
    for (const MetricInfo& info : metric_table()) {
        const std::string_view labels = info.labels.empty() ? "–" : info.labels;
        out += "| `" + std::string(info.name) + "` | " + type_of(info) + " | " +
               (info.scope == MetricScope::node ? "node" : "cluster") + " | " + std::string(labels) + " | " +
               std::string(info.help) + " |\n";
    }
    return out;
}

TEST(MetricTable, IsOnItsPageAsItIs) {
    const std::string path = TESSERA_SOURCE_DIR "/docs/metrics.md";
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::string page = text.str();
    const auto start = page.find('\n', page.find("<!-- metrics:")) + 1;
    const auto end = page.find("<!-- end -->", start);
    ASSERT_NE(end, std::string::npos);
    if (std::getenv("UPDATE_DOCS") != nullptr) {
        page.replace(start, end - start, page_table());
        std::ofstream(path) << page;
    }
    EXPECT_EQ(page.substr(start, page.find("<!-- end -->", start) - start), page_table())
        << "run unit_http_server with UPDATE_DOCS=1";
}

// What https://prometheus.io/docs/practices/naming asks for.
TEST(MetricTable, NamesAreUniqueAndAsPrometheusWantsThem) {
    std::set<std::string_view> names;
    for (const MetricInfo& info : metric_table()) {
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_TRUE(info.name.starts_with("tessera_") || info.name.starts_with("process_")) << info.name;
        EXPECT_EQ(info.name.ends_with("_total"), info.type == prometheus::MetricType::Counter) << info.name;
        const bool is_histogram = info.type == prometheus::MetricType::Histogram;
        EXPECT_TRUE(!is_histogram || info.name.ends_with("_seconds")) << info.name;
        EXPECT_TRUE(info.help.ends_with('.')) << info.name;
        EXPECT_EQ(&describe(info.metric), &info);
    }
}

TEST(MetricSet, AHistogramsBucketsAddUp) {
    Timing timing(long_times);
    timing.note(std::chrono::milliseconds(1));
    timing.note(std::chrono::milliseconds(10));  // the bound itself belongs to the bucket
    timing.note(std::chrono::seconds(2));
    timing.note(std::chrono::hours(2));
    const auto family = MetricSet(Metric::job_wait_seconds).add({{"lane", "light"}}, timing.read()).take();
    ASSERT_EQ(family.metric.size(), 1U);
    const auto& histogram = family.metric.front().histogram;
    ASSERT_EQ(histogram.bucket.size(), long_times.size() + 1);
    EXPECT_EQ(histogram.bucket[0].cumulative_count, 2U);
    EXPECT_EQ(histogram.bucket[6].cumulative_count, 2U);
    EXPECT_EQ(histogram.bucket[7].cumulative_count, 3U);
    EXPECT_EQ(histogram.bucket.back().cumulative_count, 4U);
    EXPECT_EQ(histogram.sample_count, 4U);
    EXPECT_NEAR(histogram.sample_sum, 7202.011, 1e-6);
}

}  // namespace
}  // namespace tessera::http
