// The sweeper: removes, in small steps, what expired and what a lost attempt left behind. Readers never see it work:
// queries refuse expired things from the instant they expire. One node at a time sweeps.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>

#include "core/clock.hpp"
#include "core/periodic_thread.hpp"
#include "core/result.hpp"

namespace tessera::metadata {
class Store;
}
namespace tessera::blobs {
class BlobStore;
}

namespace tessera::service {

// Every member is a configuration key under "retention." of the same name.
struct SweeperConfig {
    Millis interval{60'000};
    int batch = 200;                                     // rows or blobs of one step
    Millis ended_jobs{std::chrono::hours(24 * 30)};      // how long a job without artifacts stays readable
    Millis daily_usage{std::chrono::hours(24 * 400)};    // how long counts of a day stay
    Millis keep_old_versions{std::chrono::hours(2)};     // of tilesets, after they were replaced
    Millis keep_blobs{std::chrono::minutes(10)};         // after nothing names them: readers may be in the middle
    Millis orphan_scan_interval{std::chrono::hours(6)};  // how often all blobs are compared with the rows
    Millis orphan_age{std::chrono::hours(24)};           // younger blobs may belong to work that is under way
};

struct SweepReport {
    std::int64_t rows = 0;
    std::int64_t jobs = 0;
    std::int64_t days = 0;  // counts of days
    std::int64_t blobs = 0;
    std::int64_t orphans = 0;     // found unnamed; they are deleted by a later sweep
    std::int64_t unfinished = 0;  // half written by processes that died

    [[nodiscard]] std::int64_t total() const { return rows + jobs + days + blobs + orphans + unfinished; }
};

class Sweeper {
  public:
    Sweeper(metadata::Store& store, blobs::BlobStore& blobs, const Clock& clock, SweeperConfig config);
    Sweeper(const Sweeper&) = delete;
    Sweeper& operator=(const Sweeper&) = delete;
    ~Sweeper();  // stop()

    void start();
    void stop();  // after the step at hand; safe twice

    // One whole sweep, on the caller's thread. Empty when another node is sweeping.
    [[nodiscard]] Result<std::optional<SweepReport>> sweep(const std::stop_token& stop = {});

  private:
    using Steady = std::chrono::steady_clock;

    [[nodiscard]] Result<bool> hold_lease();
    [[nodiscard]] bool is_still_ours();  // renews the lease where it is time to
    [[nodiscard]] Result<void> remove_rows(SweepReport& report, const std::stop_token& stop);
    [[nodiscard]] Result<void> remove_jobs(SweepReport& report, const std::stop_token& stop);
    [[nodiscard]] Result<void> forget_days(SweepReport& report, const std::stop_token& stop);
    [[nodiscard]] Result<void> delete_blobs(SweepReport& report, const std::stop_token& stop);
    [[nodiscard]] Result<void> find_orphans(SweepReport& report, const std::stop_token& stop);
    Millis sweep_or_renew(const std::stop_token& stop);  // how long until there is something to do

    metadata::Store& store_;
    blobs::BlobStore& blobs_;
    const Clock& clock_;
    const SweeperConfig config_;
    const std::string name_;
    bool ours_ = false;  // the lease, when it was last asked for
    Steady::time_point held_at_;
    std::optional<Steady::time_point> scanned_at_;
    Steady::time_point due_;  // the next sweep
    PeriodicThread thread_;
};

}  // namespace tessera::service
