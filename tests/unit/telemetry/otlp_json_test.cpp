#include "telemetry/otlp_json.hpp"

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

namespace tessera::telemetry {
namespace {

namespace json = boost::json;

Span span_named(std::string name) {
    Span span;
    span.context = *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03");
    span.name = std::move(name);
    span.begun = WallClock::time_point(std::chrono::seconds(1'800'000'000));
    span.ended = span.begun + std::chrono::microseconds(1'500);
    return span;
}

json::value encoded(const Span& span) {
    return json::parse(otlp_json({"tessera", "0.1", "node-1"}, {&span, 1}));
}

TEST(OtlpJsonTest, IdsAreHexadecimalAndLargeNumbersAreTexts) {
    Span span = span_named("GET /v1/plans");
    span.kind = SpanKind::server;
    span.add("http.response.status_code", 200);
    span.add("http.route", "/v1/plans");
    const json::value all = encoded(span);
    const json::value& group = all.at("resourceSpans").at(0);
    EXPECT_EQ(json::serialize(group.at("resource")),
              R"({"attributes":[{"key":"service.name","value":{"stringValue":"tessera"}},)"
              R"({"key":"service.version","value":{"stringValue":"0.1"}},)"
              R"({"key":"service.instance.id","value":{"stringValue":"node-1"}}]})");
    EXPECT_EQ(json::serialize(group.at("scopeSpans").at(0).at("spans").at(0)),
              R"({"traceId":"0af7651916cd43dd8448eb211c80319c","spanId":"b7ad6b7169203331","flags":259,)"
              R"("name":"GET /v1/plans","kind":2,"startTimeUnixNano":"1800000000000000000",)"
              R"("endTimeUnixNano":"1800000000001500000","attributes":[)"
              R"({"key":"http.response.status_code","value":{"intValue":"200"}},)"
              R"({"key":"http.route","value":{"stringValue":"/v1/plans"}}],"status":{}})");
}

TEST(OtlpJsonTest, AFailureHasItsTypeAndAParentItsId) {
    Span span = span_named("engine");
    span.parent = parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-00")->span_id;
    span.parent_is_remote = true;
    span.failed = true;
    span.error = "engine_crashed";
    const json::value all = encoded(span);
    const json::value& shown = all.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
    EXPECT_EQ(shown.at("parentSpanId"), "00f067aa0ba902b7");
    EXPECT_EQ(shown.at("flags"), 0x303);
    EXPECT_EQ(shown.at("status").at("code"), 2);
    EXPECT_EQ(shown.at("attributes").at(0).at("key"), "error.type");
}

TEST(OtlpJsonTest, TextsOfOthersStayTexts) {
    Span span = span_named("a\"},{\"b\n\xff");
    span.add("url.path", "\\\"]}");
    const json::value all = encoded(span);
    const json::value& shown = all.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").at(0);
    EXPECT_EQ(shown.at("name"), "a\"},{\"b\n\xef\xbf\xbd");
    EXPECT_EQ(shown.at("attributes").at(0).at("value").at("stringValue"), "\\\"]}");
}

TEST(OtlpJsonTest, APartialSuccessSaysHowManyWereNotTaken) {
    EXPECT_EQ(rejected_in(R"({"partialSuccess":{"rejectedSpans":"3","errorMessage":"old"}})"), 3);
    EXPECT_EQ(rejected_in(R"({"partialSuccess":{"rejectedSpans":2}})"), 2);
    for (const char* none : {"", "{}", "[]", "no json", R"({"partialSuccess":{}})", R"({"partialSuccess":7})",
                             R"({"partialSuccess":{"rejectedSpans":[]}})"}) {
        EXPECT_EQ(rejected_in(none), 0) << none;
    }
}

}  // namespace
}  // namespace tessera::telemetry
