// Endpoints, and deliveries as administrators see them; how they are sent is in webhook_outbox.cpp.
#include "metadata/sqlite/webhooks.hpp"

#include "metadata/webhook_rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

std::optional<WebhookEndpoint> find_endpoint(Connection& db, const Uuid& id) {
    Query row(db, sql::webhooks::find, id);
    if (!row.next()) return std::nullopt;
    return read_endpoint(row);
}

std::optional<WebhookDelivery> find_one(Connection& db, const Uuid& id) {
    Query row(db, sql::webhooks::find_delivery, id);
    if (!row.next()) return std::nullopt;
    WebhookDelivery delivery = read_delivery(row);
    delivery.body = row.optional_text().value_or("");
    Query attempt(db, sql::webhooks::log, id);
    while (attempt.next()) delivery.log.push_back(read_attempt(attempt));
    return delivery;
}

void require_active(const WebhookEndpoint& endpoint) {
    if (!endpoint.active) throw Failure(Error{ErrorCode::conflict, "the endpoint is disabled", {}});
}

}  // namespace

Result<WebhookEndpoint> SqliteWebhooks::create(const NewWebhookEndpoint& endpoint) {
    const Uuid id = Uuid::time_ordered();
    return writer_.run([&](Transaction& transaction) {
        if (!Query(transaction.db, sql::accounts::is_open, endpoint.account_id).next()) {
            throw Failure(Error{ErrorCode::not_found, "account not found", {}});
        }
        transaction.db.run(sql::webhooks::insert, id, endpoint.account_id, endpoint.url, endpoint.description,
                           joined_events(endpoint.events), endpoint.secret, transaction.now);
        WebhookEndpoint made = find_endpoint(transaction.db, id).value();
        transaction.note_act(webhook_act("webhook.add", made));
        return made;
    });
}

Result<std::optional<WebhookEndpoint>> SqliteWebhooks::find(Uuid id) {
    return readers_.run([&](Connection& db) { return find_endpoint(db, id); });
}

Result<std::vector<WebhookEndpoint>> SqliteWebhooks::list(std::optional<Uuid> account_id) {
    return readers_.run([&](Connection& db) {
        std::vector<WebhookEndpoint> endpoints;
        Query row(db, sql::webhooks::of_account, account_id);
        while (row.next()) endpoints.push_back(read_endpoint(row));
        return endpoints;
    });
}

Result<std::optional<WebhookEndpoint>> SqliteWebhooks::remove(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        auto endpoint = find_endpoint(transaction.db, id);
        if (!endpoint) return endpoint;
        transaction.db.run(sql::webhooks::remove, id);
        transaction.note_act(webhook_act("webhook.remove", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> SqliteWebhooks::disable(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::webhooks::disable, id, transaction.now, "operator");
        const bool now_disabled = transaction.db.changes() > 0;
        if (now_disabled) transaction.db.run(sql::webhooks::fail_waiting, id, transaction.now);
        auto endpoint = find_endpoint(transaction.db, id);
        if (now_disabled) transaction.note_act(webhook_act("webhook.disable", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> SqliteWebhooks::enable(Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::webhooks::enable, id);
        const bool now_enabled = transaction.db.changes() > 0;
        auto endpoint = find_endpoint(transaction.db, id);
        if (now_enabled) transaction.note_act(webhook_act("webhook.enable", *endpoint));
        return endpoint;
    });
}

Result<std::optional<WebhookEndpoint>> SqliteWebhooks::rotate_secret(Uuid id, const std::string& secret,
                                                                     Millis overlap) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::webhooks::rotate, id, secret, transaction.now + overlap);
        auto endpoint = find_endpoint(transaction.db, id);
        if (endpoint) transaction.note_act(webhook_act("webhook.rotate_secret", *endpoint));
        return endpoint;
    });
}

Result<std::vector<WebhookDelivery>> SqliteWebhooks::deliveries(const DeliveryQuery& query) {
    return readers_.run([&](Connection& db) {
        std::vector<WebhookDelivery> found;
        const auto state = query.state ? std::optional(std::string(to_string(*query.state))) : std::nullopt;
        Query row(db, sql::webhooks::deliveries, query.account_id, query.endpoint_id, state, query.limit);
        while (row.next()) found.push_back(read_delivery(row));
        return found;
    });
}

Result<std::optional<WebhookDelivery>> SqliteWebhooks::find_delivery(Uuid id) {
    return readers_.run([&](Connection& db) { return find_one(db, id); });
}

Result<std::optional<WebhookDelivery>> SqliteWebhooks::replay(Uuid id) {
    return writer_.run([&](Transaction& transaction) -> std::optional<WebhookDelivery> {
        const auto before = find_one(transaction.db, id);
        if (!before) return std::nullopt;
        require_active(find_endpoint(transaction.db, before->endpoint_id).value());
        transaction.db.run(sql::webhooks::replay, id, transaction.now);
        transaction.note_act({"webhook.replay", before->account_id, id.to_string()});
        return find_one(transaction.db, id);
    });
}

Result<std::optional<WebhookDelivery>> SqliteWebhooks::add_test(Uuid endpoint_id) {
    const Uuid id = Uuid::random();
    return writer_.run([&](Transaction& transaction) -> std::optional<WebhookDelivery> {
        const auto endpoint = find_endpoint(transaction.db, endpoint_id);
        if (!endpoint) return std::nullopt;
        require_active(*endpoint);
        transaction.db.run(sql::webhooks::add_test, id, endpoint_id, endpoint->account_id, webhook_test_event,
                           transaction.now);
        transaction.note_act(webhook_act("webhook.test", *endpoint));
        return find_one(transaction.db, id);
    });
}

Result<WebhookCounts> SqliteWebhooks::counts() {
    return readers_.run([&](Connection& db) {
        WebhookCounts counts;
        Query row(db, sql::webhooks::counts);
        row.next();
        counts.pending = row.integer();
        const Timestamp now = clock_.now();
        if (const auto oldest = row.optional_time()) counts.oldest = now - *oldest;
        Query overdue(db, sql::webhooks::overdue, now);
        overdue.next();
        counts.overdue = overdue.integer();
        if (const auto since = overdue.optional_time()) counts.longest_overdue = now - *since;
        Query endpoints(db, sql::webhooks::endpoints);
        endpoints.next();
        counts.active_endpoints = endpoints.integer();
        counts.disabled_endpoints = endpoints.integer();
        return counts;
    });
}

}  // namespace tessera::metadata::sqlite
