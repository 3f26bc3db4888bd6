// The request that a connection works on, from its head to the end of its answer. A new one for each.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "core/phase_times.hpp"
#include "http/message/request.hpp"
#include "http/message/request_id.hpp"
#include "http/message/response.hpp"
#include "http/server/stats.hpp"

namespace tessera::http {

// Is counted among a route's requests in flight while it lives.
class InFlight {
  public:
    explicit InFlight(RouteStats& stats) : stats_(&stats) { stats_->in_flight.add(); }
    InFlight(InFlight&& other) noexcept : stats_(std::exchange(other.stats_, nullptr)) {}
    InFlight& operator=(InFlight&& other) noexcept {
        std::swap(stats_, other.stats_);
        return *this;
    }
    ~InFlight() {
        if (stats_ != nullptr) stats_->in_flight.subtract();
    }
    [[nodiscard]] RouteStats& stats() const { return *stats_; }

  private:
    RouteStats* stats_;
};

struct CurrentRequest {
    using Clock = std::chrono::steady_clock;
    explicit CurrentRequest(RouteStats& stats) : in_flight(stats) {}

    const Clock::time_point started_at = Clock::now();
    InFlight in_flight;
    Request request;
    RequestId id;
    std::string gate_headers;
    std::shared_ptr<PhaseTimes> times;  // where somebody asked for them
    bool admitted = false;
    bool tried_on_loop = false;
    bool keep_alive = false;
    Answered answered;
    std::shared_ptr<BodySource> source;  // of an answer that goes on
};

}  // namespace tessera::http
