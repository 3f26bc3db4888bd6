// The filter of system calls by argument: what is refused, and that the page on the sandbox shows what is allowed.
#include "engine/sandbox/system_calls.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <linux/fs.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <linux/sockios.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "pool_fixture.hpp"

namespace tessera::engine {
namespace {

using testing::HasSubstr;

constexpr int channel = 3;  // of an engine
constexpr int folder = 4;

class SystemCalls : public PoolTest {
  protected:
    // What the engine's filter says, and not Landlock, nor the limits of a user: it holds where those are missing.
    template <typename... Arguments>
    std::string attempt(long number, Arguments... arguments) {
        std::string order = "call:" + std::to_string(number);
        ((order += "," + std::to_string(static_cast<std::uint64_t>(arguments))), ...);
        const auto info = probe_hooked(order);
        return info.ok() ? "no answer" : info.error().detail;
    }
    const testing::Matcher<std::string> refused = HasSubstr("refused: Function not implemented");
    const testing::Matcher<std::string> allowed = HasSubstr("SUCCEEDED");
};

TEST_F(SystemCalls, NoSignalCanBeSentToAnybodyByWayOfADescriptor) {
    const auto host = ::getpid();
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_SETOWN, host), refused);
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_SETOWN_EX, 0), refused);
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_SETSIG, SIGKILL), refused);
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_SETFL, O_ASYNC), refused);
    EXPECT_THAT(attempt(SYS_fcntl, folder, F_NOTIFY, DN_CREATE), refused);
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_SETLEASE, F_RDLCK), refused);
    // The kernel looks at the lower half of the number only.
    EXPECT_THAT(attempt(SYS_fcntl, channel, (std::uint64_t{1} << 32) + F_SETOWN, host), refused);
    EXPECT_THAT(attempt(SYS_ioctl, channel, FIOASYNC, 0), refused);
    EXPECT_THAT(attempt(SYS_ioctl, channel, FIOSETOWN, 0), refused);
    EXPECT_THAT(attempt(SYS_openat, AT_FDCWD, 0, O_RDONLY | O_ASYNC), refused);
    EXPECT_THAT(attempt(SYS_fcntl, channel, F_GETFD), allowed);
}

TEST_F(SystemCalls, NoSignalCanBeSentToAnybodyDirectly) {
    const auto host = ::getpid();
    EXPECT_THAT(attempt(SYS_kill, host, 0), refused);
    EXPECT_THAT(attempt(SYS_tkill, host, 0), refused);
    EXPECT_THAT(attempt(SYS_tgkill, host, host, 0), refused);
    EXPECT_THAT(attempt(SYS_rt_sigqueueinfo, host, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_prctl, PR_SET_PDEATHSIG, 0), refused);
    EXPECT_THAT(attempt(SYS_timer_create, CLOCK_MONOTONIC, 0, 0), refused);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which ask for memory in ways of their own
TEST_F(SystemCalls, NoMemoryBecomesExecutable) {
    constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, anonymous, -1, 0), refused);
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, folder, 0), refused);
    EXPECT_THAT(attempt(SYS_mprotect, 0, 4096, PROT_READ | PROT_EXEC), refused);
    EXPECT_THAT(attempt(SYS_pkey_mprotect, 0, 4096, PROT_EXEC, -1), refused);
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, anonymous, -1, 0), allowed);
}

TEST_F(SystemCalls, NoMemoryOfAKindThatNobodyNeeds) {
    constexpr int anonymous = MAP_PRIVATE | MAP_ANONYMOUS;
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ, anonymous | MAP_HUGETLB, -1, 0), refused);
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ, anonymous | MAP_GROWSDOWN, -1, 0), refused);
    EXPECT_THAT(attempt(SYS_mmap, 0, 4096, PROT_READ, anonymous | MAP_LOCKED, -1, 0), refused);
    EXPECT_THAT(attempt(SYS_mremap, 0, 4096, 8192, MREMAP_MAYMOVE | MREMAP_FIXED, 0), refused);
    EXPECT_THAT(attempt(SYS_madvise, 0, 4096, MADV_MERGEABLE), refused);
    EXPECT_THAT(attempt(SYS_madvise, 0, 4096, MADV_HWPOISON), refused);
    EXPECT_THAT(attempt(SYS_madvise, 0, 0, MADV_DONTNEED), allowed);
}
#endif

TEST_F(SystemCalls, ThreadsAndNothingElseIsCloned) {
    EXPECT_THAT(attempt(SYS_clone, SIGCHLD, 0, 0, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_clone, CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_clone, CLONE_VM | CLONE_SIGHAND | CLONE_THREAD | CLONE_NEWNET, 0, 0, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_clone3, 0, 0), refused);
}

TEST_F(SystemCalls, NoOtherCommandsOfCallsThatHaveMany) {
    EXPECT_THAT(attempt(SYS_prctl, PR_SET_DUMPABLE, 1), refused);
    EXPECT_THAT(attempt(SYS_prctl, PR_SET_MM, 0), refused);
    EXPECT_THAT(attempt(SYS_futex, 0, FUTEX_LOCK_PI, 0), refused);
    EXPECT_THAT(attempt(SYS_futex, 0, FUTEX_WAIT_REQUEUE_PI | FUTEX_PRIVATE_FLAG, 0), refused);
    EXPECT_THAT(attempt(SYS_renameat2, folder, 0, folder, 0, RENAME_EXCHANGE), refused);
    EXPECT_THAT(attempt(SYS_fallocate, folder, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1), refused);
    EXPECT_THAT(attempt(SYS_openat, AT_FDCWD, 0, O_PATH), refused);
    EXPECT_THAT(attempt(SYS_openat, AT_FDCWD, 0, O_RDWR | O_DIRECT), refused);
    EXPECT_THAT(attempt(SYS_sendmsg, folder, 0, 0), refused);
    EXPECT_THAT(attempt(SYS_recvmsg, channel, 0, MSG_ERRQUEUE), refused);
    EXPECT_THAT(attempt(SYS_prlimit64, 0, RLIMIT_NOFILE, 1, 0), refused);
    EXPECT_THAT(attempt(SYS_prlimit64, ::getpid(), RLIMIT_CPU, 0, 1), refused);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which allow more
std::string joined(const std::vector<NamedValue>& values) {
    std::string out;
    for (const NamedValue& each : values) {
        const bool is_name = each.name.find(' ') == std::string_view::npos;
        out += (out.empty() ? "" : ", ") + (is_name ? "`" + std::string(each.name) + "`" : std::string(each.name));
    }
    return out;
}

std::string text_of(const ArgumentRule& rule) {
    const std::string name = "`" + std::string(rule.name) + "`: ";
    switch (rule.kind) {
        case ArgumentRule::Kind::one_of:
            return name + (rule.values.size() > 1 ? "one of " : "") + joined(rule.values) +
                   (rule.with.empty() ? "" : ", with or without " + joined(rule.with));
        case ArgumentRule::Kind::made_of: return name + "of " + joined(rule.values) + " only";
        case ArgumentRule::Kind::null: return name + "null";
        case ArgumentRule::Kind::not_null: return name + "not null";
        case ArgumentRule::Kind::the_engine_pid: return name + "the engine itself";
    }
    return "";
}

std::string table() {
    std::string out = "| call | arguments | needed by |\n|---|---|---|\n";
    for (const AllowedCalls& allowed : allowed_calls()) {
        std::string calls;
        for (const char* call : allowed.calls) calls += (calls.empty() ? "`" : ", `") + std::string(call) + "`";
        std::string arguments;
        for (const ArgumentRule& rule : allowed.arguments) arguments += (arguments.empty() ? "" : "; ") + text_of(rule);
        out += "| " + calls + " | " + (arguments.empty() ? "any" : arguments) + " | " + std::string(allowed.needed_by) +
               " |\n";
    }
    return out;
}

TEST(SandboxPage, ShowsEveryCallThatIsAllowed) {
    const std::string path = TESSERA_SOURCE_DIR "/docs/sandbox.md";
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    std::string page = text.str();
    const auto marker = page.find("<!-- system calls:");
    ASSERT_NE(marker, std::string::npos);
    const auto start = page.find('\n', marker) + 1;
    if (std::getenv("UPDATE_DOCS") != nullptr) {
        page.replace(start, page.find("<!-- end -->", start) - start, table());
        std::ofstream(path) << page;
    }
    EXPECT_EQ(page.substr(start, page.find("<!-- end -->", start) - start), table())
        << "run unit_engine with UPDATE_DOCS=1";
}
#endif

}  // namespace
}  // namespace tessera::engine
