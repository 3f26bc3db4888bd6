// Why an engine stopped in the middle of a task, as far as that can be known from outside.
#pragma once

#include <cstdint>
#include <string>

#include "core/job.hpp"
#include "engine/host/engine_process.hpp"

namespace tessera::engine {

struct Circumstances {
    Broken broken = Broken::gone;
    std::int64_t memory_limit_bytes = 0;
    bool oom_killer_struck = false;  // somewhere on this machine, while the task ran
    std::string last_words;
};

// "signal 9 (Killed), peak 80 MiB: last words".
std::string how_it_ended(const Ending& ending, const std::string& last_words);

JobError judge_ending(const Ending& ending, const Circumstances& circumstances);

// How often the kernel has killed for want of memory since it started.
std::uint64_t oom_kills();

}  // namespace tessera::engine
