// Deliveries as senders see them: claimed with a lease, recorded, and removed when they are old.
#include "metadata/postgres/webhooks.hpp"
#include "metadata/webhook_rows.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

// What a crash of the server takes back is sent again, which receivers have to expect anyway.
void commit_without_waiting(Connection& db) {
    db.script("SET LOCAL synchronous_commit = off");
}

}  // namespace

Result<std::vector<ClaimedDelivery>> PostgresWebhooks::claim(const WebhookClaim& request) {
    return pool_.write([&](Connection& db) {
        commit_without_waiting(db);
        std::vector<ClaimedDelivery> claimed;
        Rows row = db.run(sql::webhooks::claim, time_.now(), request.node, request.limit, request.per_endpoint,
                          request.per_account, webhook_failures_when_away, request.lease);
        while (row.next()) claimed.push_back(read_claimed(row));
        return claimed;
    });
}

Result<RecordAnswer> PostgresWebhooks::record(const AttemptRecord& attempt) {
    const bool delivered = attempt.error.empty();
    const bool again = !delivered && attempt.retry_in && !attempt.gone;
    const DeliveryState end = delivered ? DeliveryState::delivered
                              : again   ? DeliveryState::pending
                                        : DeliveryState::failed;
    return pool_.write([&](Connection& db) {
        commit_without_waiting(db);
        Rows row = db.run(sql::webhooks::record, time_.now(), attempt.id, attempt.claim, attempt.duration,
                          attempt.status, delivered ? std::nullopt : std::optional(attempt.error), attempt.response,
                          attempt.body, to_string(end), again ? attempt.retry_in : std::nullopt, attempt.pause,
                          webhook_failures_when_away, attempt.gone, attempt.disable_after);
        row.next();
        RecordAnswer answer;
        answer.recorded = row.flag();
        const auto state = row.optional_text();
        if (state) answer.state = require_stored(row, delivery_state_from_string(*state), "delivery state");
        answer.disabled = row.optional_text().value_or("");
        if (!answer.disabled.empty()) {
            Rows of = db.run(sql::webhooks::endpoint_of, attempt.id);
            of.next();
            Rows endpoint = db.run(sql::webhooks::find, of.uuid());
            endpoint.next();
            auditor_.note(db, webhook_act("webhook.disable", read_endpoint(endpoint)));
        }
        return answer;
    });
}

Result<int> PostgresWebhooks::end_claims_of(std::span<const std::string> dead_nodes) {
    Call call{sql::webhooks::end_claims, {}};
    call.parameters.add_array(std::vector<std::optional<std::string>>(dead_nodes.begin(), dead_nodes.end()));
    call.parameters.add(time_.now());
    return pool_.write([&](Connection& db) { return static_cast<int>(db.run(call).affected()); });
}

Result<int> PostgresWebhooks::remove_old(Millis age, int limit) {
    return pool_.write([&](Connection& db) {
        return static_cast<int>(db.run(sql::webhooks::remove_old, time_.now(), age, limit).affected());
    });
}

}  // namespace tessera::metadata::postgres
