#include "engine/host/pool.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <system_error>

#include "core/fair_executor.hpp"
#include "core/give_way.hpp"
#include "engine/host/exchange.hpp"
#include "engine/host/roster.hpp"
#include "engine/host/task_failure.hpp"
#include "engine/host/task_outcomes.hpp"
#include "engine/host/turn_terms.hpp"
#include "engine/host/upload_refused.hpp"
#include "engine/host/verdict.hpp"
#include "operations/preview.hpp"
#include "operations/registry.hpp"

namespace tessera::engine {
namespace {

using namespace std::chrono_literals;

constexpr Manner usual_manner{100ms, helper_niceness};
// Of an account whose probes have taken long of late.
constexpr Manner gentle_manner{10ms, 19};
constexpr std::uint64_t largest_picture = 128 << 20;
// For an engine that is lost another is started, and after a crash from a new template.
constexpr std::chrono::nanoseconds price_of_an_engine = 250ms;

// Removes what an earlier run left, and makes sure that the folder is there and ours alone.
Result<void> sweep(const std::filesystem::path& root) {
    std::error_code error;
    std::filesystem::create_directories(root, error);
    if (!error) std::filesystem::permissions(root, std::filesystem::perms::owner_all, error);
    if (error) return storage_unavailable(root.string() + ": " + error.message());
    for (const auto& entry : std::filesystem::directory_iterator(root, error)) {
        remove_tree(entry.path());
    }
    if (error) return storage_unavailable(root.string() + ": " + error.message());
    return {};
}

// A fresh descriptor of the image, with an offset of its own.
Result<UniqueFd> reopened(const UniqueFd& file) {
    return open_for_reading("/proc/self/fd/" + std::to_string(file.get()));
}

}  // namespace

class Pool::Impl {
  public:
    explicit Impl(PoolConfig config)
        : config_(std::move(config)),
          writers_(WriterCheck::try_out(config_.scratch_root)),
          roster_(config_),
          turns_("probes", terms_of_turns(config_)),
          preview_turns_("previews", terms_of_previews(config_)),
          oom_kills_seen_(oom_kills()) {}

    Roster& roster() { return roster_; }
    FairExecutor& turns() { return turns_; }
    FairExecutor& preview_turns() { return preview_turns_; }
    std::stop_source& end_of_turns() { return end_of_turns_; }
    [[nodiscard]] const PoolConfig& config() const { return config_; }
    [[nodiscard]] HostSide host_side() const { return {config_, operations_, writers_}; }
    [[nodiscard]] bool spreads(const Task& task) const {
        const operations::Operation* operation = operations_.find(task.request.operation);
        return operation != nullptr && operation->takes_helpers();
    }

    // Runs `exchange(engine, deadline)` with an engine of the lane, and turns whatever happens into a value or a
    // failure.
    template <typename T, typename Exchange>
    Result<T, TaskFailure> with_engine(std::string_view work, Lane lane, const Owner& owner,
                                       const std::stop_token& stop, bool spreads, std::chrono::milliseconds allowed,
                                       Exchange exchange) {
        auto result = try_with_engine<T>(lane, owner, stop, spreads, allowed, std::move(exchange));
        count_outcome(TaskOutcomes::of_process().of(work), result ? nullptr : &result.error());
        return result;
    }

    template <typename T, typename Exchange>
    Result<T, TaskFailure> try_with_engine(Lane lane, const Owner& owner, const std::stop_token& stop, bool spreads,
                                           std::chrono::milliseconds allowed, Exchange exchange) {
        auto acquired = roster_.acquire(lane, owner.account_id, stop, spreads);
        if (!acquired) {
            if (acquired.error() == Shortage::stopped) {
                return TaskFailure{{JobErrorCode::internal_error, "the work was stopped", {}}, false, true};
            }
            return TaskFailure{{JobErrorCode::internal_error, "no image engine became free", "engine: waited in vain"},
                               true};
        }
        std::unique_ptr<EngineProcess> engine = std::move(*acquired);
        const Deadline deadline = std::chrono::steady_clock::now() + allowed;
        auto result = [&] {
            const std::stop_callback wake(stop, [&] { engine->channel().wake(); });
            return exchange(*engine, deadline);
        }();

        if (auto* broken = std::get_if<Broken>(&result)) return bury(lane, owner, std::move(engine), *broken);
        if (auto* error = std::get_if<JobError>(&result)) {
            if (error->code == JobErrorCode::resource_exhausted) {  // who knows what is left of its heap
                log_loss(log::Level::warning, owner, engine->pid(), *error);
                roster_.lost(lane, std::move(engine), true);
            } else {
                roster_.give_back(lane, std::move(engine));
            }
            return TaskFailure{std::move(*error)};
        }
        roster_.give_back(lane, std::move(engine));
        return std::get<T>(std::move(result));
    }

    // A header, and the processor time that it took.
    struct Probed {
        Result<ImageInfo> info;
        std::chrono::nanoseconds took{0};
    };
    Probed probe(int file, const Owner& owner, const ProbeLimits& limits, const std::stop_token& stop,
                 const Manner& manner) {
        std::chrono::nanoseconds took{0};
        auto result =
            with_engine<ImageInfo>("probe", Lane::probe, owner, stop, false, config_.probe_deadline,
                                   [&](EngineProcess& engine, Deadline deadline) {
                                       const auto began = std::chrono::steady_clock::now();
                                       const auto before = engine.processor_time();
                                       auto exchanged = exchange_probe(engine, file, limits, config_, manner, deadline);
                                       took = engine.processor_time() - before;
                                       // Of one that is dead it may not be known any more.
                                       if (took <= 0ns) {
                                           took = std::min<std::chrono::nanoseconds>(
                                               std::chrono::steady_clock::now() - began, config_.probe_processor_time);
                                       }
                                       if (std::holds_alternative<Broken>(exchanged)) took += price_of_an_engine;
                                       return exchanged;
                                   });
        if (!result) return {for_client(result.error()), took};
        return {std::move(*result), took};
    }

    Result<std::string> preview(const PreviewTask& wanted, const std::stop_token& stop) {
        auto made = picture("preview", wanted.account_id,
                            operations::preview_request({wanted.asset_id, wanted.image, wanted.byte_size}, wanted.edge),
                            *wanted.file, stop);
        if (!made) return no_preview(made.error());
        return read_picture(*made);
    }

    Result<std::string> cut(const CutTask& wanted, const std::stop_token& stop) {
        const auto tiles = wanted.gather();
        if (!tiles) return tiles.error();
        auto made = picture("cut", wanted.account_id, operations::cut_request(tiles->cut), tiles->file, stop);
        if (!made) return no_cut(made.error());
        return read_picture(*made);
    }

    Result<std::string> view(const ViewTask& wanted, const std::stop_token& stop) {
        auto made = picture("view", wanted.account_id, operations::view_request(wanted.view), *wanted.file, stop);
        if (!made) return no_view(made.error());
        return read_picture(*made);
    }

    // When it is the account's turn, what `make` gives goes to `made`.
    template <typename Make>
    void make_in_turn(const Uuid& account, std::string_view what, Make make,
                      const std::function<void(Result<std::string>)>& made) {
        using Turn = FairExecutor::Turn;
        const auto work = [this, what, make = std::move(make), made](Turn turn) -> std::chrono::nanoseconds {
            if (turn == Turn::too_late || turn == Turn::never) {
                made(turn_refused(what, {FairRefusal::closed, 1s}));
                return 0ns;
            }
            const std::stop_token end = end_of_turns_.get_token();
            const auto began = std::chrono::steady_clock::now();
            Result<std::string> bytes = make(end);
            const auto took = std::chrono::steady_clock::now() - began;
            made(bytes || !end.stop_requested() ? std::move(bytes) : turn_refused(what, {FairRefusal::closed, 1s}));
            return took;
        };
        if (const auto refused = preview_turns_.post(account, work)) made(turn_refused(what, *refused));
    }

  private:
    // One picture of one file, in an engine for those that somebody waits for.
    Result<Outcome, TaskFailure> picture(std::string_view work, const Uuid& account, operations::RunRequest request,
                                         const UniqueFd& file, const std::stop_token& stop) {
        Task task;
        task.owner = {.account_id = account, .job_id = {}};
        task.request = std::move(request);
        task.deadline = config_.preview_deadline;
        task.open_image = [&](std::size_t) { return reopened(file); };
        task.stop = stop;
        return with_engine<Outcome>(work, Lane::preview, task.owner, stop, false, task.deadline,
                                    [&](EngineProcess& engine, Deadline deadline) {
                                        return exchange_run(engine, task, host_side(), deadline);
                                    });
    }
    // Its size was limited when it was made.
    static Result<std::string> read_picture(const Outcome& outcome) {
        if (outcome.manifest.artifacts.empty()) return internal_error("engine: no picture came of it");
        return read_whole_file(outcome.path_of(outcome.manifest.artifacts.front().file), largest_picture);
    }

    TaskFailure bury(Lane lane, const Owner& owner, std::unique_ptr<EngineProcess> engine, Broken broken) {
        const pid_t pid = engine->pid();
        const Ending ending = engine->kill_and_reap();
        const std::uint64_t kills = oom_kills();
        const bool oom = oom_kills_seen_.exchange(kills) < kills;
        JobError error =
            judge_ending(ending, {broken, roster_.terms(lane).memory_limit_bytes, oom, engine->last_words()});
        const bool by_us = broken == Broken::timed_out || broken == Broken::stopped;
        roster_.lost(lane, std::move(engine), by_us);
        // One that was told to stop did nothing wrong.
        log_loss(broken == Broken::stopped ? log::Level::info : log::Level::warning, owner, pid, error);
        // An image that is hard to read uses up its processor time before the clock on the wall stops it: one that did
        // not was kept waiting by the machine.
        if (broken == Broken::timed_out && lane == Lane::probe) {
            return {{error.code, "the service is too busy to read this image now", error.detail}, true};
        }
        return {std::move(error), false, broken == Broken::stopped};
    }

    PoolConfig config_;
    WriterCheck writers_;
    operations::Registry operations_ = operations::Registry::built_in();
    Roster roster_;
    FairExecutor turns_;
    FairExecutor preview_turns_;
    std::stop_source end_of_turns_;
    std::atomic<std::uint64_t> oom_kills_seen_;
};

Pool::Pool(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Pool::~Pool() {
    stop();
}

Result<std::unique_ptr<Pool>> Pool::start(PoolConfig config) {
    if (auto swept = sweep(config.scratch_root); !swept) return swept.error();
    auto impl = std::make_unique<Impl>(std::move(config));
    if (auto opened = impl->roster().open(); !opened) return opened.error();
    return std::make_unique<Pool>(std::move(impl));
}

void Pool::probe_in_turn(int file, const Owner& owner, const ProbeLimits& limits, Probed probed) {
    using Turn = FairExecutor::Turn;
    const auto work = [this, file, owner, limits, probed](Turn turn) -> std::chrono::nanoseconds {
        if (turn == Turn::too_late) {
            probed(Error{ErrorCode::overloaded, "no image engine became free", "engine: waited in vain", 1});
            return 0ns;
        }
        if (turn == Turn::never) {
            probed(upload_refused({FairRefusal::closed, 1s}));
            return 0ns;
        }
        const std::stop_token end = impl_->end_of_turns().get_token();
        auto done = impl_->probe(file, owner, limits, end, turn == Turn::now ? usual_manner : gentle_manner);
        probed(done.info || !end.stop_requested() ? std::move(done.info) : upload_refused({FairRefusal::closed, 1s}));
        return done.took;
    };
    if (const auto refused = impl_->turns().post(owner.account_id, work)) probed(upload_refused(*refused));
}

Result<void> Pool::check_room(const Uuid& account) {
    if (const auto refused = impl_->turns().refusal(account)) return upload_refused(*refused);
    return {};
}

void Pool::preview_in_turn(PreviewTask task, Previewed previewed) {
    const Uuid account = task.account_id;
    impl_->make_in_turn(
        account, "previews",
        [this, task = std::move(task)](const std::stop_token& end) { return impl_->preview(task, end); }, previewed);
}

void Pool::cut_in_turn(CutTask task, Made made) {
    const Uuid account = task.account_id;
    impl_->make_in_turn(
        account, "pictures",
        [this, task = std::move(task)](const std::stop_token& end) { return impl_->cut(task, end); }, made);
}

void Pool::view_in_turn(ViewTask task, Made made) {
    const Uuid account = task.account_id;
    impl_->make_in_turn(
        account, "pictures",
        [this, task = std::move(task)](const std::stop_token& end) { return impl_->view(task, end); }, made);
}

Result<ImageInfo> Pool::probe(int file, const Owner& owner, const ProbeLimits& limits, const std::stop_token& stop) {
    return impl_->probe(file, owner, limits, stop, usual_manner).info;
}

Result<Outcome, JobError> Pool::run(const Task& task) {
    auto result =
        impl_->with_engine<Outcome>(task.request.operation, Lane::job, task.owner, task.stop, impl_->spreads(task),
                                    task.deadline, [&](EngineProcess& engine, Deadline deadline) {
                                        return exchange_run(engine, task, impl_->host_side(), deadline);
                                    });
    if (!result) return std::move(result).error().error;
    return std::move(*result);
}

void Pool::refuse_probes() {
    impl_->turns().close();
    impl_->preview_turns().close();
    impl_->end_of_turns().request_stop();
}

void Pool::stop() {
    refuse_probes();
    impl_->roster().close();
    impl_->turns().stop();
    impl_->preview_turns().stop();
}

PoolCounters Pool::counters() const {
    PoolCounters counters = impl_->roster().counters();
    const FairExecutor::Load load = impl_->turns().load();
    counters.probes_waiting = static_cast<std::int64_t>(load.waiting);
    counters.probes_running = static_cast<std::int64_t>(load.running);
    counters.oldest_probe = load.oldest;
    return counters;
}

std::vector<Protection> Pool::protections() const {
    std::vector<Protection> parts = impl_->roster().protections();
    const bool copied = impl_->host_side().writers.sight() != WriterCheck::Sight::all;
    parts.push_back({"sealed_results", true, copied ? "by copying" : "by leases"});
    return parts;
}

bool Pool::ready() const {
    return impl_->roster().ready();
}

}  // namespace tessera::engine
