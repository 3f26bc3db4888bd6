// What sweeps of this process have removed, and when one last ended well.
#pragma once

#include <atomic>
#include <cstdint>

#include "core/meters.hpp"

namespace tessera::service {

struct SweepMeters {
    Counter rows;
    Counter jobs;
    Counter blobs;
    Counter unfinished;
    Counter failures;                         // sweeps that were given up
    std::atomic<std::int64_t> last_ended{0};  // well, in Unix milliseconds; 0: none did here
};

// Of the process: it has one sweeper.
SweepMeters& sweep_meters();

}  // namespace tessera::service
