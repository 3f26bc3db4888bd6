#include "telemetry/otlp_json.hpp"

#include <boost/json/parse.hpp>
#include <charconv>

#include "core/hex.hpp"
#include "core/log.hpp"

namespace tessera::telemetry {
namespace {

// Bits of a span's `flags` beside those of its context: whether its parent is another service's is known, and is it.
constexpr std::uint32_t knows_whether_remote = 0x100;
constexpr std::uint32_t is_remote = 0x200;
constexpr int failed_code = 2;

// Numbers of 64 bits are texts in this encoding.
std::string quoted(std::int64_t number) {
    return '"' + std::to_string(number) + '"';
}

std::string nanos(WallClock::time_point time) {
    return quoted(std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count());
}

class Attributes {
  public:
    explicit Attributes(std::string& out) : out_(out) { out_ += "\"attributes\":["; }
    void add(std::string_view name, std::string_view text) {
        begin(name);
        out_ += "{\"stringValue\":";
        log::append_json_string(out_, text);
        out_ += "}}";
    }
    void add(std::string_view name, std::int64_t number) {
        begin(name);
        out_ += "{\"intValue\":" + quoted(number) + "}}";
    }
    void end() { out_ += ']'; }

  private:
    void begin(std::string_view name) {
        if (!first_) out_ += ',';
        first_ = false;
        out_ += "{\"key\":";
        log::append_json_string(out_, name);
        out_ += ",\"value\":";
    }

    std::string& out_;
    bool first_ = true;
};

void append_resource(std::string& out, const Resource& resource) {
    out += "\"resource\":{";
    Attributes attributes(out);
    attributes.add("service.name", resource.service_name);
    attributes.add("service.version", resource.version);
    attributes.add("service.instance.id", resource.instance);
    attributes.end();
    out += '}';
}

void append_span(std::string& out, const Span& span) {
    out += "{\"traceId\":\"" + span.context.id_text() + "\",\"spanId\":\"" + span.context.span_text() + '"';
    if (span.parent) out += ",\"parentSpanId\":\"" + to_hex(*span.parent) + '"';
    const std::uint32_t flags = span.context.flags | knows_whether_remote | (span.parent_is_remote ? is_remote : 0);
    out += ",\"flags\":" + std::to_string(flags) + ",\"name\":";
    log::append_json_string(out, span.name);
    out += ",\"kind\":" + std::to_string(static_cast<int>(span.kind));
    out += ",\"startTimeUnixNano\":" + nanos(span.begun) + ",\"endTimeUnixNano\":" + nanos(span.ended) + ',';
    Attributes attributes(out);
    for (const Attribute& attribute : span.attributes) {
        std::visit([&](const auto& value) { attributes.add(attribute.name, value); }, attribute.value);
    }
    if (!span.error.empty()) attributes.add("error.type", span.error);
    attributes.end();
    out += ",\"status\":{";
    if (span.failed) out += "\"code\":" + std::to_string(failed_code);
    out += "}}";
}

}  // namespace

std::string otlp_json(const Resource& resource, std::span<const Span> spans) {
    std::string out = "{\"resourceSpans\":[{";
    append_resource(out, resource);
    out += ",\"scopeSpans\":[{\"scope\":{\"name\":\"tessera\",\"version\":";
    log::append_json_string(out, resource.version);
    out += "},\"spans\":[";
    for (const Span& span : spans) {
        append_span(out, span);
        out += ',';
    }
    if (!spans.empty()) out.pop_back();
    out += "]}]}]}";
    return out;
}

std::int64_t rejected_in(std::string_view answer) {
    boost::system::error_code error;
    const boost::json::value parsed = boost::json::parse(answer, error);
    const auto* fields = error ? nullptr : parsed.if_object();
    const auto* partial = fields == nullptr ? nullptr : fields->if_contains("partialSuccess");
    const auto* told =
        partial == nullptr || !partial->is_object() ? nullptr : partial->get_object().if_contains("rejectedSpans");
    if (told == nullptr) return 0;
    if (told->is_int64()) return told->get_int64();
    std::int64_t number = 0;
    if (const auto* text = told->if_string()) std::from_chars(text->data(), text->data() + text->size(), number);
    return number;
}

}  // namespace tessera::telemetry
