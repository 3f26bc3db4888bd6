#include "worker/worker.hpp"

#include <algorithm>

#include "core/job_log.hpp"

namespace tessera::worker {
namespace {

constexpr int most_prefetched = 32;
constexpr double prefetch_seconds = 0.03;  // of work per slot that is claimed ahead
constexpr int most_finishing = 32;         // out of the engine, waiting for disks
constexpr Millis storage_pause{500};       // between questions to a store that is away
constexpr Millis thread_rest{2'000};       // without a job, after which a thread ends and its memory is given back

int slots_from(int configured) {
    return configured > 0 ? configured : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string event_of(AttemptEnd end) {
    return "job." + std::string(to_string(end));
}

}  // namespace

Worker::Worker(metadata::Store& store, blobs::BlobStore& blobs, engine::Runner& runner,
               const operations::Registry& operations, const Clock& clock, WorkerConfig config, std::string name,
               telemetry::Tracer* tracer)
    : store_(store),
      config_(std::move(config)),
      slot_count_(slots_from(config_.slots)),
      heavy_limit_(std::max(1, slot_count_ - 1)),
      name_(std::move(name)),
      terms_(store),
      slots_(slot_count_),
      storage_(blobs, config_.disk),
      shop_{store, blobs, runner, operations, clock, config_, terms_, slots_, storage_, tracer},
      keeper_(store.queue(), config_),
      meters_(operations) {}

Worker::~Worker() {
    stop();
}

void Worker::start() {
    subscription_ = store_.on_jobs_available([this] {
        {
            const std::lock_guard lock(mutex_);
            signalled_ = true;
        }
        claimer_wakes_.notify_one();
    });
    cancellations_ = store_.on_change([this](const metadata::Change& change) {
        if (change.kind == metadata::Change::Kind::job_cancelled) keeper_.cancel(change.id);
    });
    claimer_ = std::thread([this] { claim_until_stopped(); });
}

void Worker::stop() {
    if (!claimer_.joinable()) return;
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    claimer_wakes_.notify_all();
    claimer_.join();
    subscription_.reset();

    const auto deadline = std::chrono::steady_clock::now() + config_.grace;
    if (!keeper_.wait_until_empty(deadline)) {
        log::info("worker.handing_back", {{"jobs", keeper_.count()}});
        keeper_.stop_all();
    }
    cancellations_.reset();
    job_waits_.notify_all();
    std::unique_lock lock(mutex_);
    all_left_.wait(lock, [&] { return threads_.empty(); });
    lock.unlock();
    join_those_that_left();
}

WorkerCounters Worker::counters() const {
    const std::lock_guard lock(mutex_);
    WorkerCounters counters = counters_;
    counters.in_hand = in_hand_;
    return counters;
}

// --- claiming ---

void Worker::claim_until_stopped() {
    std::unique_lock lock(mutex_);
    while (!stopping_) {
        claimer_wants_room_ = true;
        claimer_wakes_.wait(lock, [&] { return stopping_ || has_room_locked(); });
        claimer_wants_room_ = false;
        if (stopping_) return;
        wait_for_storage(lock);
        if (stopping_) return;
        const Room room = room_locked();
        signalled_ = false;
        lock.unlock();
        const bool more = claim_into(room);
        Millis at_most{0};
        if (!more) {
            const auto due = store_.queue().next_due();
            at_most = due && *due ? std::min(**due, config_.safety_poll) : config_.safety_poll;
        }
        lock.lock();
        if (!more) wait_for_work(lock, at_most);
    }
}

void Worker::wait_for_storage(std::unique_lock<std::mutex>& lock) {
    while (!stopping_) {
        lock.unlock();
        const bool back = storage_.is_back();
        lock.lock();
        if (back) return;
        claimer_wakes_.wait_for(lock, storage_pause, [&] { return stopping_.load(); });
    }
}

void Worker::wait_for_work(std::unique_lock<std::mutex>& lock, Millis at_most) {
    claimer_wakes_.wait_for(lock, std::max(at_most, Millis(1)), [&] { return stopping_ || signalled_; });
}

// Refills in gulps: with many tiny jobs, one claim fetches a handful.
bool Worker::has_room_locked() const {
    if (in_hand_ >= slot_count_ + most_prefetched + most_finishing) return false;
    return before_engine_ < slot_count_ + prefetch_locked() / 2 || before_engine_ < slot_count_;
}

Worker::Room Worker::room_locked() const {
    const int in_all = std::max(0, slot_count_ + prefetch_locked() - before_engine_);
    const int any = std::clamp(heavy_limit_ - heavy_, 0, in_all);
    return {any, in_all - any};
}

// Jobs claimed ahead wait here instead of in the queue, where another worker could have them: so only as many as will
// be done in a moment.
int Worker::prefetch_locked() const {
    const double jobs = prefetch_seconds * slot_count_ / std::max(average_seconds_, 1e-4);
    return static_cast<int>(std::min<double>(jobs, most_prefetched));
}

bool Worker::claim_into(const Room& room) {
    if (room.any + room.light == 0) return true;
    const bool also_heavy = room.any > 0;
    auto jobs = store_.queue().claim({name_, also_heavy ? metadata::Lane::any : metadata::Lane::light,
                                      also_heavy ? room.any : room.light, config_.lease, also_heavy ? room.light : 0});
    if (!jobs) {
        log::warning("worker.claim_failed", {{"detail", jobs.error().detail}});
        return false;
    }
    const auto got = static_cast<int>(jobs->size());
    join_those_that_left();
    const std::lock_guard lock(mutex_);
    for (metadata::ClaimedJob& job : *jobs) {
        ++counters_.claimed;
        ++before_engine_;
        ++in_hand_;
        if (job.job.heavy) ++heavy_;
        auto held = keeper_.hold(job.lease);
        taken_.push_back({std::move(job), std::move(held)});
        if (idle_threads_ < static_cast<int>(taken_.size())) threads_.emplace_back([this] { take_jobs(); });
        job_waits_.notify_one();
    }
    return got == room.any + room.light;
}

// --- running ---

void Worker::take_jobs() {
    std::unique_lock lock(mutex_);
    while (true) {
        ++idle_threads_;
        job_waits_.wait_for(lock, thread_rest, [&] { return !taken_.empty() || stopping_; });
        --idle_threads_;
        if (taken_.empty()) return leave_locked();
        const Taken taken = std::move(taken_.front());
        taken_.pop_front();
        lock.unlock();
        process(taken);
        lock.lock();
    }
}

void Worker::leave_locked() {
    const auto self = std::ranges::find(threads_, std::this_thread::get_id(), &std::thread::get_id);
    left_.splice(left_.end(), threads_, self);
    if (threads_.empty()) all_left_.notify_all();
}

void Worker::join_those_that_left() {
    std::list<std::thread> left;
    {
        const std::lock_guard lock(mutex_);
        left.swap(left_);
    }
    for (std::thread& thread : left) thread.join();
}

void Worker::process(const Taken& taken) {
    const auto started = std::chrono::steady_clock::now();
    const auto& [claimed, held] = taken;
    if (claimed.job.attempt_count == 1 && claimed.job.started_at) {
        (claimed.job.heavy ? meters_.heavy_wait : meters_.light_wait)
            .note(*claimed.job.started_at - claimed.job.queued_at);
    }
    AttemptEnd end = AttemptEnd::lost;
    std::optional<JobErrorCode> failure;
    {
        Attempt attempt(shop_, claimed, *held,
                        [&, &job = claimed.job](std::chrono::nanoseconds in_engine) { left_engine(job, in_engine); });
        end = attempt.run([&] { return stopping_.load(); });
        failure = attempt.failure();
    }
    meter(claimed.job, end, failure, std::chrono::steady_clock::now() - started);
    count(end);
    keeper_.let_go(held);
    if (end == AttemptEnd::failed || end == AttemptEnd::retried) return;  // told where it is known why
    const auto took = std::chrono::duration_cast<Millis>(std::chrono::steady_clock::now() - started);
    log_job(log::Level::info, event_of(end), names_of(claimed.job),
            {{"node", name_},
             {"operation", claimed.job.operation},
             {"attempt", claimed.job.attempt_count},
             {"ms", took.count()}});
}

void Worker::meter(const Job& job, AttemptEnd end, std::optional<JobErrorCode> failure, std::chrono::nanoseconds took) {
    JobMeters::Operation& meters = meters_.of(job.operation);
    const bool ended = end == AttemptEnd::succeeded || end == AttemptEnd::failed;
    if (ended) meters.duration.note(took);
    if (ended && shop_.tracer != nullptr) {
        const auto trace = read_stored_trace(job.trace);
        if (trace && trace->context.recorded) meters.traced.note(trace->context.trace_id, took);
    }
    if (end == AttemptEnd::succeeded) meters.succeeded.add();
    if (!failure) return;
    auto& counts = end == AttemptEnd::retried ? meters.retried : meters.failed;
    counts[static_cast<std::size_t>(*failure)].fetch_add(1, std::memory_order_relaxed);
    if (ended && describe(*failure).service_fault) meters.credits_returned.add(static_cast<std::uint64_t>(job.credits));
}

void Worker::left_engine(const Job& job, std::chrono::nanoseconds held) {
    if (held.count() > 0) meters_.of(job.operation).in_engine.note(held);
    const std::lock_guard lock(mutex_);
    --before_engine_;
    if (job.heavy) {
        --heavy_;
        signalled_ = true;  // another heavy one may have been passed over
    } else if (held.count() > 0) {
        const double seconds = std::chrono::duration<double>(held).count();
        average_seconds_ += (seconds - average_seconds_) / 8;
    }
    if (job.heavy || (claimer_wants_room_ && has_room_locked())) claimer_wakes_.notify_one();
}

void Worker::count(AttemptEnd end) {
    const std::lock_guard lock(mutex_);
    --in_hand_;
    if (claimer_wants_room_ && has_room_locked()) claimer_wakes_.notify_one();
    switch (end) {
        case AttemptEnd::succeeded: ++counters_.succeeded; break;
        case AttemptEnd::failed: ++counters_.failed; break;
        case AttemptEnd::retried: ++counters_.retried; break;
        case AttemptEnd::handed_back: ++counters_.handed_back; break;
        case AttemptEnd::lost: ++counters_.lost; break;
    }
}

}  // namespace tessera::worker
