// The sandbox seen from inside: a hooked engine tries what a taken-over one would try.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "pool_fixture.hpp"

namespace tessera::engine {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class Sandbox : public PoolTest {
  protected:
    void expect_refused(const std::string& attempt) {
        const auto info = probe_hooked(attempt);
        ASSERT_FALSE(info.ok()) << attempt;
        EXPECT_THAT(info.error().detail, AnyOf(HasSubstr("refused"), HasSubstr("Bad system call"))) << attempt;
    }
};

TEST_F(Sandbox, NoSockets) {
    expect_refused("socket");
    expect_refused("unix-socket");
}

TEST_F(Sandbox, NoFileOutsideItsFolderCanBeReadOrListed) {
    const auto secret = root_ / "signing_secret";
    std::ofstream(secret) << "secret";
    std::filesystem::permissions(secret, std::filesystem::perms::all);
    std::filesystem::permissions(root_, std::filesystem::perms::all);
    expect_refused("read:" + secret.string());
    expect_refused("read:/etc/passwd");
    expect_refused("read:/proc/self/environ");
    expect_refused("read:../../signing_secret");
    expect_refused("list:" + root_.path().string());
}

TEST_F(Sandbox, NothingOutsideItsFolderCanBeWrittenOrRemoved) {
    const auto victim = root_ / "victim";
    std::ofstream(victim) << "precious";
    std::filesystem::permissions(root_, std::filesystem::perms::all);
    std::filesystem::permissions(victim, std::filesystem::perms::all);
    expect_refused("write:" + (root_ / "planted").string());
    expect_refused("write:" + victim.string());
    expect_refused("write:/tmp/tessera-planted");
    expect_refused("unlink:" + victim.string());
    expect_refused("symlink");
    EXPECT_FALSE(std::filesystem::exists(root_ / "planted"));
    EXPECT_EQ(std::filesystem::file_size(victim), 8U);
}

TEST_F(Sandbox, NoOtherProgramOrProcess) {
    expect_refused("exec:/bin/true");
    expect_refused("fork");
    expect_refused("ptrace");
    expect_refused("kill-host");
}

TEST_F(Sandbox, NoWayBackToPrivilegesOrLimits) {
    expect_refused("setuid");
    expect_refused("raise-limit");
}

TEST_F(Sandbox, AThreadMayStepBackAndNobodyElse) {
    EXPECT_THAT(probe_hooked("step-back").error().detail, HasSubstr("SUCCEEDED"));
    expect_refused("renice");
    expect_refused("renice-host");
    expect_refused("renice-user");
}

TEST_F(Sandbox, NothingOfTheHostIsInheritedButTheChannel) {
    ::setenv("TESSERA_TEST_SECRET", "x", 1);
    expect_refused("environment");
    const int leak = ::open("/etc/passwd", O_RDONLY);  // not close-on-exec
    const auto info = probe_hooked("descriptors");
    ::close(leak);
    ASSERT_FALSE(info.ok());
    // Null in and out, last words, the channel, the folder, and the image.
    EXPECT_THAT(info.error().detail, HasSubstr("open: 6"));
}

TEST_F(Sandbox, AnImageThatWasOpenForWritingArrivesReadOnly) {
    expect_refused("write-input");
}

TEST_F(Sandbox, SaysWhatIsInForce) {
    for (const Protection& part : pool().protections()) {
        if (part.note == "not started as root") continue;
        EXPECT_TRUE(part.in_force) << part.name << ": " << part.note;
    }
    EXPECT_THAT(describe(pool().protections()), HasSubstr("seccomp"));
    EXPECT_THAT(describe(pool().protections()), HasSubstr("landlock"));
}

TEST_F(Sandbox, ARequiredSandboxStartsWhereTheKernelHasAllOfIt) {
    config_.sandbox.required = true;
    EXPECT_TRUE(probe(test::make_image({})).ok());
}

}  // namespace
}  // namespace tessera::engine
