// Sends spans from a thread of its own. Whoever has one hands it over and goes on: a queue of bounded length takes it,
// or it is dropped and counted. What may be taken later is sent again, after growing pauses; the rest of the service
// never waits for any of it.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "telemetry/config.hpp"
#include "telemetry/meters.hpp"
#include "telemetry/otlp_json.hpp"
#include "telemetry/otlp_sender.hpp"
#include "telemetry/span.hpp"

namespace tessera::telemetry {

class Exporter {
  public:
    Exporter(TracesConfig config, Resource resource, Send send);
    Exporter(const Exporter&) = delete;
    Exporter& operator=(const Exporter&) = delete;
    ~Exporter();  // stop()

    void start();
    // Sends what waits, for no longer than `config.stop_timeout`. Safe twice.
    void stop();

    void add(Span span);
    [[nodiscard]] const TraceMeters& meters() const { return meters_; }

  private:
    using Steady = std::chrono::steady_clock;

    void work();
    [[nodiscard]] std::vector<Span> next_batch();
    void send(std::span<const Span> batch);
    [[nodiscard]] bool is_over();             // the time for the end, too
    [[nodiscard]] Millis time_for_attempt();  // less when the end is near
    [[nodiscard]] bool rest(Millis pause);    // false: there is no time for another attempt
    [[nodiscard]] Millis pause_after(int attempts, const Answer& answer) const;
    void tell_of_trouble(const Answer& answer);
    void tell_of_success();
    void drop(Counter& counter, std::size_t spans);

    const TracesConfig config_;
    const Resource resource_;
    const Send send_;
    TraceMeters meters_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Span> waiting_;
    std::optional<Steady::time_point> end_by_;  // once it is to stop
    bool told_of_drops_ = false;
    bool dropped_lately_ = false;   // since the last batch that was taken
    bool told_of_trouble_ = false;  // of the thread alone
    std::thread thread_;
};

}  // namespace tessera::telemetry
