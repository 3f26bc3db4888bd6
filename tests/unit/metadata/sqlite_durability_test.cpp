// What is synced before it is answered, and what need not be: seen by counting the calls that SQLite makes.
#include <atomic>
#include <memory>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/log.hpp"
#include "metadata/accounts.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "support/temporary_folder.hpp"

namespace {
std::atomic<int> syncs{0};
}

// In the place of the C library's, for this program alone.
extern "C" int fdatasync(int file) {
    ++syncs;
    return static_cast<int>(::syscall(SYS_fdatasync, file));
}
extern "C" int fsync(int file) {
    ++syncs;
    return static_cast<int>(::syscall(SYS_fsync, file));
}

namespace tessera::metadata {
namespace {

class SqliteDurability : public testing::Test {
  protected:
    SqliteDurability() {
        log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
        store = *open_sqlite(folder.file("tessera.db"), clock);
        Plan plan;
        plan.code = "pro";
        EXPECT_TRUE(store->plans().apply(std::vector<Plan>{plan}).ok());
        account = *store->accounts().create({"acme", "Acme", "pro"});
    }

    void submit() {
        Submission submission;
        submission.job.id = Uuid::time_ordered();
        submission.job.account_id = account.id;
        submission.job.operation = "resize";
        submission.job.credits = 1;
        submission.job.max_attempts = 1;
        ASSERT_TRUE(store->jobs().submit(submission).ok());
    }
    ClaimedJob claim(Millis lease = Millis(60'000)) {
        auto claimed = store->queue().claim({"worker", Lane::any, 1, lease});
        return claimed && !claimed->empty() ? claimed->front() : ClaimedJob();
    }
    template <typename Call>
    static int syncs_of(Call call) {
        const int before = syncs;
        call();
        return syncs - before;
    }

    test::TemporaryFolder folder;
    ManualClock clock{SystemClock().now()};
    std::unique_ptr<Store> store;
    Account account;
};

TEST_F(SqliteDurability, WhatAClientOrTheLedgerWasToldIsSyncedFirst) {
    EXPECT_GE(syncs_of([&] { submit(); }), 1);
    const ClaimedJob job = claim();
    EXPECT_GE(syncs_of([&] { EXPECT_TRUE(store->queue().complete(job.lease, {}).ok()); }), 1);
    submit();
    const ClaimedJob other = claim();
    const JobError error{JobErrorCode::decode_failed, "no image", {}};
    EXPECT_GE(syncs_of([&] { EXPECT_TRUE(store->queue().fail(other.lease, error, std::nullopt).ok()); }), 1);
}

TEST_F(SqliteDurability, AClaimAndItsRenewalWaitForNoDisk) {
    submit();
    ClaimedJob job;
    EXPECT_EQ(syncs_of([&] { job = claim(); }), 0);
    EXPECT_NE(job.job.id, Uuid());
    const LeaseRenewal renewal{job.lease, 0.5};
    EXPECT_EQ(syncs_of([&] { EXPECT_TRUE(store->queue().renew({&renewal, 1}, Millis(60'000)).ok()); }), 0);
    EXPECT_GE(syncs_of([&] { submit(); }), 1) << "the next one syncs again, and with it all that came before";
}

TEST_F(SqliteDurability, AJobThatEndsWhileOthersAreClaimedIsSynced) {
    submit();
    const ClaimedJob job = claim(Millis(10));
    clock.advance(Millis(20));
    EXPECT_GE(syncs_of([&] { claim(); }), 1);
    EXPECT_EQ((*store->jobs().find(account.id, job.job.id))->status, JobStatus::failed);
}

}  // namespace
}  // namespace tessera::metadata
