// Engines and accounts: none works for a second account with the memory of a first, and nobody waits long for that.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <thread>

#include "pool_fixture.hpp"
#include "support/eventually.hpp"

namespace tessera::engine {
namespace {

using test::eventually;
using testing::HasSubstr;
using testing::StartsWith;
using namespace std::chrono_literals;

class EnginesOfAccounts : public PoolTest {
  protected:
    // What an engine that is told to do `what` for the account says.
    std::string told(const Uuid& account, const std::string& what) {
        const auto file = test::file_with(test::make_image({}) + "TESSERA-HOOK:probe:" + what);
        const auto info = pool().probe(file.get(), {account, {}}, {});
        return info.ok() ? "no answer" : info.error().detail;
    }
    // "first", "same" or "ANOTHER": for whom the engine has worked before.
    std::string work_for(const Uuid& account) { return told(account, "work-for:" + account.to_string()); }
    pid_t engine_of(const Uuid& account) {
        const std::string detail = told(account, "tell-pid");
        return std::stoi(detail.substr(detail.find("pid: ") + 5));
    }

    const Uuid a_ = Uuid::random();
    const Uuid b_ = Uuid::random();
};

TEST_F(EnginesOfAccounts, AnEngineWorksForOneAccountOnly) {
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
    EXPECT_THAT(work_for(b_), HasSubstr("first"));
    EXPECT_THAT(work_for(a_), HasSubstr("same")) << "it was kept for its account";
    EXPECT_THAT(work_for(b_), HasSubstr("same"));
}

TEST_F(EnginesOfAccounts, ManyAccountsAtOnceAreAllServedAndNeverByTheSame) {
    config_.probe_engines = 2;
    config_.kept_engines = 3;
    pool();
    std::atomic<int> answers{0};
    std::atomic<int> mixed{0};
    {
        std::vector<std::jthread> callers;
        for (int caller = 0; caller < 8; ++caller) {
            callers.emplace_back([&] {
                const Uuid mine[2] = {Uuid::random(), Uuid::random()};
                for (int i = 0; i < 20; ++i) {
                    const std::string said = work_for(mine[i % 2]);
                    answers += said.find("first") != said.npos || said.find("same") != said.npos ? 1 : 0;
                    mixed += said.find("ANOTHER") != said.npos ? 1 : 0;
                }
            });
        }
    }
    EXPECT_EQ(mixed, 0);
    EXPECT_EQ(answers, 160);
}

TEST_F(EnginesOfAccounts, ThoseThatWereUsedLongestAgoMakeRoom) {
    config_.kept_engines = 1;  // beside the one of its slot
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
    EXPECT_THAT(work_for(b_), HasSubstr("first"));
    EXPECT_THAT(work_for(Uuid::random()), HasSubstr("first"));
    EXPECT_THAT(work_for(b_), HasSubstr("same"));
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
    EXPECT_GE(pool().counters().recycled, 1U);
}

TEST_F(EnginesOfAccounts, AServerOfOneTenantMayShareThem) {
    config_.share_between_accounts = true;
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
    EXPECT_THAT(work_for(b_), HasSubstr("ANOTHER"));
}

TEST_F(EnginesOfAccounts, AProbeThatTakesLongGivesWayToItsNeighbours) {
    config_.probe_processor_time = 10min;
    const pid_t pid = engine_of(a_);
    std::stop_source stop;
    std::jthread hog([&] {
        const auto file = test::file_with(test::make_image({}) + "TESSERA-HOOK:probe:spin");
        EXPECT_FALSE(pool().probe(file.get(), {a_, {}}, {}, stop.get_token()).ok());
    });
    EXPECT_TRUE(eventually([&] {
        int threads = 0;
        int nice = 0;
        for (const auto& thread : std::filesystem::directory_iterator("/proc/" + std::to_string(pid) + "/task")) {
            const auto number = static_cast<id_t>(std::stoi(thread.path().filename()));
            ++threads;
            nice += ::getpriority(PRIO_PROCESS, number) >= 10 ? 1 : 0;
        }
        return threads > 0 && nice == threads;
    }));
    stop.request_stop();
}

TEST_F(EnginesOfAccounts, AnEngineThatGaveWayIsReplaced) {
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
    EXPECT_THAT(told(a_, "toil"), HasSubstr("done"));
    EXPECT_THAT(work_for(a_), HasSubstr("first"));
}

TEST_F(EnginesOfAccounts, NoChildIsLeftOfTemplatesThatAreKilledWhileTheyMakeEngines) {
    config_.recycle_after_tasks = 1;  // so that engines are made all the time
    pool();
    std::atomic<bool> ended{false};
    std::jthread killer([&] {
        while (!ended) {
            for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
                std::ifstream list(task.path() / "children");
                if (pid_t oldest = 0; list >> oldest) ::kill(oldest, SIGKILL);
            }
            std::this_thread::sleep_for(1ms);
        }
    });
    for (int i = 0; i < 50; ++i) (void)probe(test::make_image({})).ok();
    ended = true;
    killer.join();
    EXPECT_TRUE(eventually([&] { return probe(test::make_image({})).ok(); }));
    pool_.reset();
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
    EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace tessera::engine
