// Endpoints, and deliveries as administrators see them; how they are sent is in webhook_outbox.cpp.
#include "metadata/postgres/webhooks.hpp"

#include "metadata/webhook_rows.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

std::optional<WebhookEndpoint> read_one(Rows row) {
    if (!row.next()) return std::nullopt;
    return read_endpoint(row);
}

std::optional<WebhookDelivery> find_one(Connection& db, const Uuid& id) {
    Rows row = db.run(sql::webhooks::find_delivery, id);
    if (!row.next()) return std::nullopt;
    WebhookDelivery delivery = read_delivery(row);
    delivery.body = row.optional_text().value_or("");
    Rows attempt = db.run(sql::webhooks::log, id);
    while (attempt.next()) delivery.log.push_back(read_attempt(attempt));
    return delivery;
}

void require_active(const std::optional<WebhookEndpoint>& endpoint) {
    if (!endpoint || !endpoint->active) throw Failure(Error{ErrorCode::conflict, "the endpoint is disabled", {}});
}

}  // namespace

Result<WebhookEndpoint> PostgresWebhooks::create(const NewWebhookEndpoint& endpoint) {
    const Uuid id = Uuid::time_ordered();
    return pool_.write([&](Connection& db) {
        Rows row = db.run(sql::webhooks::insert, id, endpoint.account_id, endpoint.url, endpoint.description,
                          joined_events(endpoint.events), endpoint.secret, time_.now());
        if (!row.next()) throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        WebhookEndpoint made = read_endpoint(row);
        auditor_.note(db, webhook_act("webhook.add", made));
        return made;
    });
}

Result<std::optional<WebhookEndpoint>> PostgresWebhooks::find(Uuid id) {
    return pool_.read([&](Connection& db) { return read_one(db.run(sql::webhooks::find, id)); });
}

Result<std::vector<WebhookEndpoint>> PostgresWebhooks::list(std::optional<Uuid> account_id) {
    return pool_.read([&](Connection& db) {
        std::vector<WebhookEndpoint> endpoints;
        Rows row = db.run(sql::webhooks::of_account, account_id);
        while (row.next()) endpoints.push_back(read_endpoint(row));
        return endpoints;
    });
}

Result<std::optional<WebhookEndpoint>> PostgresWebhooks::remove(Uuid id) {
    return pool_.write([&](Connection& db) {
        auto endpoint = read_one(db.run(sql::webhooks::lock, id));
        if (!endpoint) return endpoint;
        db.run(sql::webhooks::remove, id);
        auditor_.note(db, webhook_act("webhook.remove", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> PostgresWebhooks::disable(Uuid id) {
    return pool_.write([&](Connection& db) {
        Rows row = db.run(sql::webhooks::disable, id, time_.now(), "operator");
        const bool now_disabled = row.next() && row.flag();
        auto endpoint = read_one(db.run(sql::webhooks::find, id));
        if (now_disabled) auditor_.note(db, webhook_act("webhook.disable", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> PostgresWebhooks::enable(Uuid id) {
    return pool_.write([&](Connection& db) {
        const bool now_enabled = db.run(sql::webhooks::enable, id).affected() > 0;
        auto endpoint = read_one(db.run(sql::webhooks::find, id));
        if (now_enabled) auditor_.note(db, webhook_act("webhook.enable", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> PostgresWebhooks::rotate_secret(Uuid id, const std::string& secret,
                                                                       Millis overlap) {
    return pool_.write([&](Connection& db) {
        db.run(sql::webhooks::rotate, id, secret, overlap, time_.now());
        auto endpoint = read_one(db.run(sql::webhooks::find, id));
        if (endpoint) auditor_.note(db, webhook_act("webhook.rotate_secret", *endpoint));
        return endpoint;
    });
}

Result<std::vector<WebhookDelivery>> PostgresWebhooks::deliveries(const DeliveryQuery& query) {
    return pool_.read([&](Connection& db) {
        std::vector<WebhookDelivery> found;
        const auto state = query.state ? std::optional(std::string(to_string(*query.state))) : std::nullopt;
        Rows row = db.run(sql::webhooks::deliveries, query.account_id, query.endpoint_id, state, query.limit);
        while (row.next()) found.push_back(read_delivery(row));
        return found;
    });
}

Result<std::optional<WebhookDelivery>> PostgresWebhooks::find_delivery(Uuid id) {
    return pool_.read([&](Connection& db) { return find_one(db, id); });
}

Result<std::optional<WebhookDelivery>> PostgresWebhooks::replay(Uuid id) {
    return pool_.write([&](Connection& db) -> std::optional<WebhookDelivery> {
        const auto before = find_one(db, id);
        if (!before) return std::nullopt;
        require_active(read_one(db.run(sql::webhooks::lock, before->endpoint_id)));
        db.run(sql::webhooks::replay, id, time_.now());
        auditor_.note(db, {"webhook.replay", before->account_id, id.to_string()});
        return find_one(db, id);
    });
}

Result<std::optional<WebhookDelivery>> PostgresWebhooks::add_test(Uuid endpoint_id) {
    const Uuid id = Uuid::random();
    return pool_.write([&](Connection& db) -> std::optional<WebhookDelivery> {
        const auto endpoint = read_one(db.run(sql::webhooks::lock, endpoint_id));
        if (!endpoint) return std::nullopt;
        require_active(endpoint);
        db.run(sql::webhooks::add_test, id, endpoint_id, endpoint->account_id, webhook_test_event, time_.now());
        auditor_.note(db, webhook_act("webhook.test", *endpoint));
        return find_one(db, id);
    });
}

Result<WebhookCounts> PostgresWebhooks::counts() {
    return pool_.read([&](Connection& db) {
        WebhookCounts counts;
        Rows row = db.run(sql::webhooks::counts, time_.now());
        row.next();
        counts.pending = row.integer();
        if (const auto oldest = row.optional_integer()) counts.oldest = Millis(*oldest);
        Rows overdue = db.run(sql::webhooks::overdue, time_.now());
        overdue.next();
        counts.overdue = overdue.integer();
        if (const auto longest = overdue.optional_integer()) counts.longest_overdue = Millis(*longest);
        Rows endpoints = db.run(sql::webhooks::endpoints);
        endpoints.next();
        counts.active_endpoints = endpoints.integer();
        counts.disabled_endpoints = endpoints.integer();
        return counts;
    });
}

}  // namespace tessera::metadata::postgres
