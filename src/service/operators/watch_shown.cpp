#include <boost/json/parse.hpp>
#include <boost/json/value_from.hpp>
#include <chrono>

#include "metadata/audit.hpp"
#include "metadata/nodes.hpp"
#include "metadata/webhooks.hpp"
#include "service/operators/shown.hpp"

namespace tessera::service {
namespace {

namespace json = boost::json;

// A node says something every ten seconds.
constexpr Millis alive_for = std::chrono::seconds(30);

json::value or_null(const std::optional<int>& number) {
    return number ? json::value(*number) : json::value();
}

// Written by this service, but perhaps by a newer one.
json::value parsed(const std::string& text) {
    boost::system::error_code error;
    json::value value = json::parse(text, error);
    return error ? json::value(json::object()) : value;
}

}  // namespace

json::object shown(const metadata::AuditEntry& entry, const std::string& account_slug) {
    return {{"sequence", entry.sequence},
            {"at", to_iso8601(entry.at)},
            {"actor", entry.actor},
            {"action", entry.action},
            {"account", text_or_null(account_slug)},
            {"account_id", entry.account_id ? json::value(entry.account_id->to_string()) : json::value()},
            {"subject", text_or_null(entry.subject)},
            {"details", parsed(entry.details)}};
}

json::object shown(const metadata::WebhookEndpoint& endpoint, const std::string& account_slug) {
    return {{"id", endpoint.id.to_string()},
            {"account", account_slug},
            {"account_id", endpoint.account_id.to_string()},
            {"url", endpoint.url},
            {"description", endpoint.description},
            {"events", json::value_from(endpoint.events)},
            {"status", endpoint.active ? "active" : "disabled"},
            {"disabled_reason", text_or_null(endpoint.disabled_reason)},
            {"disabled_at", time_or_null(endpoint.disabled_at)},
            {"created_at", to_iso8601(endpoint.created_at)},
            {"failures", endpoint.failures},
            {"failing_since", time_or_null(endpoint.failing_since)},
            {"paused_until", time_or_null(endpoint.paused_until)},
            {"previous_secret_until", time_or_null(endpoint.previous_secret_until)}};
}

json::object shown(const metadata::WebhookDelivery& delivery) {
    return {{"id", delivery.id.to_string()},
            {"endpoint_id", delivery.endpoint_id.to_string()},
            {"account_id", delivery.account_id.to_string()},
            {"job_id", delivery.job_id ? json::value(delivery.job_id->to_string()) : json::value()},
            {"type", delivery.event},
            {"created_at", to_iso8601(delivery.created_at)},
            {"state", to_string(delivery.state)},
            {"attempts", delivery.attempts},
            {"next_attempt_at", time_or_null(delivery.next_attempt_at)},
            {"last_status", or_null(delivery.last_status)},
            {"last_error", text_or_null(delivery.last_error)},
            {"last_attempt_at", time_or_null(delivery.last_attempt_at)},
            {"ended_at", time_or_null(delivery.ended_at)}};
}

json::object shown_whole(const metadata::WebhookDelivery& delivery) {
    json::object whole = shown(delivery);
    json::array log;
    for (const metadata::WebhookAttempt& one : delivery.log) {
        log.push_back(json::object{{"attempt", one.attempt},
                                   {"at", to_iso8601(one.at)},
                                   {"duration_ms", one.duration.count()},
                                   {"status", or_null(one.status)},
                                   {"error", text_or_null(one.error)},
                                   {"response", one.response}});
    }
    whole["log"] = std::move(log);
    whole["body"] = text_or_null(delivery.body);
    return whole;
}

json::object shown(const metadata::NodeReport& node, bool is_this_node) {
    json::object one{{"name", node.name},
                     {"role", node.role},
                     {"version", node.version},
                     {"started_at", to_iso8601(node.started_at)},
                     {"seen_at", to_iso8601(node.seen_at)},
                     {"alive", node.age < alive_for},
                     {"this_node", is_this_node}};
    const json::value report = parsed(node.report);
    if (const json::object* said = report.if_object()) {
        for (const auto& field : *said) one.emplace(field.key(), field.value());
    }
    return one;
}

}  // namespace tessera::service
