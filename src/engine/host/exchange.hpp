// One task with one engine, from the first message to the last.
#pragma once

#include <variant>

#include "engine/host/engine_process.hpp"
#include "engine/host/pool.hpp"
#include "engine/host/task.hpp"
#include "engine/host/writer_check.hpp"

namespace tessera::operations {
class Registry;
}

namespace tessera::engine {

// How a task ended: the engine said so, or the conversation broke off.
template <typename T>
using Exchanged = std::variant<T, JobError, Broken>;

// How long a probe has the processor like everybody else, and how much it gives way then.
struct Manner {
    std::chrono::nanoseconds patience;
    int niceness = 0;
};
Exchanged<ImageInfo> exchange_probe(EngineProcess& engine, int file, const ProbeLimits& limits,
                                    const PoolConfig& config, const Manner& manner, Deadline deadline);
// What the host has for every task.
struct HostSide {
    const PoolConfig& config;
    const operations::Registry& operations;
    const WriterCheck& writers;
};
Exchanged<Outcome> exchange_run(EngineProcess& engine, const Task& task, const HostSide& host, Deadline deadline);

}  // namespace tessera::engine
