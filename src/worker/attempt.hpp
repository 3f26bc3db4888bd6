// One attempt at a job, from its claim to its end: find the sources, run in an engine, store, complete, or say why not.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "core/clock.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "engine/host/task.hpp"
#include "metadata/queue.hpp"
#include "worker/account_terms.hpp"
#include "worker/attempt_spans.hpp"
#include "worker/config.hpp"
#include "worker/lease_keeper.hpp"
#include "worker/slot_gate.hpp"
#include "worker/sources.hpp"
#include "worker/storage_watch.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}
namespace tessera::operations {
class Registry;
}

namespace tessera::worker {

enum class AttemptEnd {
    succeeded,
    failed,       // for good
    retried,      // will be tried again later
    handed_back,  // as if it had never been claimed
    lost,         // somebody else has the job now, or the store could not be told: the lease will run out
};

std::string_view to_string(AttemptEnd end);

// What every attempt works with.
struct Workshop {
    metadata::Store& store;
    blobs::BlobStore& blobs;
    engine::Runner& runner;
    const operations::Registry& operations;
    const Clock& clock;
    const WorkerConfig& config;
    AccountTerms& terms;
    SlotGate& slots;
    StorageWatch& storage;
    telemetry::Tracer* tracer = nullptr;  // null: no traces are sent
};

class Attempt {
  public:
    // `left_engine` is called once, when the attempt no longer needs a slot, with the time that it held one.
    Attempt(Workshop& shop, const metadata::ClaimedJob& claimed, LeaseKeeper::Held& held,
            std::function<void(std::chrono::nanoseconds)> left_engine);
    ~Attempt();

    // `handing_back`: what has not reached an engine yet, or is stopped there, goes back to the queue.
    AttemptEnd run(const std::function<bool()>& handing_back);
    // Why it failed or has to be made again.
    [[nodiscard]] std::optional<JobErrorCode> failure() const { return failure_; }

  private:
    [[nodiscard]] AttemptEnd work_and_end(const std::function<bool()>& handing_back);
    [[nodiscard]] Result<metadata::Completion, JobError> work_without_throwing();
    [[nodiscard]] Result<metadata::Completion, JobError> work();
    [[nodiscard]] Result<engine::Outcome, JobError> run_in_engine(operations::RunRequest request,
                                                                  const Sources& sources);
    [[nodiscard]] Result<engine::Outcome, JobError> run_task(const engine::Task& task);
    [[nodiscard]] engine::Task task_for(operations::RunRequest request);
    [[nodiscard]] operations::RunLimits limits_for(const PlanLimits& plan) const;
    [[nodiscard]] AttemptEnd complete(const metadata::Completion& completion);
    [[nodiscard]] AttemptEnd fail(const JobError& error);
    [[nodiscard]] bool is_no_fault_of_the_job(const JobError& error, const std::function<bool()>& handing_back);
    [[nodiscard]] AttemptEnd hand_back();
    void leave_engine(std::chrono::nanoseconds held);
    void discard_what_was_stored();

    Workshop& shop_;
    const metadata::ClaimedJob& claimed_;
    LeaseKeeper::Held& held_;
    std::function<void(std::chrono::nanoseconds)> left_engine_;
    AttemptSpans spans_;
    std::optional<AttemptSpans::Part> storing_;
    std::vector<std::string> stored_keys_;
    std::optional<JobErrorCode> failure_;
};

}  // namespace tessera::worker
