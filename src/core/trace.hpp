// A place in a distributed trace, by W3C Trace Context. What callers send is anybody's text: it is taken whole where it
// is well-formed and otherwise not at all, so that nothing else of it reaches a log, a header or a span.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera {

using TraceId = std::array<std::uint8_t, 16>;
using SpanId = std::array<std::uint8_t, 8>;

SpanId random_span_id();

struct TraceContext {
    static constexpr std::uint8_t sampled_flag = 0x01;
    static constexpr std::uint8_t random_flag = 0x02;  // the last seven bytes of the trace's id are random

    TraceId trace_id{};
    SpanId span_id{};
    std::uint8_t flags = 0;  // of those above
    bool recorded = false;   // spans of it are sent by us: our own decision, whatever a caller's flags say

    [[nodiscard]] bool is_sampled() const { return (flags & sampled_flag) != 0; }
    [[nodiscard]] std::string id_text() const;
    [[nodiscard]] std::string span_text() const;
    // The same trace from another span of ours on.
    [[nodiscard]] TraceContext at(const SpanId& span) const;

    bool operator==(const TraceContext&) const = default;
};

// Of any version, by the rules for those that are not known yet. Nothing where it is malformed or an id is all zero.
std::optional<TraceContext> parse_traceparent(std::string_view text);
std::string to_traceparent(const TraceContext& context);  // of version 00

inline constexpr std::size_t longest_tracestate = 512;
// A list of members, each key=value in the characters that the specification allows.
bool is_tracestate(std::string_view text);

// What is kept with a job: the context of the request that made it and, after a blank, its tracestate.
std::string stored_trace(const TraceContext& context, std::string_view state);
struct StoredTrace {
    TraceContext context;
    std::string_view state;  // of the stored text
};
std::optional<StoredTrace> read_stored_trace(std::string_view stored);
// The trace's id in it, for the log; empty where none was stored.
std::string_view trace_id_in(std::string_view stored);

}  // namespace tessera
