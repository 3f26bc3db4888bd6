// The text of OpenMetrics, and the traces that stand for a histogram's buckets.
#include "http/metrics/open_metrics.hpp"

#include <gtest/gtest.h>

#include "core/exemplars.hpp"

namespace tessera::http {
namespace {

using namespace std::chrono_literals;

TraceId trace_of(std::uint8_t byte) {
    TraceId id;
    id.fill(byte);
    return id;
}

TEST(OpenMetrics, WritesEachTypeAsItIsSpecified) {
    const std::vector<prometheus::MetricFamily> families = {
        MetricSet(Metric::http_refusals).add({{"route", "a\"b\\c\nd"}}, 3).take(),
        MetricSet(Metric::disk_free_bytes).add({{"folder", "data"}}, 64951062528.0).add({{"folder", "x"}}, 0.25).take(),
        MetricSet(Metric::tileset_folds).take()};
    EXPECT_EQ(to_open_metrics(families, {}),
              "# TYPE tessera_http_refusals counter\n"
              "# HELP tessera_http_refusals Requests answered with an error, by its code.\n"
              "tessera_http_refusals_total{route=\"a\\\"b\\\\c\\nd\"} 3\n"
              "# TYPE tessera_disk_free_bytes gauge\n"
              "# HELP tessera_disk_free_bytes Bytes left on the disk of a folder.\n"
              "tessera_disk_free_bytes{folder=\"data\"} 64951062528\n"
              "tessera_disk_free_bytes{folder=\"x\"} 0.25\n"
              "# TYPE tessera_tileset_folds counter\n"
              "# HELP tessera_tileset_folds Folds of long stacks of archives by how they ended.\n"
              "# EOF\n");
}

TEST(OpenMetrics, ABucketNamesTheLastTraceThatFellIntoIt) {
    Timing timing(long_times);
    Exemplars traced(long_times);
    for (const auto took : {2s, 1s, 3s}) timing.note(took);
    traced.note(trace_of(0x11), 2s);
    traced.note(trace_of(0x22), 1s);
    SeriesExemplars series{Metric::job_duration_seconds, {{"operation", "resize"}}, {}};
    traced.merge_into(series.buckets);
    for (auto& bucket : series.buckets) {
        if (bucket) bucket->at = std::chrono::system_clock::time_point(1700000000042ms);
    }
    const std::vector families = {MetricSet(Metric::job_duration_seconds)
                                      .add({{"operation", "tile"}}, timing.read())
                                      .add({{"operation", "resize"}}, timing.read())
                                      .take()};
    const std::string text = to_open_metrics(families, std::vector{series});
    const std::string bucket = "tessera_job_duration_seconds_bucket{operation=\"resize\",le=";
    for (const std::string& line :
         {bucket + "\"0.5\"} 0\n",
          bucket + "\"1.0\"} 1 # {trace_id=\"22222222222222222222222222222222\"} 1 1700000000.042\n",
          bucket + "\"2.5\"} 2 # {trace_id=\"11111111111111111111111111111111\"} 2 1700000000.042\n",
          bucket + "\"5.0\"} 3\n", bucket + "\"+Inf\"} 3\n",
          std::string("tessera_job_duration_seconds_count{operation=\"resize\"} 3\n"),
          std::string("tessera_job_duration_seconds_sum{operation=\"resize\"} 6\n"),
          std::string("tessera_job_duration_seconds_bucket{operation=\"tile\",le=\"1.0\"} 1\n")}) {
        EXPECT_NE(text.find(line), std::string::npos) << line << text;
    }
}

TEST(Exemplars, OfTwoThatKnowABucketTheLaterSpeaks) {
    Exemplars first;
    Exemplars second;
    Exemplars::Buckets merged;
    first.merge_into(merged);
    EXPECT_TRUE(std::ranges::none_of(merged, [](const auto& bucket) { return bucket.has_value(); }));
    first.note(trace_of(1), 1ms);
    second.note(trace_of(2), 1ms);
    second.note(trace_of(3), 1h);
    for (const Exemplars* one : {&second, &first}) one->merge_into(merged);
    const auto place = std::ranges::find(short_times, 0.001) - short_times.begin();
    ASSERT_TRUE(merged[static_cast<std::size_t>(place)]);
    EXPECT_EQ(merged[static_cast<std::size_t>(place)]->trace_id, trace_of(2));
    ASSERT_TRUE(merged.back());
    EXPECT_EQ(merged.back()->trace_id, trace_of(3));
}

}  // namespace
}  // namespace tessera::http
