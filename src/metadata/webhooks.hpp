// Webhooks: endpoints that accounts want to be told at, and the outbox of what they are to be told. A row of the outbox
// is written in the transaction that ends a job, for every active endpoint of its account that asked for the event.
// Senders claim rows with a lease and record each attempt; who lost the lease records nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera::metadata {

// What an endpoint can ask for, and what tests it.
inline constexpr std::string_view webhook_events[] = {"job.succeeded", "job.failed"};
inline constexpr std::string_view webhook_test_event = "webhook.test";

// So many failures in a row, and the endpoint is taken to be away: it is tried with one delivery at a time, with
// pauses.
inline constexpr int webhook_failures_when_away = 3;

struct NewWebhookEndpoint {
    Uuid account_id;
    std::string url;
    std::string description;
    std::vector<std::string> events;
    std::string secret;
};

struct WebhookEndpoint {
    Uuid id;
    Uuid account_id;
    std::string url;
    std::string description;
    std::vector<std::string> events;
    std::optional<Timestamp> previous_secret_until;
    bool active = true;
    std::string disabled_reason;  // operator, gone (it answered 410) or failing (for too long); empty while active
    std::optional<Timestamp> disabled_at;
    Timestamp created_at;
    int failures = 0;  // in a row
    std::optional<Timestamp> failing_since;
    std::optional<Timestamp> paused_until;
};

enum class DeliveryState { pending, delivered, failed };
std::string_view to_string(DeliveryState state);

struct WebhookAttempt {
    int attempt = 0;
    Timestamp at;
    Millis duration{0};
    std::optional<int> status;  // of the answer, if there was one
    std::string error;          // empty where it was delivered
    std::string response;       // how the answer's body began
};

struct WebhookDelivery {
    Uuid id;  // the message's: the same over all attempts
    Uuid endpoint_id;
    Uuid account_id;
    std::optional<Uuid> job_id;  // none in a test
    std::string event;
    Timestamp created_at;
    DeliveryState state = DeliveryState::pending;
    int attempts = 0;
    std::optional<Timestamp> next_attempt_at;
    std::optional<int> last_status;
    std::string last_error;
    std::optional<Timestamp> last_attempt_at;
    std::optional<Timestamp> ended_at;
    std::string body;                      // as sent; empty before the first attempt. Of find_delivery alone
    std::vector<WebhookAttempt> log = {};  // oldest first. Of find_delivery alone
};

struct DeliveryQuery {
    std::optional<Uuid> account_id = {};
    std::optional<Uuid> endpoint_id = {};
    std::optional<DeliveryState> state = {};
    int limit = 100;
};

struct WebhookClaim {
    std::string node;  // unique to a process, and never used again
    int limit = 1;
    int per_endpoint = 4;  // on their way at once, over all nodes
    int per_account = 16;
    Millis lease{30'000};
};

struct ClaimedDelivery {
    Uuid id;
    std::int64_t claim = 0;
    Uuid endpoint_id;
    Uuid account_id;
    std::optional<Uuid> job_id;
    std::string event;
    Timestamp created_at;
    int attempts = 0;  // before this one
    int failures = 0;  // since it was made or replayed
    std::optional<std::string> body;
    std::string url;
    std::vector<std::string> secrets;  // the current one first; two while they rotate
    int endpoint_failures = 0;         // in a row
    Timestamp now;                     // by the store's clock
    std::string request_id;            // of the request that made the job, for the log
    std::string trace;                 // where in a trace that request is; see core/trace.hpp
};

struct AttemptRecord {
    Uuid id;
    std::int64_t claim = 0;
    Millis duration{0};
    std::optional<int> status;
    std::string error;  // empty: delivered
    std::string response;
    std::string body;                // kept when it is the first
    std::optional<Millis> retry_in;  // none after a failure: it was the last attempt
    Millis pause{0};                 // of the whole endpoint, should it be away
    bool gone = false;               // the endpoint wants no more
    Millis disable_after{0};         // an endpoint that fails for so long is switched off
};

struct RecordAnswer {
    bool recorded = false;  // false: the lease was lost
    DeliveryState state = DeliveryState::pending;
    std::string disabled;  // why the endpoint was switched off for it: gone or failing
};

struct WebhookCounts {
    std::int64_t pending = 0;      // of active endpoints
    std::optional<Millis> oldest;  // how long ago the oldest of them was made
    // Of the pending ones, those that nobody sends although their time has come: their endpoint has no pause, and
    // nothing of their account is on its way, whose share could be used up by it.
    std::int64_t overdue = 0;
    std::optional<Millis> longest_overdue;  // since it could have been sent
    std::int64_t active_endpoints = 0;
    std::int64_t disabled_endpoints = 0;
};

class Webhooks {
  public:
    virtual ~Webhooks() = default;

    // `not_found` when there is no such account.
    virtual Result<WebhookEndpoint> create(const NewWebhookEndpoint& endpoint) = 0;
    virtual Result<std::optional<WebhookEndpoint>> find(Uuid id) = 0;
    virtual Result<std::vector<WebhookEndpoint>> list(std::optional<Uuid> account_id) = 0;
    // With its deliveries and their log.
    virtual Result<std::optional<WebhookEndpoint>> remove(Uuid id) = 0;
    // What waits for an endpoint that is disabled has failed, and can be replayed. One that is enabled starts afresh.
    virtual Result<std::optional<WebhookEndpoint>> disable(Uuid id) = 0;
    virtual Result<std::optional<WebhookEndpoint>> enable(Uuid id) = 0;
    // The secret that was current signs, too, for `overlap`.
    virtual Result<std::optional<WebhookEndpoint>> rotate_secret(Uuid id, const std::string& secret,
                                                                 Millis overlap) = 0;

    // Newest first.
    virtual Result<std::vector<WebhookDelivery>> deliveries(const DeliveryQuery& query) = 0;
    virtual Result<std::optional<WebhookDelivery>> find_delivery(Uuid id) = 0;
    // Sends it again, with as many attempts as the first time. `conflict` while its endpoint is disabled.
    virtual Result<std::optional<WebhookDelivery>> replay(Uuid id) = 0;
    // A delivery that is only a test. `conflict` while the endpoint is disabled.
    virtual Result<std::optional<WebhookDelivery>> add_test(Uuid endpoint_id) = 0;

    virtual Result<std::vector<ClaimedDelivery>> claim(const WebhookClaim& request) = 0;
    virtual Result<RecordAnswer> record(const AttemptRecord& attempt) = 0;
    // Claims of processes that are known to be dead end at once. Returns how many they were.
    virtual Result<int> end_claims_of(std::span<const std::string> dead_nodes) = 0;
    // Up to `limit` deliveries that ended so long ago, with their log.
    virtual Result<int> remove_old(Millis age, int limit) = 0;
    virtual Result<WebhookCounts> counts() = 0;
};

}  // namespace tessera::metadata
