#include "service/jobs/strict_json.hpp"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace tessera::service {
namespace {

std::string refusal_of(std::string_view text) {
    const auto parsed = parse_strict_json(text);
    if (parsed) return "accepted";
    EXPECT_EQ(parsed.error().code, ErrorCode::invalid_request);
    return parsed.error().message;
}

TEST(StrictJson, ReadsWhatIsPlainJson) {
    const auto parsed =
        parse_strict_json(R"( {"a":[1,-2,3.5,1e3,true,false,null,"\u00e9 \ud83d\ude00"],"b":{"a":{}}} )");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->at("a").as_array().size(), 8U);
}

TEST(StrictJson, RefusesWhatIsNotJson) {
    for (const char* text : {"", " ", "{", "[1,]", "{\"a\":}", "{'a':1}", "{\"a\":1}x", "{} {}", "nul", "{\"a\":01}",
                             "{\"a\":+1}", "{\"a\":.5}", "{\"a\":1.}", "// c\n{}", "{\"a\":\"\t\"}"}) {
        EXPECT_EQ(refusal_of(text).substr(0, 13), "invalid JSON:") << text;
    }
}

TEST(StrictJson, RefusesNumbersThatAreNone) {
    EXPECT_EQ(refusal_of(R"({"a":1e999})"), "invalid JSON: a number is out of range");
    EXPECT_EQ(refusal_of(R"({"a":-1e999})"), "invalid JSON: a number is out of range");
    for (const char* text : {"{\"a\":NaN}", "{\"a\":Infinity}", "{\"a\":-Infinity}", "{\"a\":0x10}"}) {
        EXPECT_EQ(refusal_of(text).substr(0, 13), "invalid JSON:") << text;
    }
}

TEST(StrictJson, RefusesARepeatedNameAtAnyDepthHoweverItIsSpelled) {
    EXPECT_EQ(refusal_of(R"({"a":1,"a":2})"), "invalid JSON: duplicate field 'a'");
    EXPECT_EQ(refusal_of(R"({"x":[{"y":{"b":1,"c":2,"b":1}}]})"), "invalid JSON: duplicate field 'b'");
    EXPECT_EQ(refusal_of(R"({"a":1,"\u0061":2})"), "invalid JSON: duplicate field 'a'");
    EXPECT_EQ(refusal_of(R"({"a":{"a":{"a":1}},"b":{"a":1}})"), "accepted");
}

TEST(StrictJson, RefusesBytesThatAreNotUtf8) {
    EXPECT_NE(refusal_of("{\"a\":\"\xff\"}"), "accepted");
    EXPECT_NE(refusal_of("{\"a\":\"\xc3\x28\"}"), "accepted");
    EXPECT_NE(refusal_of("{\"\xed\xa0\x80\":1}"), "accepted");
    EXPECT_NE(refusal_of(R"({"a":"\ud800"})"), "accepted");
}

TEST(StrictJson, RefusesNestingWithoutEnd) {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    EXPECT_EQ(refusal_of(nested(max_json_depth)), "accepted");
    EXPECT_NE(refusal_of(nested(max_json_depth + 1)), "accepted");
    EXPECT_NE(refusal_of(nested(100'000)), "accepted");
}

}  // namespace
}  // namespace tessera::service
