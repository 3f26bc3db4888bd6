// Takes what is due from the outbox, has it sent, and records how it went. Any number of nodes do so on one database;
// one that dies leaves its claims to the others.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/periodic_thread.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"
#include "metadata/store.hpp"
#include "metadata/webhooks.hpp"
#include "webhooks/config.hpp"
#include "webhooks/delivery_span.hpp"
#include "webhooks/meters.hpp"
#include "webhooks/schedule.hpp"
#include "webhooks/sender.hpp"

namespace tessera::telemetry {
class Tracer;
}

namespace tessera::webhooks {

// The job as the interface shows it, in JSON; nothing where it is gone.
using JobText = std::function<Result<std::optional<std::string>>(const Uuid& account_id, const Uuid& job_id)>;

struct Identity {
    std::string node;     // unique to this process, and never used again
    std::string version;  // of the program, for User-Agent
};

class Dispatcher {
  public:
    // `tracer`, where there is one, outlives it.
    Dispatcher(metadata::Store& store, JobText job_text, WebhooksConfig config, const Identity& identity,
               telemetry::Tracer* tracer = nullptr);
    Dispatcher(const Dispatcher&) = delete;
    Dispatcher& operator=(const Dispatcher&) = delete;
    ~Dispatcher();  // stop()

    void start();
    // Takes nothing more, and waits for what is on its way. Safe twice.
    void stop();

    [[nodiscard]] const WebhookMeters& meters() const { return meters_; }

  private:
    using Steady = std::chrono::steady_clock;
    struct Sent {
        metadata::ClaimedDelivery delivery;
        std::string body;
        std::optional<DeliveryTrace> trace;
        Outcome outcome;
    };

    PeriodicThread::Rest step();
    void record_finished();
    [[nodiscard]] bool record(const Sent& sent);
    void tell(const Sent& sent, const metadata::AttemptRecord& attempt, const metadata::RecordAnswer& answer);
    [[nodiscard]] bool send_due();
    void send(metadata::ClaimedDelivery delivery);
    void finish(Sent sent);  // on the sender's thread
    void remove_old();

    metadata::Store& store_;
    const JobText job_text_;
    const WebhooksConfig config_;
    const Schedule schedule_;
    const std::string node_;
    telemetry::Tracer* const tracer_;  // null: no traces are sent
    WebhookMeters meters_;
    std::mutex mutex_;
    std::vector<Sent> finished_;
    std::vector<Sent> unrecorded_;  // of the thread alone, as are those below
    int in_flight_ = 0;             // claimed and not recorded
    bool store_away_ = false;
    Steady::time_point clean_at_;
    std::unique_ptr<Sender> sender_;
    PeriodicThread thread_;
    std::unique_ptr<metadata::Subscription> subscription_;
};

}  // namespace tessera::webhooks
