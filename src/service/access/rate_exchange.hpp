// Makes the limits of nodes that share a database one: every fifth of a second, or sooner when a window of which little
// is known is used, or much of one, it tells the database what was admitted here and learns what all nodes admitted
// together. While the database is away each node keeps its own limits.
#pragma once

#include "core/clock.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class RateCounters;
}

namespace tessera::service {

class InProcessRateLimiter;

class RateExchange {
  public:
    struct Pace {
        Millis interval{200};  // what happened elsewhere is known here this much later at most
        Millis shortest{20};   // between two exchanges, however urgent
        Millis after_failure{1'000};
    };

    // Both must outlive this.
    RateExchange(InProcessRateLimiter& limiter, metadata::RateCounters& counters, Pace pace);
    RateExchange(InProcessRateLimiter& limiter, metadata::RateCounters& counters);
    RateExchange(const RateExchange&) = delete;
    RateExchange& operator=(const RateExchange&) = delete;
    ~RateExchange();  // stop()

    void start();
    void stop();  // with a last exchange; safe twice

    // One exchange of all that is new.
    Result<void> exchange();

  private:
    PeriodicThread::Rest exchange_and_rest();

    InProcessRateLimiter& limiter_;
    metadata::RateCounters& counters_;
    const Pace pace_;
    bool failed_ = false;  // the last exchange
    PeriodicThread thread_;
};

}  // namespace tessera::service
