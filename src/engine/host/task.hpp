// What is handed to an engine and what comes back: a request and a manifest of the operations, and beside them what
// only the host knows.
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

#include "core/file.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "engine/host/probe.hpp"
#include "engine/host/scratch.hpp"
#include "operations/run.hpp"

namespace tessera::engine {

// The work of one attempt at a job.
struct Task {
    Owner owner;
    operations::RunRequest request;               // its time_budget, threads and helpers are the pool's to say
    std::chrono::milliseconds deadline{120'000};  // of the work itself; the engine is killed when it has passed
    // Give a descriptor of its own (a fresh open, offset 0) each time; the engine asks when it needs one. All
    // callbacks run on the thread that called run().
    std::function<Result<UniqueFd>(std::size_t)> open_image;
    std::function<Result<UniqueFd>(std::size_t)> open_layer;
    std::function<void(double)> progress;  // 0 to 1, never falling, at most a few times a second
    std::stop_token stop;                  // requested: the engine is killed and run() returns an error at once
};

// What was made, as the host found it to be.
struct Outcome {
    operations::Manifest manifest;
    // Plain files of ours, by the manifest's names for them; move them away by rename or leave them to be removed with
    // the outcome.
    std::map<std::string, ScratchPath> files;

    [[nodiscard]] const std::filesystem::path& path_of(const std::string& file) const { return files.at(file).path(); }
};

class Runner {
  public:
    virtual ~Runner() = default;
    // Blocks until the task has ended, one way or the other. Any number of threads may call it.
    virtual Result<Outcome, JobError> run(const Task& task) = 0;
};

}  // namespace tessera::engine
