// What this process takes of the machine, as the kernel tells it.
#pragma once

#include <optional>

namespace tessera::app {

struct ProcessUse {
    double cpu_seconds = 0;
    double resident_bytes = 0;
    double virtual_bytes = 0;
    double open_fds = 0;
    double max_fds = 0;
    double started_at = 0;  // Unix time, in seconds
};

// Nothing where /proc is not there.
std::optional<ProcessUse> use_of_this_process();

}  // namespace tessera::app
