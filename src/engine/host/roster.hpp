// The engines of a pool: who is free and for whom, who waits for one, and one thread that starts, replaces and buries
// them, so that callers hardly ever pay for a start. An engine works for one account and for no other after it; some
// that have not worked yet are always at hand, and some that have are kept for the next task of their account.
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

#include "engine/host/engine_process.hpp"
#include "engine/host/pool.hpp"
#include "engine/host/spawner.hpp"

namespace tessera::engine {

enum class Lane : std::size_t { probe, job, preview };

enum class Shortage { timed_out, stopped };

class Roster {
  public:
    explicit Roster(PoolConfig config);
    ~Roster();

    // Blocks until the first engine of each lane is there, or the first start has failed.
    Result<void> open();
    // Ends every engine, the busy ones too, and waits until callers have given them back. Safe twice.
    void close();

    // An engine for the caller's use alone, which has worked for `account` or for nobody; and the threads of idle slots
    // with it where the caller's work spreads.
    Result<std::unique_ptr<EngineProcess>, Shortage> acquire(Lane lane, const Uuid& account,
                                                             const std::stop_token& stop, bool spreads);
    // In good health: it may serve again or be due for replacement.
    void give_back(Lane lane, std::unique_ptr<EngineProcess> engine);
    // Dead or not to be trusted any more.
    void lost(Lane lane, std::unique_ptr<EngineProcess> engine, bool by_us);

    [[nodiscard]] PoolCounters counters() const;
    [[nodiscard]] std::vector<Protection> protections() const;
    [[nodiscard]] bool ready() const;
    [[nodiscard]] EngineTerms terms(Lane lane) const;

  private:
    using Engine = std::unique_ptr<EngineProcess>;

    struct Waiter {
        const Uuid& account;
        Engine engine;  // once it is granted
        std::condition_variable_any granted;
    };
    struct LaneState {
        int slots = 0;         // engines that may be busy at once
        bool at_hand = false;  // some wait for work; otherwise they are started for whoever waits
        int busy = 0;
        int lent = 0;  // of those that are not busy, to those that are
        int starting = 0;
        std::deque<Engine> fresh;    // have worked for nobody
        std::list<Engine> kept;      // have worked, and wait for their account's next task; the last used in front
        std::list<Waiter*> waiting;  // in order of arrival

        [[nodiscard]] int started() const {
            return busy + static_cast<int>(fresh.size()) + static_cast<int>(kept.size());
        }
        [[nodiscard]] int existing() const { return started() + starting; }
    };

    void grant(LaneState& lane);
    void count(Lane which);
    [[nodiscard]] Engine take_for(LaneState& lane, const Uuid& account);
    [[nodiscard]] bool suits(const EngineProcess& engine, const Uuid& account) const;
    [[nodiscard]] int slots_to_lend(const LaneState& lane) const;
    void take_back(LaneState& lane, EngineProcess& engine);
    void keep(const std::stop_token& stop);
    [[nodiscard]] std::optional<Lane> lane_in_need() const;
    [[nodiscard]] int fresh_wanted(const LaneState& lane) const;
    bool start_missing(std::unique_lock<std::mutex>& lock, Spawner& spawner);
    Result<NewEngine> start_one(Spawner& spawner, int slot, Lane lane);
    void retire_stale();
    // Those that died or that `is_due` says are.
    template <typename Idle, typename Due>
    void retire_from(Idle& idle, Due is_due);
    void bury(std::unique_lock<std::mutex>& lock);
    void discard(Engine engine);
    void died_idle(EngineProcess& engine);
    [[nodiscard]] bool worn_out(const EngineProcess& engine) const;
    LaneState& state(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }

    PoolConfig config_;
    mutable std::mutex mutex_;
    std::condition_variable_any changed_;  // for the keeper and for close()
    LaneState lanes_[3];
    std::list<Engine> graves_;
    std::set<EngineProcess*> busy_;
    std::set<int> numbers_;  // of the living
    std::optional<Result<void>> first_start_;
    std::vector<Protection> protections_;
    PoolCounters counters_;
    bool closed_ = false;
    bool last_start_failed_ = false;
    bool layout_known_ = false;  // an engine crashed, and whoever made it may have learnt from that
    std::jthread keeper_;
};

}  // namespace tessera::engine
