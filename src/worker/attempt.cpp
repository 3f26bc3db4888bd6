#include "worker/attempt.hpp"

#include <algorithm>
#include <boost/json/parse.hpp>
#include <random>
#include <thread>

#include "blobs/blob_store.hpp"
#include "core/job_log.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"
#include "operations/registry.hpp"
#include "worker/backoff.hpp"
#include "worker/products.hpp"

namespace tessera::worker {
namespace {

constexpr std::int64_t megapixel = 1'000'000;
constexpr double most_progress = 0.99;  // all of it is done when the job has succeeded, and not before
// What an attempt that did not complete has stored may be swept after this; long enough for a commit that was slow.
constexpr Millis garbage_delay{10 * 60'000};

double uniform() {
    thread_local std::minstd_rand generator(std::random_device{}());
    return std::uniform_real_distribution<double>(0, 1)(generator);
}

// Calls the store until it answers, for as long as the lease may still be ours. Whatever is called must be safe twice:
// completing and failing are, because they name the lease.
template <typename Call>
auto persistently(const WorkerConfig& config, const LeaseKeeper::Held& held, Call call) -> decltype(call()) {
    const auto give_up_at = std::chrono::steady_clock::now() + config.lease;
    Millis pause{20};
    while (true) {
        auto answer = call();
        if (answer.ok() || held.lost || std::chrono::steady_clock::now() + pause > give_up_at) return answer;
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, Millis(1'000));
    }
}

// Options that were accepted are an object; anything else was damaged since.
JobResult<boost::json::object> options_of(const Job& job) {
    boost::system::error_code error;
    boost::json::value options = boost::json::parse(job.options_json, error);
    if (error || !options.is_object()) {
        return JobError{JobErrorCode::internal_error, "the work failed", "the stored options are no JSON object"};
    }
    return std::move(options.get_object());
}

JobError source_gone(const Error& error) {
    if (error.code == ErrorCode::not_found) {
        return {JobErrorCode::source_unavailable, "the source's file is no longer there", error.detail};
    }
    return storage_failure(error);
}

}  // namespace

std::string_view to_string(AttemptEnd end) {
    switch (end) {
        case AttemptEnd::succeeded: return "succeeded";
        case AttemptEnd::failed: return "failed";
        case AttemptEnd::retried: return "retried";
        case AttemptEnd::handed_back: return "handed_back";
        case AttemptEnd::lost: return "lost";
    }
    return "lost";
}

Attempt::Attempt(Workshop& shop, const metadata::ClaimedJob& claimed, LeaseKeeper::Held& held,
                 std::function<void(std::chrono::nanoseconds)> left_engine)
    : shop_(shop), claimed_(claimed), held_(held), left_engine_(std::move(left_engine)), spans_(shop.tracer, claimed) {}

Attempt::~Attempt() {
    leave_engine({});
}

AttemptEnd Attempt::run(const std::function<bool()>& handing_back) {
    const AttemptEnd end = work_and_end(handing_back);
    storing_.reset();
    spans_.end(to_string(end), failure_);
    return end;
}

AttemptEnd Attempt::work_and_end(const std::function<bool()>& handing_back) {
    const auto completion = work_without_throwing();
    leave_engine({});
    if (completion) return complete(*completion);
    discard_what_was_stored();
    if (held_.lost) return AttemptEnd::lost;
    if (is_no_fault_of_the_job(completion.error(), handing_back)) return hand_back();
    return fail(completion.error());
}

bool Attempt::is_no_fault_of_the_job(const JobError& error, const std::function<bool()>& handing_back) {
    // A stop was asked for: either the error is its doing, or the next attempt will show it again.
    if (held_.stop.stop_requested() && handing_back()) return true;
    return error.code == JobErrorCode::storage_unavailable && shop_.storage.is_to_blame();
}

Result<metadata::Completion, JobError> Attempt::work_without_throwing() {
    try {
        return work();
    } catch (const std::exception& thrown) {
        return JobError{JobErrorCode::internal_error, std::string(describe(JobErrorCode::internal_error).meaning),
                        thrown.what()};
    }
}

Result<metadata::Completion, JobError> Attempt::work() {
    const Job& job = claimed_.job;
    const operations::Operation* operation = shop_.operations.find(job.operation);
    if (operation == nullptr) {  // accepted by a node that has it
        return JobError{JobErrorCode::internal_error, "the work failed", "no operation " + job.operation};
    }
    auto options = options_of(job);
    if (!options) return std::move(options).error();
    operations::RunRequest run{job.operation, *std::move(options), {}, {}, {}};
    const auto sources = find_sources(job, operation->images(job.asset_id, run.options), shop_.store);
    if (!sources) return sources.error();
    const auto plan = shop_.terms.of(job.account_id);
    if (!plan) return storage_failure(plan.error());
    for (const Asset& asset : sources->assets) run.images.push_back({asset.id, asset.image, asset.byte_size});
    if (sources->tileset) run.tileset = {sources->tileset->id, sources->tileset->current};
    run.limits = limits_for(*plan);
    const std::int64_t max_artifact_bytes = run.limits.max_artifact_bytes;
    auto outcome = run_in_engine(std::move(run), *sources);
    if (!outcome) return std::move(outcome).error();
    const StoreProductsRequest made{claimed_, *operation, *sources, *plan, max_artifact_bytes, shop_.clock.now()};
    storing_.emplace(spans_, "store results");  // until the job has ended in the database
    auto completion = store_products(made, std::move(*outcome), shop_.blobs, stored_keys_);
    if (!completion) storing_->fail(completion.error().code);
    return completion;
}

Result<engine::Outcome, JobError> Attempt::run_in_engine(operations::RunRequest request, const Sources& sources) {
    // Opened before the wait for a slot, so that a remote blob is fetched while others compute.
    std::optional<Error> open_error;
    std::vector<UniqueFd> opened(1);
    if (!sources.assets.empty()) {
        auto key = blobs::BlobKey::parse(sources.assets.front().storage_key);
        auto file = key ? shop_.blobs.open_local(*key) : Result<UniqueFd>(std::move(key).error());
        if (!file) return source_gone(file.error());
        opened.front() = std::move(*file);
    }

    engine::Task task = task_for(std::move(request));
    const auto open = [&](const std::string& storage_key) -> Result<UniqueFd> {
        auto key = blobs::BlobKey::parse(storage_key);
        auto file = key ? shop_.blobs.open_local(*key) : Result<UniqueFd>(std::move(key).error());
        if (!file) open_error = file.error();
        return file;
    };
    task.open_image = [&](std::size_t i) -> Result<UniqueFd> {
        if (i == 0 && opened.front()) return std::move(opened.front());
        return open(sources.assets[i].storage_key);
    };
    task.open_layer = [&](std::size_t i) { return open(sources.tileset->current.layers[i].storage_key); };

    SlotGate::Slot slot = shop_.slots.enter(held_.stop.get_token());
    if (!slot)
        return JobError{JobErrorCode::internal_error, "the job was stopped", "stopped before it reached an engine"};
    const auto entered = std::chrono::steady_clock::now();
    auto outcome = run_task(task);
    slot.give_back();
    leave_engine(std::chrono::steady_clock::now() - entered);
    // The engine knows only that it got no file; why is known here.
    if (!outcome && open_error) return source_gone(*open_error);
    return outcome;
}

Result<engine::Outcome, JobError> Attempt::run_task(const engine::Task& task) {
    AttemptSpans::Part span(spans_, "engine");
    auto outcome = shop_.runner.run(task);
    if (!outcome) span.fail(outcome.error().code);
    return outcome;
}

engine::Task Attempt::task_for(operations::RunRequest request) {
    engine::Task task;
    task.owner = {claimed_.job.account_id, claimed_.job.id, claimed_.job.request_id, trace_id_in(claimed_.job.trace)};
    task.request = std::move(request);
    task.deadline = shop_.config.job_deadline;
    task.progress = [&held = held_](double progress) { held.progress = std::clamp(progress, 0.0, most_progress); };
    task.stop = held_.stop.get_token();
    return task;
}

operations::RunLimits Attempt::limits_for(const PlanLimits& plan) const {
    const WorkerConfig& config = shop_.config;
    operations::RunLimits limits;
    limits.max_input_pixels = config.max_input_megapixels * megapixel;
    limits.max_output_pixels = config.max_output_megapixels * megapixel;
    if (plan.max_output_megapixels) limits.max_result_pixels = *plan.max_output_megapixels * megapixel;
    if (plan.max_output_edge_pixels) limits.max_result_edge = *plan.max_output_edge_pixels;
    limits.max_artifact_bytes =
        std::min(config.max_artifact_bytes, plan.max_artifact_bytes_per_job.value_or(config.max_artifact_bytes));
    return limits;
}

AttemptEnd Attempt::complete(const metadata::Completion& completion) {
    const auto answer =
        persistently(shop_.config, held_, [&] { return shop_.store.queue().complete(claimed_.lease, completion); });
    if (answer && *answer == metadata::CompleteAnswer::done) return AttemptEnd::succeeded;
    discard_what_was_stored();
    if (!answer) {
        log_job(log::Level::error, "worker.completion_failed", names_of(claimed_.job),
                {{"node", claimed_.lease.worker}, {"detail", answer.error().detail}});
        return AttemptEnd::lost;
    }
    switch (*answer) {
        case metadata::CompleteAnswer::done:
        case metadata::CompleteAnswer::lease_lost: return AttemptEnd::lost;
        case metadata::CompleteAnswer::tileset_gone:
            return fail({JobErrorCode::source_unavailable, "the tileset is no longer there", {}});
        case metadata::CompleteAnswer::tileset_changed:
            return fail({JobErrorCode::internal_error, std::string(describe(JobErrorCode::internal_error).meaning),
                         "the tileset changed under the job"});
    }
    return AttemptEnd::lost;
}

AttemptEnd Attempt::fail(const JobError& error) {
    std::optional<Millis> retry_after;
    if (describe(error.code).may_pass) {
        retry_after = backoff_after(claimed_.job.attempt_count, shop_.config, uniform());
    }
    const auto answer =
        persistently(shop_.config, held_, [&] { return shop_.store.queue().fail(claimed_.lease, error, retry_after); });
    if (!answer || *answer == metadata::FailAnswer::lease_lost) return AttemptEnd::lost;
    failure_ = error.code;
    const bool retried = *answer == metadata::FailAnswer::retried;
    log_job(retried ? log::Level::warning : log::Level::info, retried ? "job.retried" : "job.failed",
            names_of(claimed_.job),
            {{"node", claimed_.lease.worker},
             {"operation", claimed_.job.operation},
             {"attempt", claimed_.job.attempt_count},
             {"error_code", describe(error.code).name},
             {"detail", error.detail.empty() ? error.message : error.detail}});
    return retried ? AttemptEnd::retried : AttemptEnd::failed;
}

AttemptEnd Attempt::hand_back() {
    const auto answer =
        persistently(shop_.config, held_, [&] { return shop_.store.queue().release(std::span(&claimed_.lease, 1)); });
    const bool done = answer && answer->front() == metadata::LeaseAnswer::done;
    return done ? AttemptEnd::handed_back : AttemptEnd::lost;
}

void Attempt::leave_engine(std::chrono::nanoseconds held) {
    if (left_engine_) std::exchange(left_engine_, nullptr)(held);
}

// Never deleted here: whether a commit that failed came through after all is the store's to know, when the time comes.
void Attempt::discard_what_was_stored() {
    if (stored_keys_.empty()) return;
    const auto ok = shop_.store.maintenance().add_garbage(stored_keys_, garbage_delay);
    if (!ok) log::warning("worker.garbage_not_noted", {{"detail", ok.error().detail}});
    stored_keys_.clear();
}

}  // namespace tessera::worker
