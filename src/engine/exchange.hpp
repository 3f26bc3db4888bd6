// One task with one engine, from the first message to the last.
#pragma once

#include <variant>

#include "engine/engine_process.hpp"
#include "engine/pool.hpp"
#include "engine/task.hpp"
#include "engine/writer_check.hpp"

namespace tessera::engine {

// How a task ended: the engine said so, or the conversation broke off.
template <typename T>
using Exchanged = std::variant<T, JobError, Broken>;

Exchanged<ImageInfo> exchange_probe(EngineProcess& engine, int file, const ProbeLimits& limits,
                                    const PoolConfig& config, Deadline deadline);
Exchanged<Outcome> exchange_run(EngineProcess& engine, const Task& task, const PoolConfig& config,
                                const WriterCheck& writers, Deadline deadline);

}  // namespace tessera::engine
