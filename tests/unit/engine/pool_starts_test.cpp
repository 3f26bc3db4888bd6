#include <fcntl.h>
#include <sys/stat.h>

#include "core/file.hpp"
#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using test::eventually;

// Engines that are started by a script: it can be told to keep them waiting, or to start none.
class PoolStarts : public PoolTest {
  protected:
    PoolStarts() {
        ::mkfifo(gate_.c_str(), 0600);
        write_script("exec " + std::filesystem::read_symlink("/proc/self/exe").string() + " engine");
        config_.executable = script_;
    }

    // Renamed into its place: one that is open for writing can't be run.
    void write_script(const std::string& last_line) {
        std::ofstream(root_ / "next") << "#!/bin/sh\nif [ -e " << held_ << " ]; then read -r line <" << gate_
                                      << "; fi\n"
                                      << last_line << "\n";
        std::filesystem::permissions(root_ / "next", std::filesystem::perms::owner_all);
        std::filesystem::rename(root_ / "next", script_);
    }
    // One has worked and is kept, and in each lane one is at hand: no other is started.
    void settle() {
        expect_works();
        ASSERT_TRUE(eventually([&] { return pool().counters().spawned == 3; }));
    }
    void hold_starts() { std::ofstream(held_).flush(); }
    // The end of the gate that opens it, as soon as a start waits there.
    UniqueFd wait_for_a_start() {
        UniqueFd end;
        eventually([&] {
            end = UniqueFd(::open(gate_.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
            return static_cast<bool>(end);
        });
        return end;
    }

    const std::filesystem::path gate_ = root_ / "gate";
    const std::filesystem::path held_ = root_ / "held";
    const std::filesystem::path script_ = root_ / "engine";
};

TEST_F(PoolStarts, ANodeIsReadyBetweenACrashAndTheSuccessor) {
    settle();
    hold_starts();
    kill_children();
    UniqueFd gate = wait_for_a_start();  // so that no engine is alive in either lane
    ASSERT_TRUE(gate);
    EXPECT_TRUE(pool().ready());
    std::filesystem::remove(held_);
    gate.reset();
    ASSERT_TRUE(eventually([&] { return probe(test::make_image({})).ok(); }));
    EXPECT_TRUE(pool().ready());
}

TEST_F(PoolStarts, ANodeThatCanStartNoEngineIsNotReadyUntilItCan) {
    settle();
    write_script("exit 1");
    kill_children();
    ASSERT_TRUE(eventually([&] { return !pool().ready(); }));
    hold_starts();
    UniqueFd gate = wait_for_a_start();
    ASSERT_TRUE(gate);
    EXPECT_FALSE(pool().ready()) << "a start that is tried again has not succeeded";
    write_script("exec " + std::filesystem::read_symlink("/proc/self/exe").string() + " engine");
    std::filesystem::remove(held_);
    gate.reset();
    ASSERT_TRUE(eventually([&] { return pool().ready(); }));
    expect_works();
}

}  // namespace
}  // namespace tessera::engine
