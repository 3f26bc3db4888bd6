// Whatever ends an engine before its time, one line of the log says so.
#include <gmock/gmock.h>

#include <csignal>
#include <mutex>
#include <thread>

#include "core/log.hpp"
#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using namespace std::chrono_literals;

class Losses : public PoolTest {
  protected:
    Losses() {
        log::set_sink(
            [this](log::Level, std::string_view line) {
                const std::scoped_lock lock(mutex_);
                if (line.find("\"engine_lost\"") != std::string_view::npos) lines_.emplace_back(line);
            },
            log::Level::info);
    }
    ~Losses() override {
        pool_.reset();
        log::set_sink({}, log::Level::info);
    }

    void probe_for_owner(const std::string& what, std::stop_token stop = {}) {
        const auto file = test::file_with(test::make_image({}) + "TESSERA-HOOK:probe:" + what);
        EXPECT_FALSE(pool().probe(file.get(), owner_, {}, stop).ok());
    }
    std::vector<std::string> lines() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(lines_, {});
    }
    auto says(std::string_view error) {
        return AllOf(HasSubstr(owner_.account_id.to_string()), HasSubstr(owner_.job_id.to_string()),
                     HasSubstr("\"error\":\"" + std::string(error) + "\""));
    }

    const Owner owner_{Uuid::random(), Uuid::random()};

  private:
    std::mutex mutex_;
    std::vector<std::string> lines_;
};

TEST_F(Losses, ACrashLeavesOneLine) {
    probe_for_owner("crash");
    EXPECT_THAT(lines(), ElementsAre(says("engine_crashed")));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // no memory limit with sanitizers
TEST_F(Losses, WantOfMemoryThatTheEngineToldOfLeavesOneLine) {
    probe_for_owner("eat-memory");
    EXPECT_THAT(lines(), ElementsAre(says("resource_exhausted")));
}

TEST_F(Losses, WantOfMemoryThatEndedTheEngineLeavesOneLine) {
    probe_for_owner("eat-memory-glib");
    EXPECT_THAT(lines(), ElementsAre(says("resource_exhausted")));
}
#endif

TEST_F(Losses, ADeadlineLeavesOneLine) {
    config_.probe_deadline = 300ms;
    probe_for_owner("hang");
    EXPECT_THAT(lines(), ElementsAre(says("timeout")));
}

TEST_F(Losses, AStopLeavesOneLine) {
    pool();
    std::stop_source stop;
    std::jthread stopper([&] {
        EXPECT_TRUE(test::eventually([&] { return pool().counters().busy > 0; }));
        stop.request_stop();
    });
    probe_for_owner("hang", stop.get_token());
    EXPECT_THAT(lines(), ElementsAre(says("internal_error")));
}

TEST_F(Losses, AnEngineThatHadNothingToDoLeavesOneLineWithoutAnAccount) {
    config_.job_engines = 0;
    ASSERT_TRUE(probe(test::make_image({})).ok());
    const auto told = probe_hooked("tell-pid");
    ASSERT_FALSE(told.ok());
    const std::string& detail = told.error().detail;
    const pid_t pid = std::stoi(detail.substr(detail.find("pid: ") + 5));
    ASSERT_EQ(::kill(pid, SIGKILL), 0);
    EXPECT_TRUE(test::eventually([&] { return pool().counters().crashed > 0; }));
    EXPECT_THAT(lines(), ElementsAre(AllOf(HasSubstr("signal 9"), Not(HasSubstr("account")))));
}

TEST_F(Losses, AnEngineThatServedItsTimeLeavesNone) {
    config_.recycle_after_tasks = 1;
    for (int i = 0; i < 3; ++i) ASSERT_TRUE(probe(test::make_image({})).ok());
    pool_.reset();
    EXPECT_THAT(lines(), testing::IsEmpty());
}

}  // namespace
}  // namespace tessera::engine
