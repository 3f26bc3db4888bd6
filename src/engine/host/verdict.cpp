#include "engine/host/verdict.hpp"

#include <csignal>
#include <cstdlib>
#include <cstring>

#include "engine/host/proc_file.hpp"
#include "engine/wire/exit_codes.hpp"

namespace tessera::engine {
namespace {

bool ran_out_of_memory(const Ending& ending, const Circumstances& circumstances) {
    if (ending.exited) return ending.code == exit_out_of_memory;
    if (ending.code == SIGKILL && circumstances.oom_killer_struck) return true;
    // A decoder that did not check its malloc crashes with its memory full to the brim.
    return circumstances.memory_limit_bytes > 0 && ending.peak_bytes > circumstances.memory_limit_bytes / 10 * 9;
}

}  // namespace

std::string how_it_ended(const Ending& ending, const std::string& last_words) {
    std::string text = ending.exited ? "exit " + std::to_string(ending.code)
                                     : "signal " + std::to_string(ending.code) + " (" + ::strsignal(ending.code) + ")";
    text += ", peak " + std::to_string(ending.peak_bytes >> 20) + " MiB";
    if (!last_words.empty()) text += ": " + last_words;
    return text;
}

JobError judge_ending(const Ending& ending, const Circumstances& circumstances) {
    std::string detail = how_it_ended(ending, circumstances.last_words);
    switch (circumstances.broken) {
        case Broken::timed_out:
            return {JobErrorCode::timeout, "the work took longer than the service allows", std::move(detail)};
        case Broken::stopped: return {JobErrorCode::internal_error, "the work was stopped", std::move(detail)};
        case Broken::nonsense:
            return {JobErrorCode::engine_crashed, "the image engine failed", "it sent nonsense; " + detail};
        case Broken::gone: break;
    }
    if (ran_out_of_memory(ending, circumstances)) {
        return {JobErrorCode::resource_exhausted, "the work needed more memory than the service allows",
                std::move(detail)};
    }
    if (!ending.exited && ending.code == SIGXCPU) {
        return {JobErrorCode::timeout, "the work took longer than the service allows", std::move(detail)};
    }
    if (!ending.exited && ending.code == SIGXFSZ) {
        return {JobErrorCode::artifact_too_large, "a file made is over the limit", std::move(detail)};
    }
    return {JobErrorCode::engine_crashed, "the image engine stopped while it worked on this image", std::move(detail)};
}

std::uint64_t oom_kills() {
    const std::string text = read_proc_file("/proc/vmstat");
    const auto at = text.find("\noom_kill ");
    return at == std::string::npos ? 0 : std::strtoull(text.c_str() + at + 10, nullptr, 10);
}

}  // namespace tessera::engine
