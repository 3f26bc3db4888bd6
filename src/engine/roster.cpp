#include "engine/roster.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "engine/sandbox.hpp"
#include "engine/verdict.hpp"

namespace tessera::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds check_interval{1'000};  // for engines that died or aged while idle
constexpr std::chrono::milliseconds first_pause{100};       // after a start that failed; doubled up to:
constexpr std::chrono::milliseconds longest_pause{5'000};
constexpr std::int64_t probe_file_limit = 65'536;  // for last words: a probe writes nothing
constexpr std::int64_t probe_memory_limit = std::int64_t{1} << 30;
constexpr int most_helpers = 7;  // of a job: whatever feeds them does not keep more busy, and each takes some memory

}  // namespace

Roster::Roster(PoolConfig config) : config_(std::move(config)) {
    state(Lane::probe).wanted = std::max(0, config_.probe_engines);
    state(Lane::job).wanted = std::max(0, config_.job_engines);
}

Roster::~Roster() {
    close();
}

Result<void> Roster::open() {
    keeper_ = std::jthread([this](const std::stop_token& stop) { keep(stop); });
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return first_start_.has_value(); });
    return *first_start_;
}

void Roster::close() {
    {
        std::unique_lock lock(mutex_);
        closed_ = true;
        for (EngineProcess* engine : busy_) engine->channel().wake();
        for (LaneState& lane : lanes_) lane.freed.notify_all();
        const auto all_back = [&] {
            return busy_.empty() &&
                   std::ranges::all_of(lanes_, [](const LaneState& lane) { return lane.waiting == 0; });
        };
        changed_.wait(lock, all_back);
    }
    keeper_.request_stop();
    if (keeper_.joinable()) keeper_.join();
    const std::scoped_lock lock(mutex_);
    graves_.clear();
    for (LaneState& lane : lanes_) {
        lane.existing -= static_cast<int>(lane.idle.size());
        lane.idle.clear();
    }
}

Result<std::unique_ptr<EngineProcess>, Shortage> Roster::acquire(Lane which, const std::stop_token& stop,
                                                                 bool spreads) {
    LaneState& lane = state(which);
    if (lane.wanted == 0) return Shortage::timed_out;  // it would be in vain
    const auto deadline = Clock::now() + config_.max_wait;
    std::unique_lock lock(mutex_);
    while (true) {
        while (!lane.idle.empty() && !closed_) {
            auto engine = std::move(lane.idle.front());
            lane.idle.pop_front();
            if (!engine->alive()) {  // killed behind our back
                died_idle(*engine);
                discard(lane, std::move(engine));
                continue;
            }
            engine->channel().forget_wakes();
            busy_.insert(engine.get());
            ++lane.busy;
            engine->borrowed = spreads ? slots_to_lend(lane) : 0;
            lane.lent += engine->borrowed;
            return engine;
        }
        ++lane.waiting;
        lane.freed.wait_until(lock, stop, deadline, [&] { return closed_ || !lane.idle.empty(); });
        --lane.waiting;
        if (closed_) changed_.notify_all();
        if (closed_ || stop.stop_requested()) return Shortage::stopped;
        if (lane.idle.empty() && Clock::now() >= deadline) return Shortage::timed_out;
    }
}

// Slots that nobody uses or waits for. A job that starts later in one that is lent has its own threads all the same:
// those that were lent give way.
int Roster::slots_to_lend(const LaneState& lane) const {
    if (!config_.lend_idle_slots || lane.waiting > 0) return 0;
    return std::clamp(lane.wanted - lane.busy - lane.lent, 0, most_helpers / std::max(1, config_.threads_per_job));
}

void Roster::take_back(LaneState& lane, EngineProcess& engine) {
    busy_.erase(&engine);
    --lane.busy;
    lane.lent -= std::exchange(engine.borrowed, 0);
}

void Roster::give_back(Lane which, std::unique_ptr<EngineProcess> engine) {
    ++engine->tasks_done;
    const bool replace = worn_out(*engine);
    const std::scoped_lock lock(mutex_);
    LaneState& lane = state(which);
    take_back(lane, *engine);
    ++(which == Lane::probe ? counters_.probes : counters_.tasks);
    if (closed_ || replace) {
        if (replace) ++counters_.recycled;
        discard(lane, std::move(engine));
        return;
    }
    engine->idle_since = Clock::now();
    lane.idle.push_front(std::move(engine));
    lane.freed.notify_one();
}

void Roster::lost(Lane which, std::unique_ptr<EngineProcess> engine, bool by_us) {
    const std::scoped_lock lock(mutex_);
    take_back(state(which), *engine);
    ++(which == Lane::probe ? counters_.probes : counters_.tasks);
    ++(by_us ? counters_.killed : counters_.crashed);
    if (!by_us) layout_known_ = true;
    discard(state(which), std::move(engine));
}

// The keeper does the killing and the starting; `engine` no longer counts.
void Roster::discard(LaneState& lane, std::unique_ptr<EngineProcess> engine) {
    --lane.existing;
    graves_.push_back(std::move(engine));
    changed_.notify_all();
}

void Roster::died_idle(EngineProcess& engine) {
    ++counters_.crashed;
    log::warning("engine_lost",
                 {{"pid", engine.pid()}, {"detail", how_it_ended(engine.kill_and_reap(), engine.last_words())}});
}

bool Roster::worn_out(const EngineProcess& engine) const {
    return engine.misbehaved || engine.tasks_done >= config_.recycle_after_tasks ||
           engine.resident_bytes() > config_.recycle_above_bytes;
}

int Roster::missing() const {
    int count = 0;
    for (const LaneState& lane : lanes_) count += std::max(0, lane.wanted - lane.existing);
    return count;
}

void Roster::keep(const std::stop_token& stop) {
    Spawner spawner(config_);
    auto pause = first_pause;
    std::unique_lock lock(mutex_);
    while (!stop.stop_requested()) {
        bury(lock);
        retire_stale(lock);
        if (std::exchange(layout_known_, false)) spawner.renew_template();
        const bool ok = closed_ || start_missing(lock, spawner);
        if (ok) {
            pause = first_pause;
            const auto due = [&] { return !graves_.empty() || (!closed_ && missing() > 0); };
            changed_.wait_for(lock, stop, check_interval, due);
        } else {
            changed_.wait_for(lock, stop, pause, [&] { return closed_; });
            pause = std::min(pause * 2, longest_pause);
        }
    }
    bury(lock);
}

// Starts one engine for each that is missing, one at a time and with the lock open; the probe lane first.
bool Roster::start_missing(std::unique_lock<std::mutex>& lock, Spawner& spawner) {
    for (const Lane which : {Lane::probe, Lane::job}) {
        LaneState& lane = state(which);
        while (lane.existing < lane.wanted && !closed_) {
            ++lane.existing;
            int slot = 0;
            while (slots_.contains(slot)) ++slot;
            slots_.insert(slot);
            lock.unlock();
            auto made = spawner.start_engine(slot, terms(which));
            Result<void> result;
            if (!made) {
                result = made.error();
            } else if (config_.sandbox.required && !is_complete(made->protections)) {
                result =
                    internal_error("engine: the sandbox is required and incomplete: " + describe(made->protections));
                made->process.reset();
            }
            lock.lock();
            if (!result) {
                --lane.existing;
                slots_.erase(slot);
                log::error("engine_start_failed", {{"detail", result.error().detail}});
                if (!first_start_) first_start_ = result;
                changed_.notify_all();
                return false;
            }
            ++counters_.spawned;
            made->process->slot = slot;
            protections_ = std::move(made->protections);
            lane.idle.push_back(std::move(made->process));
            lane.freed.notify_one();
            const bool each_lane_has_one =
                std::ranges::all_of(lanes_, [](const LaneState& l) { return l.wanted == 0 || l.existing > 0; });
            if (!first_start_ && each_lane_has_one) {
                first_start_ = Result<void>();
                changed_.notify_all();
            }
        }
    }
    return true;
}

// Idle engines that died, or have been idle so long that their memory is better given back.
void Roster::retire_stale(std::unique_lock<std::mutex>&) {
    const auto now = Clock::now();
    for (LaneState& lane : lanes_) {
        for (auto engine = lane.idle.begin(); engine != lane.idle.end();) {
            const bool dead = !(*engine)->alive();
            const bool used = (*engine)->tasks_done > 0;
            const bool writes = used && (*engine)->disk_use().names > 0;  // with no task: it is no longer ours
            if (!dead && !writes && !(used && now - (*engine)->idle_since > config_.recycle_when_idle)) {
                ++engine;
                continue;
            }
            if (dead) {
                died_idle(**engine);
            } else {
                ++counters_.recycled;
            }
            --lane.existing;
            graves_.push_back(std::move(*engine));
            engine = lane.idle.erase(engine);
        }
    }
}

// Kills, waits for and cleans up after the discarded, with the lock open.
void Roster::bury(std::unique_lock<std::mutex>& lock) {
    while (!graves_.empty()) {
        auto engine = std::move(graves_.front());
        graves_.pop_front();
        const int slot = engine->slot;
        lock.unlock();
        engine.reset();
        lock.lock();
        slots_.erase(slot);
    }
}

PoolCounters Roster::counters() const {
    const std::scoped_lock lock(mutex_);
    PoolCounters now = counters_;
    for (const LaneState& lane : lanes_) {
        now.engines += lane.existing;
        now.waiting += lane.waiting;
        now.lent += lane.lent;
    }
    now.busy = static_cast<std::int64_t>(busy_.size());
    return now;
}

std::vector<Protection> Roster::protections() const {
    const std::scoped_lock lock(mutex_);
    return protections_;
}

bool Roster::ready() const {
    const std::scoped_lock lock(mutex_);
    return !closed_ &&
           std::ranges::all_of(lanes_, [](const LaneState& lane) { return lane.wanted == 0 || lane.existing > 0; });
}

EngineTerms Roster::terms(Lane lane) const {
    if (lane == Lane::job) return {config_.threads_per_job, config_.memory_limit_bytes, config_.max_file_bytes};
    return {1, std::min(config_.memory_limit_bytes, probe_memory_limit), probe_file_limit};
}

}  // namespace tessera::engine
