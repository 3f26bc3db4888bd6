// A span: one piece of a trace, as it is sent once it has ended.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/trace.hpp"

namespace tessera::telemetry {

using WallClock = std::chrono::system_clock;

// In the numbers of OTLP.
enum class SpanKind : std::uint8_t { internal = 1, server = 2, client = 3, producer = 4, consumer = 5 };

struct Attribute {
    std::string_view name;  // a literal
    std::variant<std::string, std::int64_t> value;
};

struct Span {
    TraceContext context;          // of which span_id is its own
    std::optional<SpanId> parent;  // none: the first of its trace
    bool parent_is_remote = false;
    std::string name;
    SpanKind kind = SpanKind::internal;
    WallClock::time_point begun;
    WallClock::time_point ended;
    std::vector<Attribute> attributes{};
    bool failed = false;
    std::string_view error{};  // `error.type`, a literal; empty where there was none

    void add(std::string_view attribute, std::string text) { attributes.push_back({attribute, std::move(text)}); }
    void add(std::string_view attribute, std::string_view text) { add(attribute, std::string(text)); }
    void add(std::string_view attribute, const char* text) { add(attribute, std::string(text)); }
    void add(std::string_view attribute, std::integral auto number) {
        attributes.push_back({attribute, static_cast<std::int64_t>(number)});
    }
};

}  // namespace tessera::telemetry
