#include "engine/host/roster.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/log.hpp"
#include "engine/host/verdict.hpp"

namespace tessera::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t probe_file_limit = 65'536;  // for last words: a probe writes nothing
constexpr std::int64_t probe_memory_limit = std::int64_t{1} << 30;
constexpr int most_helpers = 7;  // of a job: whatever feeds them does not keep more busy, and each takes some memory

}  // namespace

Roster::Roster(PoolConfig config) : config_(std::move(config)) {
    state(Lane::probe).slots = std::max(0, config_.probe_engines);
    state(Lane::job).slots = std::max(0, config_.job_engines);
    state(Lane::preview).slots = std::max(0, config_.preview_engines);
    for (const Lane which : {Lane::probe, Lane::job}) state(which).at_hand = state(which).slots > 0;
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
        for (LaneState& lane : lanes_) {
            for (Waiter* waiter : lane.waiting) waiter->granted.notify_all();
        }
        const auto all_back = [&] {
            return busy_.empty() &&
                   std::ranges::all_of(lanes_, [](const LaneState& lane) { return lane.waiting.empty(); });
        };
        changed_.wait(lock, all_back);
    }
    keeper_.request_stop();
    if (keeper_.joinable()) keeper_.join();
    const std::scoped_lock lock(mutex_);
    graves_.clear();
    for (LaneState& lane : lanes_) {
        lane.fresh.clear();
        lane.kept.clear();
    }
}

Result<std::unique_ptr<EngineProcess>, Shortage> Roster::acquire(Lane which, const Uuid& account,
                                                                 const std::stop_token& stop, bool spreads) {
    LaneState& lane = state(which);
    if (lane.slots == 0) return Shortage::timed_out;  // it would be in vain
    const auto deadline = Clock::now() + config_.max_wait;
    Waiter waiter{account, nullptr, {}};
    std::unique_lock lock(mutex_);
    lane.waiting.push_back(&waiter);
    grant(lane);
    if (!waiter.engine) {
        changed_.notify_all();  // it may take one that is yet to be started
        waiter.granted.wait_until(lock, stop, deadline, [&] { return closed_ || waiter.engine; });
    }
    if (!waiter.engine) {
        lane.waiting.remove(&waiter);
        if (closed_) changed_.notify_all();
        return closed_ || stop.stop_requested() ? Shortage::stopped : Shortage::timed_out;
    }
    waiter.engine->borrowed = spreads ? slots_to_lend(lane) : 0;
    lane.lent += waiter.engine->borrowed;
    return std::move(waiter.engine);
}

// In order of arrival; whoever needs an engine that is yet to be started lets the others pass.
void Roster::grant(LaneState& lane) {
    if (closed_) return;
    for (auto next = lane.waiting.begin(); next != lane.waiting.end() && lane.busy < lane.slots;) {
        Waiter& waiter = **next;
        waiter.engine = take_for(lane, waiter.account);
        if (!waiter.engine) {
            ++next;
            continue;
        }
        waiter.engine->channel().forget_wakes();
        waiter.engine->account = waiter.account;
        busy_.insert(waiter.engine.get());
        ++lane.busy;
        waiter.granted.notify_all();
        next = lane.waiting.erase(next);
    }
}

bool Roster::suits(const EngineProcess& engine, const Uuid& account) const {
    return config_.share_between_accounts || engine.account == account;
}

std::unique_ptr<EngineProcess> Roster::take_for(LaneState& lane, const Uuid& account) {
    while (true) {
        const auto own = std::ranges::find_if(lane.kept, [&](const Engine& kept) { return suits(*kept, account); });
        Engine engine;
        if (own != lane.kept.end()) {
            engine = std::move(*own);
            lane.kept.erase(own);
        } else if (!lane.fresh.empty()) {
            engine = std::move(lane.fresh.front());
            lane.fresh.pop_front();
            changed_.notify_all();  // for its successor to be started while it works
        } else {
            return nullptr;
        }
        if (engine->alive()) return engine;
        died_idle(*engine);  // killed behind our back
        discard(std::move(engine));
    }
}

// Slots that nobody uses or waits for. A job that starts later in one that is lent has its own threads all the same:
// those that were lent give way.
int Roster::slots_to_lend(const LaneState& lane) const {
    if (!config_.lend_idle_slots || !lane.waiting.empty()) return 0;
    return std::clamp(lane.slots - lane.busy - lane.lent, 0, most_helpers / std::max(1, config_.threads_per_job));
}

void Roster::take_back(LaneState& lane, EngineProcess& engine) {
    busy_.erase(&engine);
    --lane.busy;
    lane.lent -= std::exchange(engine.borrowed, 0);
}

void Roster::count(Lane which) {
    switch (which) {
        case Lane::probe: ++counters_.probes; break;
        case Lane::job: ++counters_.tasks; break;
        case Lane::preview: ++counters_.previews; break;
    }
}

void Roster::give_back(Lane which, std::unique_ptr<EngineProcess> engine) {
    ++engine->tasks_done;
    const bool replace = worn_out(*engine);
    const std::scoped_lock lock(mutex_);
    LaneState& lane = state(which);
    take_back(lane, *engine);
    count(which);
    if (closed_ || replace) {
        if (replace) ++counters_.recycled;
        discard(std::move(engine));
    } else {
        engine->idle_since = Clock::now();
        lane.kept.push_front(std::move(engine));
    }
    grant(lane);
    if (static_cast<int>(lane.kept.size()) > lane.slots + config_.kept_engines) {
        ++counters_.recycled;
        discard(std::move(lane.kept.back()));
        lane.kept.pop_back();
    }
}

void Roster::lost(Lane which, std::unique_ptr<EngineProcess> engine, bool by_us) {
    const std::scoped_lock lock(mutex_);
    LaneState& lane = state(which);
    take_back(lane, *engine);
    count(which);
    ++(by_us ? counters_.killed : counters_.crashed);
    if (!by_us) layout_known_ = true;
    discard(std::move(engine));
    grant(lane);
}

// The keeper does the killing and the starting; `engine` no longer counts.
void Roster::discard(std::unique_ptr<EngineProcess> engine) {
    graves_.push_back(std::move(engine));
    changed_.notify_all();
}

void Roster::died_idle(EngineProcess& engine) {
    ++counters_.crashed;
    log::warning("engine_lost",
                 {{"pid", engine.pid()}, {"detail", how_it_ended(engine.kill_and_reap(), engine.last_words())}});
}

bool Roster::worn_out(const EngineProcess& engine) const {
    return engine.misbehaved || engine.has_given_way() || engine.tasks_done >= config_.recycle_after_tasks ||
           engine.resident_bytes() > config_.recycle_above_bytes;
}

PoolCounters Roster::counters() const {
    const std::scoped_lock lock(mutex_);
    PoolCounters now = counters_;
    for (const LaneState& lane : lanes_) {
        now.engines += lane.existing();
        now.waiting += static_cast<std::int64_t>(lane.waiting.size());
        now.lent += lane.lent;
    }
    now.busy = static_cast<std::int64_t>(busy_.size());
    return now;
}

std::vector<Protection> Roster::protections() const {
    const std::scoped_lock lock(mutex_);
    return protections_;
}

// A lane whose engines have all crashed can work nevertheless: others are on their way, unless none can be started. One
// tenant's file that crashes engines must not take the node out of its balancer.
bool Roster::ready() const {
    const std::scoped_lock lock(mutex_);
    if (closed_) return false;
    return !last_start_failed_ ||
           std::ranges::all_of(lanes_, [](const LaneState& lane) { return !lane.at_hand || lane.started() > 0; });
}

EngineTerms Roster::terms(Lane lane) const {
    if (lane == Lane::job) return {config_.threads_per_job, config_.memory_limit_bytes, config_.max_file_bytes};
    if (lane == Lane::preview) return {1, config_.memory_limit_bytes, config_.max_file_bytes};
    return {1, std::min(config_.memory_limit_bytes, probe_memory_limit), probe_file_limit};
}

}  // namespace tessera::engine
