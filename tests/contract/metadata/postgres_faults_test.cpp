// PostgreSQL that goes away, falls silent or is newer than this program; nodes that start together.
#include <atomic>
#include <chrono>
#include <thread>

#include "core/log.hpp"
#include "postgres_database.hpp"
#include "stalling_proxy.hpp"

namespace tessera::metadata {
namespace {

using testing::HasSubstr;

class PostgresFaults : public testing::Test {
  protected:
    PostgresFaults() {
        log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
        Plan plan;
        plan.code = "pro";
        store = open();
        must(store->plans().apply(std::vector<Plan>{plan}));
        account = must(store->accounts().create({"acme", "Acme", "pro"}));
    }

    std::unique_ptr<Store> open() {
        PostgresOptions patient;  // however busy the machine: nothing here waits for these to run out
        patient.statement_timeout = patient.connect_timeout = Millis(120'000);
        return must(open_postgres(database.url(), patient));
    }
    static PostgresOptions options() {
        PostgresOptions options;
        options.statement_timeout = Millis(3'000);
        options.connect_timeout = Millis(2'000);
        return options;
    }
    std::unique_ptr<Store> open_through(const StallingProxy& proxy) {
        return must(open_postgres(database.url_through(proxy.folder()), options()));
    }
    Submission submission() {
        Submission made;
        made.job.id = Uuid::time_ordered();
        made.job.account_id = account.id;
        made.job.operation = "resize";
        made.job.credits = 1;
        return made;
    }
    // And waits until they are gone: one that ended in the middle of a commit would leave its caller in doubt, rightly.
    void terminate_all_connections() {
        PostgresDatabase::execute(
            "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE application_name = 'tessera' AND "
            "datname = "
            "'" +
            database.name() + "'");
    }
    std::int64_t ledger_sum() {
        std::int64_t sum = 0;
        for (const LedgerEntry& entry : must(store->usage().ledger(account.id, 0, 1'000'000))) sum += entry.credits;
        return sum;
    }

    PostgresDatabase database;
    std::unique_ptr<Store> store;
    Account account;
};

TEST_F(PostgresFaults, ASchemaOfANewerTesseraIsRefused) {
    PostgresDatabase::execute_in(database.url(),
                                 "INSERT INTO schema_migrations (version, name) VALUES (999, 'future')");
    const auto refused = open_postgres(database.url());
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr("newer Tessera"));
    EXPECT_THAT(refused.error().message, HasSubstr("999"));
}

TEST_F(PostgresFaults, NodesThatStartTogetherMigrateOnce) {
    const PostgresDatabase empty(PostgresDatabase::Content::nothing);
    std::atomic<int> opened{0};
    std::vector<std::thread> nodes;
    for (int i = 0; i < 6; ++i) {
        nodes.emplace_back([&] {
            const auto node = open_postgres(empty.url());
            if (node.ok()) ++opened;
            EXPECT_TRUE(node.ok()) << node.error().message;
        });
    }
    for (std::thread& node : nodes) node.join();
    EXPECT_EQ(opened, 6);
}

TEST_F(PostgresFaults, AServerThatIsNotThereIsSaidSoWithoutThePassword) {
    const auto refused = open_postgres("postgresql://someone:secret-word@/nothing?host=/nonexistent");
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::storage_unavailable);
    EXPECT_THAT(refused.error().message, HasSubstr("can't reach the PostgreSQL database"));
    EXPECT_THAT(refused.error().message + refused.error().detail, testing::Not(HasSubstr("secret-word")));
}

TEST_F(PostgresFaults, ConnectionsThatWereTerminatedAreReplaced) {
    must(store->jobs().submit(submission()));
    terminate_all_connections();
    EXPECT_TRUE(store->accounts().find(account.id).ok());
    EXPECT_TRUE(store->jobs().submit(submission()).ok());
    EXPECT_EQ(must(store->queue().claim({"w", Lane::any, 5, Millis(30'000)})).size(), 2U);
}

TEST_F(PostgresFaults, ConnectionsTerminatedUnderLoadLoseAndDoubleNothing) {
    constexpr int clients = 8;
    constexpr int jobs = 40;
    std::atomic<int> unanswered{0};
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) {
        threads.emplace_back([&, client] {
            for (int n = 0; n < jobs; ++n) {
                Submission wanted = submission();
                wanted.idempotency = {"key-" + std::to_string(client) + "-" + std::to_string(n), sha256("work")};
                // As a client does: the same request again until it is answered.
                while (!store->jobs().submit(wanted).ok()) ++unanswered;
            }
        });
    }
    for (int i = 0; i < 10; ++i) {
        terminate_all_connections();
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(must(store->jobs().counts()).queued, clients * jobs);
    EXPECT_EQ(must(store->usage().current(account.id)).credits_used, clients * jobs);
    EXPECT_EQ(ledger_sum(), clients * jobs);
}

TEST_F(PostgresFaults, ANodeHearsAgainAfterItsConnectionWasLost) {
    std::atomic<bool> told_everything{false};
    std::atomic<int> woken{0};
    const auto changes = store->on_change([&](const Change& change) {
        if (change.kind == Change::Kind::everything) told_everything = true;
    });
    const auto jobs = store->on_jobs_available([&] { ++woken; });
    terminate_all_connections();
    EXPECT_TRUE(eventually([&] { return told_everything.load(); }));
    const auto another = open();
    std::atomic<bool> heard{false};
    const auto listening = store->on_change([&](const Change& change) { heard = change.id == account.id; });
    must(another->api_keys().create({account.id, "k", "runtime", sha256("k")}));
    EXPECT_TRUE(eventually([&] { return heard.load(); }));
    const int before = woken;
    must(another->jobs().submit(submission()));
    EXPECT_TRUE(eventually([&] { return woken > before; }));
}

TEST_F(PostgresFaults, AServerThatWentAwayIsRefusedQuicklyAndFoundAgain) {
    StallingProxy proxy(database.socket_folder());
    const auto node = open_through(proxy);
    must(node->jobs().submit(submission()));
    proxy.go_away();
    ASSERT_TRUE(eventually([&] { return !node->check().ok(); }));
    // The same request again and again, as a client does: one that was cut off may have been accepted.
    Submission wanted = submission();
    wanted.idempotency = {"key-00001", sha256("work")};
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) {
        const auto refused = node->jobs().submit(wanted);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::storage_unavailable);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(40)) << "no queue of waiting callers";
    proxy.come_back();
    EXPECT_TRUE(eventually([&] { return node->jobs().submit(wanted).ok(); }));
    EXPECT_TRUE(node->check().ok());
    EXPECT_EQ(must(store->jobs().counts()).queued, 2);
}

TEST_F(PostgresFaults, ANetworkThatFallsSilentIsNoticed) {
    StallingProxy proxy(database.socket_folder());
    const auto node = open_through(proxy);
    std::atomic<bool> told_everything{false};
    const auto changes = node->on_change([&](const Change& change) {
        if (change.kind == Change::Kind::everything) told_everything = true;
    });
    must(node->jobs().submit(submission()));
    proxy.stall();
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(node->jobs().submit(submission()).ok());
    EXPECT_FALSE(node->accounts().find(account.id).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    proxy.flow();
    EXPECT_TRUE(
        eventually([&] { return node->accounts().find(account.id).ok() && node->jobs().submit(submission()).ok(); }));
    EXPECT_TRUE(eventually([&] { return told_everything.load(); }));
}

TEST_F(PostgresFaults, OnceASilenceIsNoticedNobodyWaitsForItAgain) {
    StallingProxy proxy(database.socket_folder());
    PostgresOptions patient = options();
    patient.statement_timeout = Millis(300'000);
    const auto node = must(open_postgres(database.url_through(proxy.folder()), patient));
    must(node->jobs().submit(submission()));
    proxy.stall();
    // The listener's ping gives all connections up; calls that would wait for minutes end with it.
    const auto start = std::chrono::steady_clock::now();
    EXPECT_FALSE(node->jobs().submit(submission()).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
    const auto noticed = std::chrono::steady_clock::now();
    for (int i = 0; i < 50; ++i) EXPECT_FALSE(node->accounts().find(account.id).ok());
    EXPECT_LT(std::chrono::steady_clock::now() - noticed, std::chrono::seconds(60)) << "one tries at a time";
    proxy.flow();
    EXPECT_TRUE(eventually([&] { return node->accounts().find(account.id).ok(); }));
}

TEST_F(PostgresFaults, NodesSubmittingAndEndingJobsOfManyAccountsNeverLockUp) {
    constexpr int accounts = 6;
    constexpr int jobs_each = 25;
    std::vector<Account> all;
    for (int i = 0; i < accounts; ++i) {
        all.push_back(must(store->accounts().create({"a" + std::to_string(i), "x", "pro"})));
    }
    const auto second = open();
    std::atomic<int> ended{0};
    std::atomic<int> faults{0};
    std::vector<std::thread> threads;
    for (int i = 0; i < 8; ++i) {
        threads.emplace_back([&, i] {
            Store& node = i % 2 == 0 ? *store : *second;
            for (int n = i; n < accounts * jobs_each; n += 8) {
                Submission wanted = submission();
                wanted.job.account_id = all[static_cast<std::size_t>(n % accounts)].id;
                if (!node.jobs().submit(wanted).ok()) ++faults;
            }
        });
        threads.emplace_back([&, i] {
            Store& node = i % 2 == 0 ? *store : *second;
            while (ended < accounts * jobs_each && faults == 0) {
                const auto claimed = node.queue().claim({"w" + std::to_string(i), Lane::any, 2, Millis(60'000)});
                if (!claimed.ok()) ++faults;
                if (!claimed.ok()) return;
                for (const ClaimedJob& one : *claimed) {
                    const auto answer = node.queue().complete(one.lease, {});
                    if (!answer.ok() || *answer != CompleteAnswer::done) ++faults;
                    ++ended;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(faults, 0);
    EXPECT_EQ(ended, accounts * jobs_each);
}

TEST_F(PostgresFaults, TheSchemaItselfRefusesStatesThatMustNotExist) {
    must(store->jobs().submit(submission()));
    const auto runs = [&](const std::string& sql) {
        try {
            PostgresDatabase::execute_in(database.url(), sql);
            return true;
        } catch (const std::exception&) {
            return false;
        }
    };
    EXPECT_FALSE(runs("UPDATE jobs SET status = 'done'"));
    EXPECT_FALSE(runs("UPDATE jobs SET status = 'succeeded', completed_at = 1"));
    EXPECT_FALSE(runs("UPDATE jobs SET status = 'running'"));
    EXPECT_TRUE(runs("UPDATE jobs SET status = 'running', attempt_count = 1, claim = 1, started_at = 1"));
    EXPECT_TRUE(runs("UPDATE jobs SET status = 'succeeded', completed_at = 1"));
    EXPECT_FALSE(runs("UPDATE jobs SET status = 'queued', completed_at = NULL"));
    EXPECT_FALSE(runs("UPDATE credit_ledger SET credits = 0"));
    EXPECT_FALSE(runs("DELETE FROM credit_ledger"));
}

TEST_F(PostgresFaults, ANodeThatIsNotUpgradedYetSubmitsAndEndsJobs) {
    const auto quoted = [](const std::string& text) { return "'" + text + "'"; };
    const Uuid id = Uuid::time_ordered();
    // As nodes called it before requests had ids.
    PostgresDatabase::execute_in(
        database.url(), "SELECT submit_job(NULL, " + quoted(id.to_string()) + ", " + quoted(account.id.to_string()) +
                            ", NULL, NULL, 'resize', '{}', false, 1, 3, NULL, NULL, NULL, NULL, NULL)");
    const auto claimed = must(store->queue().claim({"old", Lane::any, 1, Millis(60'000)}));
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed.front().job.id, id);
    // As nodes called it before artifacts were JSON.
    PostgresDatabase::execute_in(
        database.url(),
        "SELECT complete_job(NULL, " + quoted(id.to_string()) + ", " + std::to_string(claimed.front().lease.claim) +
            ", 'old', '{}', ARRAY[" + quoted(Uuid::time_ordered().to_string()) +
            "]::uuid[], ARRAY['primary'], ARRAY['image/png'], ARRAY[7]::bigint[], ARRAY[1]::bigint[], "
            "ARRAY[1]::bigint[], ARRAY[repeat('0', 64)], ARRAY['{}'], ARRAY['artifacts/one'], ARRAY['one.png'], "
            "ARRAY[1]::bigint[], ARRAY[NULL]::bigint[], NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, "
            "NULL, NULL, NULL, NULL)");
    const auto ended = must(store->jobs().find(account.id, id));
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->status, JobStatus::succeeded);
    ASSERT_EQ(ended->artifacts.size(), 1U);
    EXPECT_EQ(ended->artifacts.front().byte_size, 7);
    EXPECT_EQ(ledger_sum(), 1);
}

TEST_F(PostgresFaults, ANodeThatKnowsNoTracesSubmitsJobsThatHaveNone) {
    const auto quoted = [](const std::string& text) { return "'" + text + "'"; };
    const Uuid id = Uuid::time_ordered();
    PostgresDatabase::execute_in(
        database.url(), "SELECT submit_job(NULL, " + quoted(id.to_string()) + ", " + quoted(account.id.to_string()) +
                            ", NULL, NULL, 'resize', '{}', false, 1, 3, NULL, NULL, NULL, NULL, NULL, 'request-1')");
    const auto claimed = must(store->queue().claim({"new", Lane::any, 1, Millis(60'000)}));
    ASSERT_EQ(claimed.size(), 1U);
    EXPECT_EQ(claimed.front().job.request_id, "request-1");
    EXPECT_EQ(claimed.front().job.trace, "");
}

}  // namespace
}  // namespace tessera::metadata
