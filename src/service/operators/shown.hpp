// Things as operators are shown them, in JSON: the same wherever they are shown. Never a secret.
#pragma once

#include <boost/json/object.hpp>
#include <optional>
#include <string>

#include "core/account.hpp"
#include "core/plan.hpp"
#include "service/access/usage_days.hpp"

namespace tessera::metadata {
struct AccountUse;
struct AuditEntry;
struct NodeReport;
struct WebhookDelivery;
struct WebhookEndpoint;
}  // namespace tessera::metadata

namespace tessera::service {

boost::json::value time_or_null(const std::optional<Timestamp>& time);
boost::json::value text_or_null(const std::string& text);
boost::json::value text_or_null(const std::optional<std::string>& text);

boost::json::object shown(const Account& account);
boost::json::object shown(const ApiKey& key, const std::string& account_slug, Timestamp now);
boost::json::object shown(const Entitlement& entitlement);
// As the interface shows it.
boost::json::object shown(const Plan& plan);
boost::json::object shown(const metadata::AuditEntry& entry, const std::string& account_slug);
boost::json::object shown(const metadata::WebhookEndpoint& endpoint, const std::string& account_slug);
boost::json::object shown(const metadata::WebhookDelivery& delivery);
// With its body and the log of its attempts.
boost::json::object shown_whole(const metadata::WebhookDelivery& delivery);
// What the node said of itself, and whether it still does.
boost::json::object shown(const metadata::NodeReport& node, bool is_this_node);

boost::json::object shown(const UsageSums& sums);
boost::json::object shown(const UsageHistory& history);

}  // namespace tessera::service
