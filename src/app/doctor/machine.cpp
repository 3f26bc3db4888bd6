// Kernel, processors, memory, open files, clock.
#include <sys/resource.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <thread>

#include "app/config/config.hpp"
#include "app/doctor/diagnosis.hpp"
#include "app/remote/bar.hpp"
#include "core/clock.hpp"

namespace tessera::app {
namespace {

// Below it the server takes a few connections only: it keeps a thousand descriptors for its own use.
constexpr rlim_t enough_files = 4'096;
constexpr rlim_t many_files = 65'536;
// No clock that is right is before the day on which this was written.
constexpr std::int64_t first_day = 1'793'491'200;  // 2026-11-01
constexpr long tolerable_error_us = 500'000;

Diagnosis kernel() {
    utsname name{};
    ::uname(&name);
    return fine("kernel", std::string(name.sysname) + " " + name.release + " on " + name.machine);
}

std::uint64_t number_in(const char* path) {
    std::ifstream file(path);
    std::uint64_t value = 0;
    return file >> value ? value : std::numeric_limits<std::uint64_t>::max();  // "max", or not there
}

// What there is for this process: of the machine, or of the group that it was put into.
std::uint64_t memory() {
    const auto machine =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return std::min(
        {machine, number_in("/sys/fs/cgroup/memory.max"), number_in("/sys/fs/cgroup/memory/memory.limit_in_bytes")});
}

unsigned slots_of(const Config& config) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    return config.worker.slots > 0 ? static_cast<unsigned>(config.worker.slots) : cores;
}

Diagnosis processors(const Config& config) {
    const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
    const unsigned slots = slots_of(config);
    const std::string found = std::to_string(cores) + " for " + std::to_string(slots) + " jobs at once";
    if (slots > 2 * cores) {
        return warning("processors", found, "lower worker.slots: jobs that share a core only take longer");
    }
    return fine("processors", found);
}

Diagnosis memory_for(const Config& config) {
    const std::uint64_t there = memory();
    const auto limit = static_cast<std::uint64_t>(config.engine.memory_limit_bytes);
    const std::string found = remote::bytes_text(there) + ", and an engine may use " + remote::bytes_text(limit);
    if (limit > 0 && there < limit) {
        return warning(
            "memory", found,
            "lower engine.memory_limit_bytes below what there is: then one large job fails by itself, and the "
            "kernel has no need to kill something");
    }
    return fine("memory", found);
}

Diagnosis open_files() {
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const rlim_t most = limit.rlim_max;
    const std::string found = most == RLIM_INFINITY ? "no limit" : "at most " + std::to_string(most);
    const std::string advice =
        "raise the limit: LimitNOFILE=262144 in a systemd unit, --ulimit nofile=262144 of a container, or ulimit -Hn";
    if (most < enough_files) return failure("open files", found, advice);
    if (most < many_files) return warning("open files", found, advice);
    return fine("open files", found);
}

Diagnosis clock_of_machine() {
    const Timestamp now = SystemClock().now();
    const std::string advice = "have the machine's clock set over the network: systemd-timesyncd or chrony";
    if (to_unix_seconds(now) < first_day) {
        return failure("clock", to_iso8601(now) + ", which is in the past",
                       advice + "; signed addresses and S3 need the right time");
    }
    timex state{};
    const int answer = ::adjtimex(&state);
    if (answer < 0) return fine("clock", to_iso8601(now));
    if (answer == TIME_ERROR || (state.status & STA_UNSYNC) != 0) {
        return warning("clock", to_iso8601(now) + ", set by nobody: the kernel does not know how wrong it is", advice);
    }
    if (state.maxerror > tolerable_error_us) {
        return warning("clock", to_iso8601(now) + ", up to " + std::to_string(state.maxerror / 1000) + " ms wrong",
                       advice);
    }
    return fine("clock", to_iso8601(now) + ", kept in step");
}

}  // namespace

Diagnoses look_at_machine(const Config& config) {
    return {kernel(), processors(config), memory_for(config), open_files(), clock_of_machine()};
}

}  // namespace tessera::app
