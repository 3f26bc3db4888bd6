// SIGTERM and SIGINT as an orderly end: the first starts it, the second ends the process at once.
#pragma once

#include <atomic>
#include <thread>

namespace tessera::app {

class ShutdownSignals {
  public:
    // Make it before any thread: all of them inherit that these signals are not theirs.
    ShutdownSignals();

    // Returns the number of the first signal.
    int wait();

    ShutdownSignals(const ShutdownSignals&) = delete;
    ShutdownSignals& operator=(const ShutdownSignals&) = delete;
};

}  // namespace tessera::app
