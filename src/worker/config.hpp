// What the worker can be told. Every member is a configuration key under "worker." of the same name.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/disk_floor.hpp"

namespace tessera::worker {

struct WorkerConfig {
    int slots = 0;                    // jobs in the engine at once; 0: one per core
    Millis lease{30'000};             // renewed while a job runs; a dead worker's jobs are claimed again after it
    Millis job_deadline{600'000};     // of the work in the engine
    Millis grace{20'000};             // for running jobs when the service stops; then they are handed back
    Millis retry_base{1'000};         // before the second attempt; doubles with each further one, with jitter
    Millis retry_longest{60'000};     // never more than this
    Millis progress_interval{1'000};  // how often progress is written at most
    Millis safety_poll{5'000};        // workers are woken by a signal; this is for a signal that got lost
    std::vector<std::string> admin_listen{};  // where a node that only works serves /metrics, /healthz and /readyz
    std::int64_t max_input_megapixels = 500;
    std::int64_t max_output_megapixels = 500;
    std::int64_t max_artifact_bytes = std::int64_t{4} << 30;  // of one job, all its files
    DiskFloor disk = {};                                      // below it nothing is claimed
};

}  // namespace tessera::worker
