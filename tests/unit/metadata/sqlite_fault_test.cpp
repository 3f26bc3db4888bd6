// A full disk, a lock that another process holds, rows that must not exist: nothing half done, and the store recovers.
#include <atomic>
#include <csignal>
#include <memory>
#include <thread>

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>

#include "core/log.hpp"
#include "metadata/accounts.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {
namespace {

class SqliteFault : public testing::Test {
  protected:
    SqliteFault() {
        log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
        SqliteOptions options;
        options.busy_timeout = Millis(100);
        store = *open_sqlite(path, clock, options);
        Plan plan;
        plan.code = "pro";
        EXPECT_TRUE(store->plans().apply(std::vector<Plan>{plan}).ok());
        account = *store->accounts().create({"acme", "Acme", "pro"});
        EXPECT_EQ(sqlite3_open(path.c_str(), &outsider), SQLITE_OK);
    }
    ~SqliteFault() override { sqlite3_close(outsider); }

    Result<Submitted> submit(std::size_t option_bytes = 2) {
        Submission submission;
        submission.job.id = Uuid::time_ordered();
        submission.job.account_id = account.id;
        submission.job.operation = "resize";
        submission.job.options_json = std::string(option_bytes, ' ');
        submission.job.credits = 1;
        return store->jobs().submit(submission);
    }
    bool outsider_runs(const char* sql) { return sqlite3_exec(outsider, sql, nullptr, nullptr, nullptr) == SQLITE_OK; }

    test::TemporaryFolder folder;
    std::string path = folder.file("tessera.db");
    SystemClock clock;
    std::unique_ptr<Store> store;
    Account account;
    sqlite3* outsider = nullptr;  // another process
};

// No file of this process may grow beyond `bytes`: what a full disk looks like from inside.
class FullDisk {
  public:
    explicit FullDisk(rlim_t bytes) {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit limit{bytes, before_.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() { setrlimit(RLIMIT_FSIZE, &before_); }

  private:
    rlimit before_{};
};

TEST_F(SqliteFault, AnEntryOfTheChangeLogThatCannotBeReadMakesEverythingForgotten) {
    std::atomic<int> told_of_everything{0};
    const auto subscription = store->on_change([&](const Change& change) {
        if (change.kind == Change::Kind::everything) ++told_of_everything;
    });
    ASSERT_TRUE(outsider_runs(
        "PRAGMA ignore_check_constraints = ON; INSERT INTO change_log (kind, id, at) VALUES (0, x'0102', 0)"));
    // Its own change comes behind the row that nobody can read: it is committed, and told on the writer's thread.
    const auto made = store->accounts().create({"second", "Second", "pro"});
    ASSERT_TRUE(made.ok()) << made.error().detail;
    EXPECT_GE(told_of_everything, 1);
    EXPECT_TRUE(submit().ok());
}

TEST_F(SqliteFault, AFullDiskRefusesWritesWholeAndTheStoreRecovers) {
    int accepted = 0;
    {
        const FullDisk full(1 << 20);
        std::atomic<int> accepted_by_threads{0};
        std::atomic<int> refused{0};
        std::vector<std::thread> clients;
        for (int i = 0; i < 8; ++i) {
            clients.emplace_back([&] {
                for (int n = 0; n < 20; ++n) {
                    const auto submitted = submit(20'000);
                    if (submitted.ok()) {
                        ++accepted_by_threads;
                    } else {
                        EXPECT_EQ(submitted.error().code, ErrorCode::storage_unavailable) << submitted.error().detail;
                        ++refused;
                    }
                }
            });
        }
        for (std::thread& client : clients) client.join();
        EXPECT_GT(refused, 0);
        EXPECT_FALSE(store->check().ok() && submit(2 << 20).ok());
        accepted = accepted_by_threads;
    }
    EXPECT_TRUE(submit().ok()) << "space has come back";
    EXPECT_TRUE(store->check().ok());
    EXPECT_EQ(store->jobs().counts()->queued, accepted + 1);
    EXPECT_EQ(store->usage().current(account.id)->credits_used, accepted + 1);
    EXPECT_EQ(store->usage().ledger(account.id, 0, 1000)->size(), static_cast<std::size_t>(accepted + 1));
    store.reset();
    const auto again = open_sqlite(path, clock);
    ASSERT_TRUE(again.ok()) << again.error().message;
    EXPECT_EQ((*again)->jobs().counts()->queued, accepted + 1);
}

TEST_F(SqliteFault, AnotherProcessThatWritesForTooLongIsAnErrorThatPasses) {
    ASSERT_TRUE(outsider_runs("BEGIN IMMEDIATE"));
    const auto refused = submit();
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::storage_unavailable);
    EXPECT_TRUE(store->accounts().find(account.id).ok()) << "readers wait for nobody";
    ASSERT_TRUE(outsider_runs("ROLLBACK"));
    EXPECT_TRUE(submit().ok());
}

TEST_F(SqliteFault, AnotherProcessThatWritesBrieflyIsWaitedFor) {
    store = *open_sqlite(path, clock);
    ASSERT_TRUE(outsider_runs("BEGIN IMMEDIATE"));
    std::atomic<bool> accepted{false};
    std::atomic<bool> begun{false};
    std::thread client([&] {
        begun = true;
        accepted = submit().ok();
    });
    while (!begun) std::this_thread::yield();
    EXPECT_FALSE(accepted);
    ASSERT_TRUE(outsider_runs("COMMIT"));
    client.join();
    EXPECT_TRUE(accepted);
}

TEST_F(SqliteFault, OneWriteThatFailsLeavesTheOthersOfItsGroupAlone) {
    std::atomic<int> made{0};
    std::atomic<int> conflicts{0};
    std::vector<std::thread> clients;
    for (int i = 0; i < 64; ++i) {
        clients.emplace_back([&, i] {
            const auto created = store->accounts().create({"slug" + std::to_string(i / 2), "x", "pro"});
            if (created.ok()) ++made;
            if (!created.ok() && created.error().code == ErrorCode::conflict) ++conflicts;
        });
    }
    for (std::thread& client : clients) client.join();
    EXPECT_EQ(made, 32);
    EXPECT_EQ(conflicts, 32);
    EXPECT_EQ(store->accounts().all()->size(), 33U);
}

TEST_F(SqliteFault, AWriteThatFailsAloneLeavesNothingOfItself) {
    std::atomic<int> told{0};
    const auto subscription = store->on_job_changes([&](Store::JobChanges changes) {
        for (const JobChange& change : changes) told += change.status == JobStatus::queued ? 1 : 0;
    });
    // The charge is what a submission writes last.
    ASSERT_TRUE(
        outsider_runs("CREATE TRIGGER no_charge BEFORE INSERT ON credit_ledger BEGIN SELECT RAISE(ABORT, 'no'); END"));
    EXPECT_FALSE(submit().ok());
    EXPECT_FALSE(submit().ok()) << "the failure before left nothing open";
    ASSERT_TRUE(outsider_runs("DROP TRIGGER no_charge"));
    EXPECT_EQ(store->jobs().counts()->queued, 0);
    EXPECT_EQ(told, 0);
    EXPECT_TRUE(submit().ok());
    EXPECT_EQ(store->jobs().counts()->queued, 1);
    EXPECT_EQ(store->usage().current(account.id)->credits_used, 1);
    EXPECT_EQ(told, 1);
}

TEST_F(SqliteFault, TheSchemaItselfRefusesStatesThatMustNotExist) {
    ASSERT_TRUE(submit().ok());
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET status = 'done'"));
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET status = 'succeeded', completed_at = 1")) << "it never ran";
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET status = 'running'")) << "no attempt";
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET attempt_count = 4"));
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET error_code = 'timeout', error_message = ''")) << "not failed";
    EXPECT_TRUE(outsider_runs("UPDATE jobs SET status = 'running', attempt_count = 1, claim = 1, started_at = 1"));
    EXPECT_TRUE(outsider_runs("UPDATE jobs SET status = 'succeeded', completed_at = 1"));
    EXPECT_FALSE(outsider_runs("UPDATE jobs SET status = 'queued', completed_at = NULL")) << "an end is an end";
    EXPECT_FALSE(outsider_runs("UPDATE credit_ledger SET credits = 0"));
    EXPECT_FALSE(outsider_runs("DELETE FROM credit_ledger"));
    EXPECT_FALSE(outsider_runs("UPDATE credit_periods SET used = -1"));
}

TEST_F(SqliteFault, TheWriteAheadLogStaysBounded) {
    std::vector<std::thread> clients;
    for (int i = 0; i < 8; ++i) {
        clients.emplace_back([&] {
            for (int n = 0; n < 100; ++n) EXPECT_TRUE(submit(200'000).ok());
        });
    }
    for (std::thread& client : clients) client.join();
    // 160 MB were written; the log may hold 64 MiB and what one group adds.
    EXPECT_LT(std::filesystem::file_size(path + "-wal"), 100U << 20);
}

}  // namespace
}  // namespace tessera::metadata
