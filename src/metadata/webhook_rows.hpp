// Webhooks' values from rows, the same for every database; see row_values.hpp.
#pragma once

#include <string>
#include <vector>

#include "metadata/audit.hpp"
#include "metadata/row_values.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::metadata {

std::string joined_events(const std::vector<std::string>& events);
std::vector<std::string> split_events(std::string_view text);
std::optional<DeliveryState> delivery_state_from_string(std::string_view name);

// What acts on endpoints leave in the audit trail. No address: it may hold a password of its owner's making.
Act webhook_act(std::string_view action, const WebhookEndpoint& endpoint);

inline std::optional<int> to_status(const std::optional<std::int64_t>& stored) {
    return stored ? std::optional(static_cast<int>(*stored)) : std::nullopt;
}

WebhookEndpoint read_endpoint(Row auto& row) {
    WebhookEndpoint endpoint;
    endpoint.id = row.uuid();
    endpoint.account_id = row.uuid();
    endpoint.url = row.text();
    endpoint.description = row.text();
    endpoint.events = split_events(row.text());
    endpoint.previous_secret_until = row.optional_time();
    endpoint.active = row.text() == "active";
    endpoint.disabled_reason = row.optional_text().value_or("");
    endpoint.disabled_at = row.optional_time();
    endpoint.created_at = row.time();
    endpoint.failures = row.small();
    endpoint.failing_since = row.optional_time();
    endpoint.paused_until = row.optional_time();
    return endpoint;
}

WebhookDelivery read_delivery(Row auto& row) {
    WebhookDelivery delivery;
    delivery.id = row.uuid();
    delivery.endpoint_id = row.uuid();
    delivery.account_id = row.uuid();
    delivery.job_id = row.optional_uuid();
    delivery.event = row.text();
    delivery.created_at = row.time();
    delivery.state = require_stored(row, delivery_state_from_string(row.text()), "delivery state");
    delivery.attempts = row.small();
    delivery.next_attempt_at = row.optional_time();
    delivery.last_status = to_status(row.optional_integer());
    delivery.last_error = row.optional_text().value_or("");
    delivery.last_attempt_at = row.optional_time();
    delivery.ended_at = row.optional_time();
    return delivery;
}

WebhookAttempt read_attempt(Row auto& row) {
    WebhookAttempt attempt;
    attempt.attempt = row.small();
    attempt.at = row.time();
    attempt.duration = Millis(row.integer());
    attempt.status = to_status(row.optional_integer());
    attempt.error = row.optional_text().value_or("");
    attempt.response = row.text();
    return attempt;
}

ClaimedDelivery read_claimed(Row auto& row) {
    ClaimedDelivery claimed;
    claimed.id = row.uuid();
    claimed.claim = row.integer();
    claimed.endpoint_id = row.uuid();
    claimed.account_id = row.uuid();
    claimed.job_id = row.optional_uuid();
    claimed.event = row.text();
    claimed.created_at = row.time();
    claimed.attempts = row.small();
    claimed.failures = row.small();
    claimed.body = row.optional_text();
    claimed.url = row.text();
    claimed.secrets.push_back(row.text());
    if (auto previous = row.optional_text()) claimed.secrets.push_back(*std::move(previous));
    claimed.endpoint_failures = row.small();
    claimed.now = row.time();
    claimed.request_id = row.optional_text().value_or("");
    claimed.trace = row.optional_text().value_or("");
    return claimed;
}

}  // namespace tessera::metadata
