// SIGTERM and SIGINT as an orderly end: the first starts it, another one a while later ends the process at once.
#pragma once

#include <thread>

#include "core/file.hpp"

namespace tessera::app {

class ShutdownSignals {
  public:
    // Make it before any thread: all of them inherit that these signals are not theirs.
    ShutdownSignals();
    ~ShutdownSignals();
    ShutdownSignals(const ShutdownSignals&) = delete;
    ShutdownSignals& operator=(const ShutdownSignals&) = delete;

    // Returns the number of the first signal. From then on a thread waits for another one.
    int wait();

  private:
    void end_at_once_on_another();

    UniqueFd signals_;
    UniqueFd finished_;
    std::thread impatient_;
};

}  // namespace tessera::app
