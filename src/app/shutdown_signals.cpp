#include "app/shutdown_signals.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>

namespace tessera::app {
namespace {

// Supervisors may tell the process and its group, which is one wish told twice.
constexpr std::chrono::milliseconds same_wish{500};

struct Received {
    int signal = 0;  // 0: none after all
    bool from_kernel = false;
};

Received read_signal(int fd) {
    signalfd_siginfo info{};
    if (read(fd, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return {};
    return {static_cast<int>(info.ssi_signo), info.ssi_code == SI_KERNEL};
}

bool has_terminal() {
    return isatty(STDIN_FILENO) != 0 || isatty(STDOUT_FILENO) != 0 || isatty(STDERR_FILENO) != 0;
}

}  // namespace

ShutdownSignals::ShutdownSignals() : at_terminal_(has_terminal()), finished_(eventfd(0, EFD_CLOEXEC)) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    signals_ = UniqueFd(signalfd(-1, &set, SFD_CLOEXEC));
    std::signal(SIGPIPE, SIG_IGN);
}

ShutdownSignals::~ShutdownSignals() {
    if (!impatient_.joinable()) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t told = write(finished_.get(), &one, sizeof one);
    impatient_.join();
}

int ShutdownSignals::wait(const std::function<bool()>& reopen_log) {
    while (true) {
        const Received received = read_signal(signals_.get());
        if (received.signal == 0) continue;
        if (received.signal == SIGHUP) {
            // The kernel says so when a terminal goes, and a shell when it ends.
            const bool terminal_went = received.from_kernel || (!reopen_log() && at_terminal_);
            if (!terminal_went) continue;
        }
        impatient_ = std::thread([this] { end_at_once_on_another(); });
        return received.signal;
    }
}

void ShutdownSignals::end_at_once_on_another() {
    const auto first_at = std::chrono::steady_clock::now();
    while (true) {
        pollfd either[] = {{signals_.get(), POLLIN, 0}, {finished_.get(), POLLIN, 0}};
        if (poll(either, 2, -1) < 0) continue;
        if (either[1].revents != 0) return;
        const int signal = read_signal(signals_.get()).signal;
        if (signal == SIGHUP) continue;
        // No clean-up and no locks: whoever signals again has waited long enough.
        if (signal != 0 && std::chrono::steady_clock::now() - first_at > same_wish) _exit(128 + signal);
    }
}

}  // namespace tessera::app
