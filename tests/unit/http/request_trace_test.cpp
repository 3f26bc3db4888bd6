#include "http/message/request_trace.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/hex.hpp"
#include "http/message/request.hpp"
#include "http/message/request_id.hpp"

namespace tessera::http {
namespace {

constexpr std::string_view parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

RequestTrace traced(const std::vector<HeaderView>& headers, std::string_view request_id = {}) {
    RequestId id;
    id.choose(request_id);
    return trace_of(headers, id);
}

TEST(RequestTraceTest, GoesOnWithTheCallersTraceInASpanOfItsOwn) {
    const std::vector<HeaderView> headers = {{"TraceParent", parent}, {"tracestate", "vendor=1"}};
    const RequestTrace trace = traced(headers);
    EXPECT_EQ(trace.context.id_text(), "0af7651916cd43dd8448eb211c80319c");
    ASSERT_TRUE(trace.caller);
    EXPECT_EQ(to_hex(*trace.caller), "b7ad6b7169203331");
    EXPECT_NE(trace.context.span_id, *trace.caller);
    EXPECT_TRUE(trace.context.is_sampled());
    EXPECT_FALSE(trace.context.recorded);
    EXPECT_EQ(trace.state, "vendor=1");
}

TEST(RequestTraceTest, ANewTraceHasTheIdOfItsRequest) {
    RequestId id;
    id.choose({});
    const RequestTrace trace = trace_of({}, id);
    EXPECT_EQ(trace.context.id_text(), to_hex(id.made_here()->bytes()));
    EXPECT_FALSE(trace.caller);
    EXPECT_FALSE(trace.context.is_sampled());
    EXPECT_NE(traced({}, "the-callers-own").context.id_text(), traced({}, "the-callers-own").context.id_text())
        << "an id of the caller's is no trace's";
}

TEST(RequestTraceTest, WhatIsMalformedOrTwiceIsNotThere) {
    for (const std::vector<HeaderView>& headers : {
             std::vector<HeaderView>{{"traceparent", "00-zz-zz-01"}, {"tracestate", "a=b"}},
             {{"traceparent", parent}, {"traceparent", parent}, {"tracestate", "a=b"}},
             {{"traceparent", "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"}},
             {{"tracestate", "a=b"}},
         }) {
        const RequestTrace trace = traced(headers);
        EXPECT_FALSE(trace.caller);
        EXPECT_NE(trace.context.id_text(), "0af7651916cd43dd8448eb211c80319c");
        EXPECT_TRUE(trace.state.empty());
    }
    const std::vector<HeaderView> odd_state = {{"traceparent", parent}, {"tracestate", "no list"}};
    EXPECT_TRUE(traced(odd_state).caller);
    EXPECT_TRUE(traced(odd_state).state.empty());
}

}  // namespace
}  // namespace tessera::http
