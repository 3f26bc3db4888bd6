// The engines of a pool: who is free, who waits for one, and one thread that starts, replaces and buries them, so that
// no caller ever pays for a start.
#pragma once

#include <condition_variable>
#include <deque>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <thread>
#include <vector>

#include "engine/engine_process.hpp"
#include "engine/pool.hpp"
#include "engine/spawner.hpp"

namespace tessera::engine {

enum class Lane : std::size_t { probe, job };

enum class Shortage { timed_out, stopped };

class Roster {
  public:
    explicit Roster(PoolConfig config);
    ~Roster();

    // Blocks until the first engine of each lane is there, or the first start has failed.
    Result<void> open();
    // Ends every engine, the busy ones too, and waits until callers have given them back. Safe twice.
    void close();

    // An engine for the caller's use alone, and the threads of idle slots with it where the caller's work spreads.
    Result<std::unique_ptr<EngineProcess>, Shortage> acquire(Lane lane, const std::stop_token& stop, bool spreads);
    // In good health: it may serve again or be due for replacement.
    void give_back(Lane lane, std::unique_ptr<EngineProcess> engine);
    // Dead or not to be trusted any more.
    void lost(Lane lane, std::unique_ptr<EngineProcess> engine, bool by_us);

    [[nodiscard]] PoolCounters counters() const;
    [[nodiscard]] std::vector<Protection> protections() const;
    [[nodiscard]] bool ready() const;
    [[nodiscard]] EngineTerms terms(Lane lane) const;

  private:
    struct LaneState {
        int wanted = 0;
        int existing = 0;  // idle, busy or being started
        int waiting = 0;
        int busy = 0;
        int lent = 0;                                     // of those that are not busy, to those that are
        std::deque<std::unique_ptr<EngineProcess>> idle;  // most recently used in front
        std::condition_variable_any freed;
    };

    [[nodiscard]] int slots_to_lend(const LaneState& lane) const;
    void take_back(LaneState& lane, EngineProcess& engine);
    void keep(const std::stop_token& stop);
    bool start_missing(std::unique_lock<std::mutex>& lock, Spawner& spawner);
    void retire_stale(std::unique_lock<std::mutex>& lock);
    void bury(std::unique_lock<std::mutex>& lock);
    void discard(LaneState& lane, std::unique_ptr<EngineProcess> engine);
    void died_idle(EngineProcess& engine);
    [[nodiscard]] bool worn_out(const EngineProcess& engine) const;
    [[nodiscard]] int missing() const;
    LaneState& state(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }

    PoolConfig config_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;  // for the keeper and for close()
    LaneState lanes_[2];
    std::list<std::unique_ptr<EngineProcess>> graves_;
    std::set<EngineProcess*> busy_;
    std::set<int> slots_;
    std::optional<Result<void>> first_start_;
    std::vector<Protection> protections_;
    PoolCounters counters_;
    bool closed_ = false;
    bool layout_known_ = false;  // an engine crashed, and whoever made it may have learnt from that
    std::jthread keeper_;
};

}  // namespace tessera::engine
