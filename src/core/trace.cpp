#include "core/trace.hpp"

#include <algorithm>
#include <span>

#include "core/hex.hpp"
#include "core/random.hpp"
#include "core/text.hpp"

namespace tessera {
namespace {

// version "-" trace-id "-" parent-id "-" flags
constexpr std::size_t trace_at = 3;
constexpr std::size_t span_at = trace_at + 2 * sizeof(TraceId) + 1;
constexpr std::size_t flags_at = span_at + 2 * sizeof(SpanId) + 1;
constexpr std::size_t traceparent_length = flags_at + 2;
// Only in what is kept with a job, and never sent.
constexpr std::uint8_t recorded_flag = 0x80;
constexpr std::size_t most_members = 32;

// Capitals are malformed here, unlike elsewhere.
bool from_lower_hex(std::string_view text, std::span<std::uint8_t> out) {
    return std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'F'; }) && from_hex(text, out);
}

bool is_all_zero(std::span<const std::uint8_t> bytes) {
    return std::ranges::all_of(bytes, [](std::uint8_t byte) { return byte == 0; });
}

struct Parts {
    std::uint8_t version = 0;
    TraceContext context;  // with all flags that there were
};

std::optional<Parts> parts_of(std::string_view text) {
    if (text.size() < traceparent_length) return std::nullopt;
    Parts parts;
    auto& [version, context] = parts;
    if (!from_lower_hex(text.substr(0, 2), {&version, 1}) || version == 0xff) return std::nullopt;
    for (const std::size_t dash : {trace_at - 1, span_at - 1, flags_at - 1}) {
        if (text[dash] != '-') return std::nullopt;
    }
    if (!from_lower_hex(text.substr(trace_at, 2 * sizeof(TraceId)), context.trace_id) ||
        !from_lower_hex(text.substr(span_at, 2 * sizeof(SpanId)), context.span_id) ||
        !from_lower_hex(text.substr(flags_at, 2), {&context.flags, 1})) {
        return std::nullopt;
    }
    if (is_all_zero(context.trace_id) || is_all_zero(context.span_id)) return std::nullopt;
    return parts;
}

std::string written(const TraceContext& context, std::uint8_t flags) {
    std::string text(traceparent_length, '-');
    text[0] = text[1] = '0';
    write_hex(context.trace_id, text.data() + trace_at);
    write_hex(context.span_id, text.data() + span_at);
    write_hex({&flags, 1}, text.data() + flags_at);
    return text;
}

bool is_key(std::string_view key) {
    const auto may_begin = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); };
    return !key.empty() && key.size() <= 256 && may_begin(key.front()) && std::ranges::all_of(key, [&](char c) {
        return may_begin(c) || c == '_' || c == '-' || c == '*' || c == '/' || c == '@';
    });
}

bool is_value(std::string_view value) {
    return !value.empty() && value.size() <= 256 &&
           std::ranges::all_of(value, [](char c) { return c >= 0x20 && c <= 0x7e && c != ',' && c != '='; });
}

}  // namespace

SpanId random_span_id() {
    SpanId id;
    do fill_random(id);
    while (is_all_zero(id));
    return id;
}

std::string TraceContext::id_text() const {
    return to_hex(trace_id);
}

std::string TraceContext::span_text() const {
    return to_hex(span_id);
}

TraceContext TraceContext::at(const SpanId& span) const {
    TraceContext other = *this;
    other.span_id = span;
    return other;
}

std::optional<TraceContext> parse_traceparent(std::string_view text) {
    auto parts = parts_of(text);
    if (!parts) return std::nullopt;
    // Version 00 has nothing behind the flags; later ones may have more, behind a dash.
    if (text.size() > traceparent_length && (parts->version == 0 || text[traceparent_length] != '-'))
        return std::nullopt;
    parts->context.flags &= TraceContext::sampled_flag | TraceContext::random_flag;
    return parts->context;
}

std::string to_traceparent(const TraceContext& context) {
    return written(context, context.flags);
}

bool is_tracestate(std::string_view text) {
    if (text.empty() || text.size() > longest_tracestate) return false;
    std::size_t members = 0;
    while (true) {
        const std::size_t comma = std::min(text.find(','), text.size());
        const std::string_view member = trimmed(text.substr(0, comma));
        const std::size_t equals = member.find('=');
        // Members may be empty, but a list of nothing else is none.
        if (!member.empty()) {
            if (equals == std::string_view::npos || !is_key(member.substr(0, equals)) ||
                !is_value(member.substr(equals + 1)) || ++members > most_members) {
                return false;
            }
        }
        if (comma == text.size()) return members > 0;
        text.remove_prefix(comma + 1);
    }
}

std::string stored_trace(const TraceContext& context, std::string_view state) {
    std::string text = written(context, context.recorded ? context.flags | recorded_flag : context.flags);
    if (!state.empty()) text.append(" ").append(state);
    return text;
}

std::optional<StoredTrace> read_stored_trace(std::string_view stored) {
    auto parts = parts_of(stored);
    if (!parts) return std::nullopt;
    StoredTrace read{parts->context, stored.substr(traceparent_length)};
    read.context.recorded = (read.context.flags & recorded_flag) != 0;
    read.context.flags &= TraceContext::sampled_flag | TraceContext::random_flag;
    if (read.state.starts_with(' ')) read.state.remove_prefix(1);
    if (!is_tracestate(read.state)) read.state = {};
    return read;
}

std::string_view trace_id_in(std::string_view stored) {
    return stored.size() < traceparent_length ? std::string_view() : stored.substr(trace_at, 2 * sizeof(TraceId));
}

}  // namespace tessera
