// Why an engine gave no result, in words for whoever asked: a client of an upload or a preview, a job, the log.
#pragma once

#include <sys/types.h>

#include "core/error.hpp"
#include "core/fair_executor.hpp"
#include "core/log.hpp"
#include "engine/host/task.hpp"
#include "engine/host/task_outcomes.hpp"

namespace tessera::engine {

// Why there is no result. The image may be at fault, or it never had a fair chance.
struct TaskFailure {
    JobError error;
    bool overloaded = false;
    bool stopped = false;
};

// Every engine that ends before its time leaves one such line; for those that did nothing when they ended it is the
// roster's.
void log_loss(log::Level level, const Owner& owner, pid_t pid, const JobError& error);

// `failure` is null where the task was done.
void count_outcome(TaskOutcomes::Work& counts, const TaskFailure* failure);

// What a client hears of a probe that failed.
Error for_client(const TaskFailure& failure);
// The same of a preview: the image was taken, but it can't be shown.
Error no_preview(const TaskFailure& failure);
// The same of a picture that was to be cut from tiles of our own: no fault of the client's.
Error no_cut(const TaskFailure& failure);
Error no_view(const TaskFailure& failure);
// One of what it names ("previews") that was not tried.
Error turn_refused(std::string_view what, const FairExecutor::Refused& refused);

}  // namespace tessera::engine
