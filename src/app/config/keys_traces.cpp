// The keys of traces.
#include <charconv>

#include "app/config/checks.hpp"
#include "app/config/key_groups.hpp"
#include "app/config/setting_kinds.hpp"

namespace tessera::app {
namespace {

using namespace std::chrono_literals;

std::string without_trailing_zeros(double number) {
    char text[32];
    return {text, std::to_chars(std::begin(text), std::end(text), number).ptr};
}

Setting sample_ratio() {
    return {"traces.sample_ratio", "a number from 0 to 1 such as 0.05",
            "The share of requests that are traced. 0: none that a caller's wish does not ask for.",
            [](Config& config, const RawValue& raw) {
                const std::string* text = detail::text_of(raw);
                if (text == nullptr || text->empty()) return false;
                double number = -1;
                const auto [end, fault] = std::from_chars(text->data(), text->data() + text->size(), number);
                if (fault != std::errc() || end != text->data() + text->size()) return false;
                if (!(number >= 0 && number <= 1)) return false;
                config.traces.sample_ratio = number;
                return true;
            },
            [](const Config& config) { return without_trailing_zeros(config.traces.sample_ratio); }};
}

Setting headers() {
    Setting list = list_of(
        "traces.headers", "headers as name=value", is_header_assignment, true,
        "Sent with every batch, such as a token that the receiver wants. Never logged.",
        [](auto& c) -> auto& { return c.traces.headers; });
    return std::move(list).secret(Secrecy::hidden);
}

}  // namespace

void add_traces(std::vector<Setting>& keys) {
    keys.push_back(text(
        "traces.endpoint", "a URL such as http://127.0.0.1:4318/v1/traces", is_receiver_url_or_empty,
        "Where spans are sent, as OTLP in JSON over HTTP. Empty: nowhere.",
        [](auto& c) -> auto& { return c.traces.endpoint; }));
    keys.push_back(headers());
    keys.push_back(text(
        "traces.service_name", "a text", is_not_empty, "What spans name as `service.name`.",
        [](auto& c) -> auto& { return c.traces.service_name; }));
    keys.push_back(sample_ratio());
    keys.push_back(count(
        "traces.max_per_second", {0, 1'000'000},
        "Requests traced in a second, whatever the ratio and callers say: so many that make something, and so many "
        "that "
        "only read.",
        [](auto& c) -> auto& { return c.traces.max_per_second; }));
    keys.push_back(flag(
        "traces.follow_callers",
        "true: a request with a `traceparent` is traced if that says so, and not otherwise. false: the ratio decides, "
        "whatever callers say.",
        [](auto& c) -> auto& { return c.traces.follow_callers; }));
    keys.push_back(count(
        "traces.queue_spans", {1, 1'000'000}, "Spans that may wait to be sent; more are dropped and counted.",
        [](auto& c) -> auto& { return c.traces.queue_spans; }));
    keys.push_back(count(
        "traces.batch_spans", {1, 100'000}, "Spans that are sent at once, at most.",
        [](auto& c) -> auto& { return c.traces.batch_spans; }));
    keys.push_back(duration(
        "traces.interval", 1ms, 10min, "How long a span waits at most for others to be sent with it.",
        [](auto& c) -> auto& { return c.traces.interval; }));
    keys.push_back(duration(
        "traces.timeout", 10ms, 10min, "For one attempt to send a batch.",
        [](auto& c) -> auto& { return c.traces.timeout; }));
    keys.push_back(duration(
        "traces.stop_timeout", 0ms, 10min, "For what still waits when the node stops.",
        [](auto& c) -> auto& { return c.traces.stop_timeout; }));
    keys.push_back(flag(
        "traces.gzip", "true: batches are compressed.", [](auto& c) -> auto& { return c.traces.gzip; }));
}

}  // namespace tessera::app
