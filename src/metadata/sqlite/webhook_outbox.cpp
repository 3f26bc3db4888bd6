// Deliveries as senders see them: claimed with a lease, recorded, and removed when they are old.
#include <algorithm>
#include <map>
#include <tuple>

#include "metadata/sqlite/webhooks.hpp"
#include "metadata/webhook_rows.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

// How many are on their way now.
struct OnWay {
    std::map<Uuid, int> of_endpoint;
    std::map<Uuid, int> of_account;
};

OnWay count_on_way(Connection& db, Timestamp now) {
    OnWay counts;
    Query row(db, sql::webhooks::on_way, now);
    while (row.next()) {
        const Uuid endpoint = row.uuid();
        const Uuid account = row.uuid();
        const int many = row.small();
        counts.of_endpoint[endpoint] += many;
        counts.of_account[account] += many;
    }
    return counts;
}

struct Due {
    int turn;  // which of its account it would be among those on their way
    Timestamp since;
    Uuid id;
};

struct OfAccount {
    int position;  // within its endpoint
    Timestamp since;
    Uuid id;
};

// By account, what could be sent now, within the bounds of each endpoint.
std::map<Uuid, std::vector<OfAccount>> find_due(Connection& db, Timestamp now, const WebhookClaim& request,
                                                const OnWay& on_way) {
    std::map<Uuid, std::vector<OfAccount>> found;
    Query endpoint(db, sql::webhooks::open_endpoints, now);
    while (endpoint.next()) {
        const Uuid id = endpoint.uuid();
        const Uuid account = endpoint.uuid();
        const int most = endpoint.integer() >= webhook_failures_when_away ? 1 : request.per_endpoint;
        const auto busy = on_way.of_endpoint.find(id);
        const int room = most - (busy == on_way.of_endpoint.end() ? 0 : busy->second);
        if (room <= 0) continue;
        Query row(db, sql::webhooks::due, id, now, room);
        for (int position = 1; row.next(); ++position) {
            const Uuid delivery = row.uuid();
            found[account].push_back({position, row.time(), delivery});
        }
    }
    return found;
}

// Accounts take turns: those with the fewest on their way come first.
std::vector<Due> choose(std::map<Uuid, std::vector<OfAccount>>&& found, const WebhookClaim& request,
                        const OnWay& on_way) {
    std::vector<Due> chosen;
    for (auto& [account, waiting] : found) {
        std::ranges::sort(waiting, {}, [](const OfAccount& one) { return std::tie(one.position, one.since, one.id); });
        const auto busy = on_way.of_account.find(account);
        int turn = busy == on_way.of_account.end() ? 0 : busy->second;
        for (const OfAccount& one : waiting) {
            if (++turn > request.per_account) break;
            chosen.push_back({turn, one.since, one.id});
        }
    }
    std::ranges::sort(chosen, {}, [](const Due& one) { return std::tie(one.turn, one.since, one.id); });
    chosen.resize(std::min(chosen.size(), static_cast<std::size_t>(std::max(0, request.limit))));
    return chosen;
}

struct Held {
    int attempts = 0;
    Uuid endpoint_id;
    bool active = false;
    int failures = 0;  // of the endpoint
    std::optional<Timestamp> failing_since;
};

std::optional<Held> find_held(Connection& db, const AttemptRecord& attempt) {
    Query row(db, sql::webhooks::held, attempt.id, attempt.claim);
    if (!row.next()) return std::nullopt;
    Held held;
    held.attempts = row.small();
    held.endpoint_id = row.uuid();
    held.active = row.text() == "active";
    held.failures = row.small();
    held.failing_since = row.optional_time();
    return held;
}

void note_success(Transaction& transaction, const Held& held) {
    transaction.db.run(sql::webhooks::endpoint_answers, held.endpoint_id);
    // It was away, and answers again: what waited for it goes out now.
    if (held.failures >= webhook_failures_when_away)
        transaction.db.run(sql::webhooks::send_waiting, held.endpoint_id, transaction.now);
}

// Why the endpoint was switched off for it; empty when it was not.
std::string note_failure(Transaction& transaction, const AttemptRecord& attempt, const Held& held) {
    Connection& db = transaction.db;
    db.run(sql::webhooks::endpoint_fails, held.endpoint_id, transaction.now, transaction.now + attempt.pause,
           webhook_failures_when_away);
    const bool for_long = held.failures + 1 >= webhook_failures_when_away && held.failing_since &&
                          transaction.now - *held.failing_since >= attempt.disable_after;
    if (!held.active || (!attempt.gone && !for_long)) return {};
    std::string reason = attempt.gone ? "gone" : "failing";
    db.run(sql::webhooks::disable, held.endpoint_id, transaction.now, reason);
    db.run(sql::webhooks::fail_waiting, held.endpoint_id, transaction.now);
    Query row(db, sql::webhooks::find, held.endpoint_id);
    row.next();
    transaction.note_act(webhook_act("webhook.disable", read_endpoint(row)));
    return reason;
}

}  // namespace

Result<std::vector<ClaimedDelivery>> SqliteWebhooks::claim(const WebhookClaim& request) {
    // Looked for beside the writer first: most of the time nothing is due.
    const auto any = readers_.run([&](Connection& db) {
        if (!Query(db, sql::webhooks::any_pending).next()) return false;
        const Timestamp now = clock_.now();
        return !find_due(db, now, request, count_on_way(db, now)).empty();
    });
    if (!any) return any.error();
    if (!*any) return std::vector<ClaimedDelivery>();
    const auto claim_due = [&](Transaction& transaction) {
        Connection& db = transaction.db;
        const Timestamp now = transaction.now;
        const OnWay on_way = count_on_way(db, now);
        std::vector<ClaimedDelivery> claimed;
        for (const Due& due : choose(find_due(db, now, request, on_way), request, on_way)) {
            db.run(sql::webhooks::claim, due.id, request.node, now + request.lease);
            Query row(db, sql::webhooks::claimed, due.id, now);
            row.next();
            claimed.push_back(read_claimed(row));
        }
        return claimed;
    };
    return writer_.run(claim_due, Durability::lazy);
}

// Lazily, as claims are: what a power cut takes back is sent again, which receivers have to expect anyway.
Result<RecordAnswer> SqliteWebhooks::record(const AttemptRecord& attempt) {
    const auto record_end = [&](Transaction& transaction) {
        RecordAnswer answer;
        Connection& db = transaction.db;
        const auto held = find_held(db, attempt);
        if (!held) return answer;
        const bool delivered = attempt.error.empty();
        const bool again = !delivered && attempt.retry_in && held->active && !attempt.gone;
        answer.recorded = true;
        answer.state = delivered ? DeliveryState::delivered : again ? DeliveryState::pending : DeliveryState::failed;
        const auto error = delivered ? std::nullopt : std::optional(attempt.error);
        const auto next = again ? std::optional(transaction.now + *attempt.retry_in) : std::nullopt;
        const auto ended = again ? std::nullopt : std::optional(transaction.now);
        db.run(sql::webhooks::note_attempt, attempt.id, held->attempts + 1, transaction.now, attempt.duration,
               attempt.status, error, attempt.response);
        db.run(sql::webhooks::end_attempt, attempt.id, to_string(answer.state), next, ended, attempt.status, error,
               transaction.now, attempt.body);
        if (delivered) {
            note_success(transaction, *held);
        } else {
            answer.disabled = note_failure(transaction, attempt, *held);
        }
        return answer;
    };
    return writer_.run(record_end, Durability::lazy);
}

Result<int> SqliteWebhooks::end_claims_of(std::span<const std::string> dead_nodes) {
    return writer_.run([&](Transaction& transaction) {
        int ended = 0;
        for (const std::string& node : dead_nodes) {
            transaction.db.run(sql::webhooks::end_claims, node, transaction.now);
            ended += static_cast<int>(transaction.db.changes());
        }
        return ended;
    });
}

Result<int> SqliteWebhooks::remove_old(Millis age, int limit) {
    return writer_.run([&](Transaction& transaction) {
        transaction.db.run(sql::webhooks::remove_old, transaction.now - age, limit);
        return static_cast<int>(transaction.db.changes());
    });
}

}  // namespace tessera::metadata::sqlite
