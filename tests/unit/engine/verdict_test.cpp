#include "engine/host/verdict.hpp"

#include <gtest/gtest.h>

#include <csignal>

#include "engine/wire/exit_codes.hpp"

namespace tessera::engine {
namespace {

constexpr std::int64_t gib = std::int64_t{1} << 30;

JobErrorCode code_of(const Ending& ending, const Circumstances& circumstances) {
    return judge_ending(ending, circumstances).code;
}

TEST(Verdict, ADeadlineIsATimeoutHoweverTheProcessEnded) {
    const Circumstances late{.broken = Broken::timed_out, .memory_limit_bytes = gib, .last_words = {}};
    EXPECT_EQ(code_of({.exited = false, .code = SIGKILL, .peak_bytes = 0}, late), JobErrorCode::timeout);
    EXPECT_EQ(code_of({.exited = true, .code = 0, .peak_bytes = 0}, late), JobErrorCode::timeout);
}

TEST(Verdict, UsingUpTheProcessorTimeIsATimeoutToo) {
    EXPECT_EQ(code_of({.exited = false, .code = SIGXCPU, .peak_bytes = 0}, {}), JobErrorCode::timeout);
}

TEST(Verdict, WantOfMemoryIsKnownByTheExitCodeThePeakOrTheKernel) {
    const Circumstances plain{.broken = Broken::gone, .memory_limit_bytes = gib, .last_words = {}};
    Circumstances oom = plain;
    oom.oom_killer_struck = true;
    EXPECT_EQ(code_of({.exited = true, .code = exit_out_of_memory, .peak_bytes = 0}, plain),
              JobErrorCode::resource_exhausted);
    EXPECT_EQ(code_of({.exited = false, .code = SIGSEGV, .peak_bytes = gib - 1}, plain),
              JobErrorCode::resource_exhausted);
    EXPECT_EQ(code_of({.exited = false, .code = SIGKILL, .peak_bytes = 0}, oom), JobErrorCode::resource_exhausted);
    EXPECT_EQ(code_of({.exited = false, .code = SIGKILL, .peak_bytes = 0}, plain), JobErrorCode::engine_crashed);
    EXPECT_EQ(code_of({.exited = false, .code = SIGSEGV, .peak_bytes = gib / 2}, oom), JobErrorCode::engine_crashed);
}

TEST(Verdict, EverythingElseIsACrashAndTheDetailSaysHow) {
    const JobError error = judge_ending({.exited = false, .code = SIGABRT, .peak_bytes = 0},
                                        {.broken = Broken::gone, .last_words = "double free"});
    EXPECT_EQ(error.code, JobErrorCode::engine_crashed);
    EXPECT_NE(error.detail.find("double free"), std::string::npos);
    EXPECT_EQ(error.message.find("double free"), std::string::npos);
    EXPECT_EQ(code_of({.exited = true, .code = 0, .peak_bytes = 0}, {.broken = Broken::nonsense, .last_words = {}}),
              JobErrorCode::engine_crashed);
}

}  // namespace
}  // namespace tessera::engine
