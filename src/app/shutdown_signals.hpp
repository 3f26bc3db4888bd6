// SIGTERM and SIGINT as an orderly end: the first starts it, another one a while later ends the process at once. SIGHUP
// asks for the log to be opened anew; from a terminal that went away it is an end, too.
#pragma once

#include <functional>
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

    // `reopen_log` is called for each SIGHUP, and returns whether there was anything to open.
    // Returns the number of the first signal that asks for an end. From then on a thread waits for another one.
    int wait(const std::function<bool()>& reopen_log = [] { return false; });

  private:
    void end_at_once_on_another();

    const bool at_terminal_;

    UniqueFd signals_;
    UniqueFd finished_;
    std::thread impatient_;
};

}  // namespace tessera::app
