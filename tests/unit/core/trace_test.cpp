#include "core/trace.hpp"

#include <gmock/gmock.h>

namespace tessera {
namespace {

constexpr std::string_view good = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

TEST(TraceparentTest, AWellFormedOneIsReadAndWrittenBack) {
    const auto context = parse_traceparent(good);
    ASSERT_TRUE(context);
    EXPECT_EQ(context->id_text(), "0af7651916cd43dd8448eb211c80319c");
    EXPECT_EQ(context->span_text(), "b7ad6b7169203331");
    EXPECT_TRUE(context->is_sampled());
    EXPECT_FALSE(context->recorded) << "what a caller wishes is not what we do";
    EXPECT_EQ(to_traceparent(*context), good);
}

TEST(TraceparentTest, FlagsThatAreNotKnownAreNotPassedOn) {
    EXPECT_EQ(to_traceparent(*parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-ff")),
              "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-03");
    EXPECT_FALSE(parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-80")->recorded);
}

TEST(TraceparentTest, ALaterVersionIsReadAsFarAsItIsKnown) {
    const std::string later = "cc" + std::string(good.substr(2));
    EXPECT_TRUE(parse_traceparent(later));
    EXPECT_EQ(to_traceparent(*parse_traceparent(later + "-what-the-future-brings")), good);
    EXPECT_FALSE(parse_traceparent(later + ".x"));
    EXPECT_FALSE(parse_traceparent("ff" + std::string(good.substr(2))));
}

class Malformed : public testing::TestWithParam<std::string> {};

TEST_P(Malformed, IsAsIfItWereNotThere) {
    EXPECT_FALSE(parse_traceparent(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Traceparent, Malformed,
                         testing::Values("", "00", std::string(55, '-'), std::string(55, '0'), std::string(5000, 'a'),
                                         "00-00000000000000000000000000000000-b7ad6b7169203331-01",
                                         "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
                                         "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
                                         "00-0af7651916cd43dd8448eb211c80319c-B7AD6B7169203331-01",
                                         "00-0af7651916cd43dd8448eb211c80319g-b7ad6b7169203331-01",
                                         "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1",
                                         "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more",
                                         "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01 ",
                                         "00_0af7651916cd43dd8448eb211c80319c_b7ad6b7169203331_01",
                                         "0x-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
                                         "00-0af7651916cd43dd8448eb211c80319c-b7ad6b71692\"3331-01"));

TEST(TracestateTest, ListsOfMembersAreTaken) {
    for (const char* text : {"a=b", "rojo=00f067aa0ba902b7,congo=t61rcWkgMzE", "fw529a3039@dt=FfffAAA/:*", "a=b , c=d",
                             "0a=!\"#$%", "a=1,,b=2"}) {
        EXPECT_TRUE(is_tracestate(text)) << text;
    }
    std::string many = "k0=v";
    for (int i = 1; i < 32; ++i) many += ",k" + std::to_string(i) + "=v";
    EXPECT_TRUE(is_tracestate(many));
    EXPECT_FALSE(is_tracestate(many + ",one=more"));
}

TEST(TracestateTest, AnythingElseIsNot) {
    EXPECT_TRUE(is_tracestate("a=" + std::string(256, 'v')));
    for (const std::string& text :
         {std::string(), std::string(","), std::string("a"), std::string("a="), std::string("=b"), std::string("A=b"),
          std::string("a=b=c"), std::string("a=b\r\nX-Evil: 1"), std::string("a=\x01"), std::string("a=\xc3\xa4"),
          std::string("a b=c"), "a=" + std::string(257, 'v'), "a=b," + std::string(600, ' ')}) {
        EXPECT_FALSE(is_tracestate(text)) << text;
    }
}

TEST(StoredTraceTest, KeepsTheStateAndWhetherWeRecord) {
    TraceContext context = *parse_traceparent(good);
    context.recorded = true;
    const std::string text = stored_trace(context, "a=b,c=d e");
    EXPECT_EQ(trace_id_in(text), context.id_text());
    const auto read = read_stored_trace(text);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->context, context);
    EXPECT_EQ(read->state, "a=b,c=d e");
    EXPECT_EQ(to_traceparent(read->context), good) << "nobody else is told";
    context.recorded = false;
    EXPECT_EQ(read_stored_trace(stored_trace(context, {}))->context, context);
}

TEST(StoredTraceTest, WhatIsNotOneIsNothing) {
    EXPECT_FALSE(read_stored_trace(""));
    EXPECT_FALSE(read_stored_trace("something else"));
    EXPECT_EQ(trace_id_in(""), "");
    EXPECT_EQ(read_stored_trace(std::string(good) + " =evil\r\n")->state, "");
}

TEST(SpanIdTest, AreNeverTheSame) {
    EXPECT_NE(random_span_id(), random_span_id());
    const TraceContext context = *parse_traceparent(good);
    const SpanId other = random_span_id();
    EXPECT_EQ(context.at(other).trace_id, context.trace_id);
    EXPECT_EQ(context.at(other).span_id, other);
}

}  // namespace
}  // namespace tessera
