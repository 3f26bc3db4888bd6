#include "webhooks/dispatcher.hpp"

#include <algorithm>
#include <thread>

#include "core/job_log.hpp"
#include "core/log.hpp"
#include "telemetry/tracer.hpp"
#include "webhooks/endpoint_url.hpp"
#include "webhooks/event.hpp"
#include "webhooks/signature.hpp"

namespace tessera::webhooks {
namespace {

using namespace std::chrono_literals;

// How soon a retry that fell due, or an end of which no word came, is noticed.
constexpr Millis poll = 1s;
// Where nothing was due, a busy queue, which wakes with every job, asks no more often than this.
constexpr Millis shortest_rest = 20ms;
// Beyond an attempt's own time: to record it, should the database be slow.
constexpr Millis lease_beyond_timeout = 15s;
constexpr Millis time_between_cleanings = 60s;
constexpr int removed_at_once = 500;

TransferRules rules_of(const WebhooksConfig& config, const std::string& version) {
    return {.timeout = config.timeout,
            .allow_private_addresses = config.allow_private_addresses,
            .require_https = config.require_https,
            .user_agent = "Tessera/" + version + " (webhooks)"};
}

// Every line about a job names the request that made it.
void log_delivery(log::Level level, std::string_view event, const metadata::ClaimedDelivery& delivery,
                  std::initializer_list<log::Field> fields) {
    if (!delivery.job_id) return log::write(level, event, fields);
    log_job(level, event, {delivery.request_id, trace_id_in(delivery.trace), delivery.account_id, *delivery.job_id},
            fields);
}

}  // namespace

Dispatcher::Dispatcher(metadata::Store& store, JobText job_text, WebhooksConfig config, const Identity& identity,
                       telemetry::Tracer* tracer)
    : store_(store),
      job_text_(std::move(job_text)),
      config_(std::move(config)),
      schedule_(config_.retry_pauses, config_.endpoint_pause),
      node_(identity.node),
      tracer_(tracer),
      sender_(std::make_unique<Sender>(rules_of(config_, identity.version))) {}

Dispatcher::~Dispatcher() {
    stop();
}

void Dispatcher::start() {
    clean_at_ = Steady::now() + time_between_cleanings;
    subscription_ = store_.on_job_changes([this](metadata::Store::JobChanges changes) {
        // With none, some may have been missed.
        if (changes.empty() || std::ranges::any_of(changes, has_ended, &metadata::JobChange::status)) thread_.wake();
    });
    thread_.start("webhooks", Millis(0), [this](const std::stop_token&) { return step(); });
}

void Dispatcher::stop() {
    subscription_.reset();
    if (!thread_.stop()) return;
    // The thread is gone: this one sees to the rest. An attempt ends by itself when its time is over.
    const auto deadline = Steady::now() + config_.timeout + 1s;
    record_finished();
    while (in_flight_ > 0 && Steady::now() < deadline) {
        std::this_thread::sleep_for(10ms);
        record_finished();
    }
    sender_.reset();
}

PeriodicThread::Rest Dispatcher::step() {
    record_finished();
    if (Steady::now() >= clean_at_) remove_old();
    if (send_due()) return poll;
    return {poll, shortest_rest};
}

void Dispatcher::finish(Sent sent) {
    if (tracer_ != nullptr && sent.trace && sent.trace->context.recorded)
        tracer_->add(span_of(*sent.trace, sent.delivery, sent.outcome));
    {
        const std::lock_guard lock(mutex_);
        finished_.push_back(std::move(sent));
    }
    thread_.wake();
}

void Dispatcher::record_finished() {
    {
        const std::lock_guard lock(mutex_);
        std::ranges::move(finished_, std::back_inserter(unrecorded_));
        finished_.clear();
    }
    // What the database does not take now is tried again at the next step.
    const auto kept = std::ranges::remove_if(unrecorded_, [this](const Sent& sent) { return record(sent); });
    in_flight_ -= static_cast<int>(kept.size());
    unrecorded_.erase(kept.begin(), kept.end());
}

bool Dispatcher::record(const Sent& sent) {
    const metadata::ClaimedDelivery& delivery = sent.delivery;
    const Outcome& outcome = sent.outcome;
    metadata::AttemptRecord attempt;
    attempt.id = delivery.id;
    attempt.claim = delivery.claim;
    attempt.duration = outcome.duration;
    attempt.status = outcome.status;
    attempt.error = outcome.error;
    attempt.response = outcome.response;
    attempt.body = sent.body;
    attempt.retry_in =
        schedule_.pause_after(delivery.failures + 1, parse_retry_after(outcome.retry_after, delivery.now));
    attempt.pause = schedule_.endpoint_pause(delivery.endpoint_failures + 1);
    attempt.gone = outcome.status == 410;
    attempt.disable_after = config_.disable_after;
    const auto answer = store_.webhooks().record(attempt);
    if (!answer) {
        log::warning("webhook.not_recorded_yet",
                     {{"delivery", delivery.id.to_string()}, {"detail", answer.error().detail}});
        return false;
    }
    tell(sent, attempt, *answer);
    return true;
}

void Dispatcher::tell(const Sent& sent, const metadata::AttemptRecord& attempt, const metadata::RecordAnswer& answer) {
    const metadata::ClaimedDelivery& delivery = sent.delivery;
    const bool again = answer.recorded && answer.state == metadata::DeliveryState::pending && attempt.retry_in;
    meters_.note_attempt(sent.outcome.error, sent.outcome.duration);
    if (answer.recorded && answer.state == metadata::DeliveryState::delivered) meters_.delivered.add();
    if (answer.recorded && answer.state == metadata::DeliveryState::failed) meters_.failed.add();
    log_delivery(log::Level::info, "webhook.attempt", delivery,
                 {{"span_id", sent.trace ? sent.trace->context.span_text() : std::string()},
                  {"delivery", delivery.id.to_string()},
                  {"endpoint", delivery.endpoint_id.to_string()},
                  {"type", delivery.event},
                  {"url", url_for_log(delivery.url)},
                  {"attempt", delivery.attempts + 1},
                  {"status", sent.outcome.status.value_or(0)},
                  {"error", sent.outcome.error},
                  {"detail", sent.outcome.detail},
                  {"ms", sent.outcome.duration.count()},
                  {"state", answer.recorded ? to_string(answer.state) : "lease_lost"},
                  {"retry_in_ms", again ? attempt.retry_in->count() : 0}});
    if (answer.disabled.empty()) return;
    (answer.disabled == "gone" ? meters_.disabled_gone : meters_.disabled_failing).add();
    log_delivery(log::Level::warning, "webhook.endpoint_disabled", delivery,
                 {{"endpoint", delivery.endpoint_id.to_string()}, {"reason", answer.disabled}});
}

// False when there was nothing.
bool Dispatcher::send_due() {
    const int room = config_.max_in_flight - in_flight_;
    if (room <= 0) return true;
    metadata::WebhookClaim wanted;
    wanted.node = node_;
    wanted.limit = room;
    wanted.per_endpoint = config_.max_in_flight_per_endpoint;
    wanted.per_account = config_.max_in_flight_per_account;
    wanted.lease = config_.timeout + lease_beyond_timeout;
    auto claimed = store_.webhooks().claim(wanted);
    if (!claimed) {
        if (!store_away_) log::warning("webhooks.not_claimed", {{"detail", claimed.error().detail}});
        store_away_ = true;
        return false;
    }
    store_away_ = false;
    for (metadata::ClaimedDelivery& delivery : *claimed) send(std::move(delivery));
    return !claimed->empty();
}

void Dispatcher::send(metadata::ClaimedDelivery delivery) {
    std::string body;
    if (delivery.body) {
        body = *delivery.body;
    } else {
        std::optional<std::string> job;
        if (delivery.job_id) {
            auto text = job_text_(delivery.account_id, *delivery.job_id);
            if (!text) {  // the database, again: the delivery comes back when its lease is over
                log::warning("webhook.not_made",
                             {{"delivery", delivery.id.to_string()}, {"detail", text.error().detail}});
                return;
            }
            job = *std::move(text);
        }
        body = event_body(delivery, job);
    }
    const std::string id = delivery.id.to_string();
    const std::int64_t now = to_unix_seconds(delivery.now);
    const auto trace = new_span_of(delivery);
    Outgoing message{
        .url = delivery.url,
        .headers = {"Content-Type: application/json", "webhook-id: " + id, "webhook-timestamp: " + std::to_string(now),
                    "webhook-signature: " + signature_header(delivery.secrets, id, now, body)},
        .body = body};
    if (trace) add_trace_headers(message.headers, *trace, delivery);
    ++in_flight_;
    sender_->send(std::move(message),
                  [this, delivery = std::move(delivery), body = std::move(body), trace](Outcome outcome) mutable {
                      finish({std::move(delivery), std::move(body), trace, std::move(outcome)});
                  });
}

void Dispatcher::remove_old() {
    clean_at_ = Steady::now() + time_between_cleanings;
    const auto removed = store_.webhooks().remove_old(config_.keep_deliveries, removed_at_once);
    if (!removed) log::warning("webhooks.not_cleaned", {{"detail", removed.error().detail}});
    if (removed && *removed == removed_at_once) clean_at_ = Steady::now();
}

}  // namespace tessera::webhooks
