// The roster's one thread of its own: it starts engines before they are needed, and ends those that are not any more.
#include <algorithm>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "engine/host/roster.hpp"
#include "engine/sandbox/sandbox.hpp"

namespace tessera::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds check_interval{1'000};  // for engines that died or aged while idle
constexpr std::chrono::milliseconds first_pause{100};       // after a start that failed; doubled up to:
constexpr std::chrono::milliseconds longest_pause{5'000};
constexpr int most_in_reserve = 4;                       // fresh engines, where nobody waits for one
constexpr std::chrono::milliseconds spare_rest{60'000};  // for engines beyond one for each slot

}  // namespace

void Roster::keep(const std::stop_token& stop) {
    Spawner spawner(config_);
    auto pause = first_pause;
    auto next_look = Clock::now();
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        if (const auto now = Clock::now(); now >= next_look) {
            retire_stale();
            next_look = now + check_interval;
        }
        if (std::exchange(layout_known_, false)) spawner.renew_template();
        const bool ok = closed_ || start_missing(lock, spawner);
        bury(lock);
        if (ok) {
            pause = first_pause;
            const auto due = [&] { return !graves_.empty() || (!closed_ && lane_in_need()); };
            changed_.wait_for(lock, stop, check_interval, due);
        } else {
            changed_.wait_for(lock, stop, pause, [&] { return closed_; });
            pause = std::min(pause * 2, longest_pause);
        }
    }
    bury(lock);
}

// A few in reserve, and one for each who waits and could work if only there were one.
int Roster::fresh_wanted(const LaneState& lane) const {
    const auto waits_for_fresh = [&](const Waiter* waiter) {
        return std::ranges::none_of(lane.kept, [&](const Engine& kept) { return suits(*kept, waiter->account); });
    };
    const auto in_want = static_cast<int>(std::ranges::count_if(lane.waiting, waits_for_fresh));
    const int reserve = lane.at_hand ? std::min(lane.slots, most_in_reserve) : 0;
    return reserve + std::min(in_want, lane.slots - lane.busy);
}

// Where somebody waits, then where the reserve is not full; the probe lane first.
std::optional<Lane> Roster::lane_in_need() const {
    std::optional<Lane> found;
    for (const Lane which : {Lane::probe, Lane::job, Lane::preview}) {
        const LaneState& lane = lanes_[static_cast<std::size_t>(which)];
        if (static_cast<int>(lane.fresh.size()) >= fresh_wanted(lane)) continue;
        if (lane.existing() == 0 || (lane.fresh.empty() && !lane.waiting.empty())) return which;
        if (!found) found = which;
    }
    return found;
}

Result<NewEngine> Roster::start_one(Spawner& spawner, int number, Lane lane) {
    auto made = spawner.start_engine(number, terms(lane));
    if (made && config_.sandbox.required && !is_complete(made->protections)) {
        return internal_error("engine: the sandbox is required and incomplete: " + describe(made->protections));
    }
    return made;
}

// Starts one engine for each that is missing, one at a time and with the lock open.
bool Roster::start_missing(std::unique_lock<std::mutex>& lock, Spawner& spawner) {
    while (const std::optional<Lane> which = closed_ ? std::nullopt : lane_in_need()) {
        LaneState& lane = state(*which);
        ++lane.starting;
        int number = 0;
        while (numbers_.contains(number)) ++number;
        numbers_.insert(number);
        lock.unlock();
        auto made = start_one(spawner, number, *which);
        lock.lock();
        --lane.starting;
        last_start_failed_ = !made.ok();
        if (!made) {
            numbers_.erase(number);
            log::error("engine_start_failed", {{"detail", made.error().detail}});
            if (!first_start_) first_start_ = made.error();
            changed_.notify_all();
            return false;
        }
        ++counters_.spawned;
        made->process->slot = number;
        protections_ = std::move(made->protections);
        lane.fresh.push_back(std::move(made->process));
        grant(lane);
        const bool each_lane_has_one =
            std::ranges::all_of(lanes_, [](const LaneState& l) { return !l.at_hand || l.existing() > 0; });
        if (!first_start_ && each_lane_has_one) {
            first_start_ = Result<void>();
            changed_.notify_all();
        }
        if (!graves_.empty()) bury(lock);
    }
    return true;
}

template <typename Idle, typename Due>
void Roster::retire_from(Idle& idle, Due is_due) {
    for (auto engine = idle.begin(); engine != idle.end();) {
        const bool dead = !(*engine)->alive();
        if (!dead && !is_due(**engine)) {
            ++engine;
            continue;
        }
        if (dead) {
            died_idle(**engine);
        } else {
            ++counters_.recycled;
        }
        graves_.push_back(std::move(*engine));
        engine = idle.erase(engine);
    }
}

// Idle engines that died, or have been idle so long that their memory is better given back.
void Roster::retire_stale() {
    const auto now = Clock::now();
    const auto spare = std::min(spare_rest, config_.recycle_when_idle);
    for (LaneState& lane : lanes_) {
        retire_from(lane.fresh, [](const EngineProcess&) { return false; });
        int place = 0;
        retire_from(lane.kept, [&](const EngineProcess& engine) {
            if (engine.disk_use().names > 0) return true;  // with no task: it is no longer ours
            return now - engine.idle_since > (++place > lane.slots ? spare : config_.recycle_when_idle);
        });
    }
}

// Kills, waits for and cleans up after the discarded, with the lock open.
void Roster::bury(std::unique_lock<std::mutex>& lock) {
    while (!graves_.empty()) {
        auto engine = std::move(graves_.front());
        graves_.pop_front();
        const int number = engine->slot;
        lock.unlock();
        engine.reset();
        lock.lock();
        numbers_.erase(number);
    }
}

}  // namespace tessera::engine
