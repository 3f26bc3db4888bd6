#include "app/admin/webhook_text.hpp"

#include <boost/json.hpp>

#include "app/admin/session.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

boost::json::value as_json(const std::optional<Timestamp>& time) {
    return time ? boost::json::value(to_iso8601(*time)) : boost::json::value();
}

boost::json::value or_null(const std::string& text) {
    return text.empty() ? boost::json::value() : boost::json::value(text);
}

boost::json::value or_null(const std::optional<int>& number) {
    return number ? boost::json::value(*number) : boost::json::value();
}

}  // namespace

boost::json::object as_json(const metadata::WebhookEndpoint& endpoint, const std::string& slug) {
    return {{"id", endpoint.id.to_string()},
            {"account", slug},
            {"account_id", endpoint.account_id.to_string()},
            {"url", endpoint.url},
            {"description", endpoint.description},
            {"events", boost::json::value_from(endpoint.events)},
            {"status", endpoint.active ? "active" : "disabled"},
            {"disabled_reason", or_null(endpoint.disabled_reason)},
            {"disabled_at", as_json(endpoint.disabled_at)},
            {"created_at", to_iso8601(endpoint.created_at)},
            {"failures", endpoint.failures},
            {"failing_since", as_json(endpoint.failing_since)},
            {"paused_until", as_json(endpoint.paused_until)},
            {"previous_secret_until", as_json(endpoint.previous_secret_until)}};
}

boost::json::object as_json(const metadata::WebhookDelivery& delivery) {
    return {{"id", delivery.id.to_string()},
            {"endpoint_id", delivery.endpoint_id.to_string()},
            {"account_id", delivery.account_id.to_string()},
            {"job_id", delivery.job_id ? boost::json::value(delivery.job_id->to_string()) : boost::json::value()},
            {"type", delivery.event},
            {"created_at", to_iso8601(delivery.created_at)},
            {"state", to_string(delivery.state)},
            {"attempts", delivery.attempts},
            {"next_attempt_at", as_json(delivery.next_attempt_at)},
            {"last_status", or_null(delivery.last_status)},
            {"last_error", or_null(delivery.last_error)},
            {"last_attempt_at", as_json(delivery.last_attempt_at)},
            {"ended_at", as_json(delivery.ended_at)}};
}

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) (text += text.empty() ? "" : ",") += name;
    return text;
}

std::string explained(const std::string& disabled_reason) {
    if (disabled_reason == "gone") return "it answered 410";
    if (disabled_reason == "failing") return "it failed for too long";
    return "by an operator";
}

std::string slug_of(AdminSession& session, const Uuid& account_id) {
    const auto account = must(session.store().accounts().find(account_id));
    return account ? account->slug : "";
}

Uuid endpoint_id(const AdminSession& session, const std::string& text) {
    if (const auto id = Uuid::parse(text)) return *id;
    throw CommandFailed(ExitCode::usage, "\"" + text + "\" is no id of an endpoint or a delivery; to see them: " +
                                             session.command() + " webhook list");
}

}  // namespace tessera::app
