#include "app/shutdown_signals.hpp"

#include <unistd.h>
#include <csignal>
#include <cstdlib>

namespace tessera::app {
namespace {

sigset_t ending_signals() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    return set;
}

// A second signal is for an end that takes too long: no clean-up, no locks, nothing that could hang.
void end_at_once(int signal) {
    _exit(128 + signal);
}

}  // namespace

ShutdownSignals::ShutdownSignals() {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    std::signal(SIGPIPE, SIG_IGN);
}

int ShutdownSignals::wait() {
    const sigset_t set = ending_signals();
    int signal = 0;
    while (sigwait(&set, &signal) != 0) {
    }
    std::signal(SIGTERM, end_at_once);
    std::signal(SIGINT, end_at_once);
    pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
    return signal;
}

}  // namespace tessera::app
