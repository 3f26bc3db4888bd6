// How fast a metadata store accepts, claims and ends jobs, and whether a long queue slows a claim. STORE is a folder
// for SQLite, or postgresql://…; it should be new. Prints one line of JSON. Started by bench/metadata/run:
//   bench_metadata submit STORE CLIENTS JOBS
//   bench_metadata claim  STORE ACCOUNTS QUEUED     claims from a queue that is kept at that length
//   bench_metadata wake   STORE                     from a submission on one node to its claim on another
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <semaphore>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "core/log.hpp"
#include "metadata/accounts.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"

namespace {

using namespace tessera;
using namespace tessera::metadata;
using Steady = std::chrono::steady_clock;

template <typename T>
T must(Result<T> result) {
    if (!result.ok()) {
        std::fprintf(stderr, "failed: %s: %s\n", result.error().message.c_str(), result.error().detail.c_str());
        std::exit(1);
    }
    return *std::move(result);
}

double seconds_since(Steady::time_point start) {
    return std::chrono::duration<double>(Steady::now() - start).count();
}

Submission submission(const Account& account) {
    Submission made;
    made.job.id = Uuid::time_ordered();
    made.job.account_id = account.id;
    made.job.asset_id = Uuid::time_ordered();
    made.job.operation = "resize";
    made.job.options_json = R"({"width":800,"fit":"inside","format":"webp","quality":80,"enlarge":false})";
    made.job.credits = 1;
    made.max_in_flight_jobs = 100'000'000;
    made.max_period_credits = 1'000'000'000;
    made.idempotency = {"bench-" + made.job.id.to_string(), sha256(made.job.options_json)};
    return made;
}

// `clients` threads that each do their share, one call after the other.
double run_clients(int clients, int calls, const std::function<void(int)>& call) {
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    const auto start = Steady::now();
    for (int i = 0; i < clients; ++i) {
        threads.emplace_back([&] {
            for (int n = next++; n < calls; n = next++) call(n);
        });
    }
    for (std::thread& thread : threads) thread.join();
    return seconds_since(start);
}

double submit_many(Store& store, const std::vector<Account>& accounts, int clients, int jobs) {
    return run_clients(clients, jobs, [&](int) {
        static std::atomic<std::size_t> turn{0};
        const auto& account = accounts[turn++ % accounts.size()];
        if (must(store.jobs().submit(submission(account))).outcome != SubmitOutcome::created) std::abort();
    });
}

std::vector<Account> make_accounts(Store& store, const std::string& name, int count) {
    std::vector<Account> accounts(static_cast<std::size_t>(count));
    run_clients(64, count, [&](int n) {
        accounts[static_cast<std::size_t>(n)] = must(store.accounts().create(
            {name + "-" + std::to_string(n) + "-" + Uuid::random().to_string(), name, "bench"}));
    });
    return accounts;
}

double percentile(std::vector<double>& values, double which) {
    std::sort(values.begin(), values.end());
    return values[static_cast<std::size_t>(which * static_cast<double>(values.size() - 1))];
}

// The median times of a claim and of an ending, one at a time: each is one commit, so that what it costs on disk is in
// it. And of a claim among a hundred in one transaction, which shows the cost of finding a job alone.
void claim(Store& store, const std::vector<Account>& accounts, int queued) {
    constexpr int rounds = 500;
    const double fill_seconds = submit_many(store, accounts, 512, queued);
    std::vector<double> claims;
    std::vector<double> endings;
    for (int i = 0; i < rounds; ++i) {
        auto start = Steady::now();
        const auto claimed = must(store.queue().claim({"bench", Lane::any, 1, Millis(600'000)}));
        claims.push_back(seconds_since(start) * 1000);
        if (claimed.empty()) std::abort();
        start = Steady::now();
        must(store.queue().complete(claimed[0].lease, {}));
        endings.push_back(seconds_since(start) * 1000);
        submit_many(store, accounts, 1, 1);
    }
    std::vector<double> in_bulk;
    for (int i = 0; i < 50; ++i) {
        const auto start = Steady::now();
        const auto claimed = must(store.queue().claim({"bench", Lane::any, 100, Millis(600'000)}));
        in_bulk.push_back(seconds_since(start) * 1e6 / static_cast<double>(claimed.size()));
        std::vector<Lease> leases;
        for (const ClaimedJob& one : claimed) leases.push_back(one.lease);
        must(store.queue().release(leases));
    }
    std::printf(R"({"claim_ms":%.4f,"claim_p99_ms":%.4f,"end_ms":%.4f,"bulk_us":%.2f,"fill_per_second":%.0f})"
                "\n",
                percentile(claims, 0.5), percentile(claims, 0.99), percentile(endings, 0.5), percentile(in_bulk, 0.5),
                queued / fill_seconds);
}

// From the answer to a submission on one node until another node holds the job.
void wake(Store& submitter, Store& worker, const Account& account) {
    std::binary_semaphore woken{0};
    const auto subscription = worker.on_jobs_available([&] { woken.try_acquire(), woken.release(); });
    std::vector<double> times;
    for (int i = 0; i < 100; ++i) {
        must(submitter.jobs().submit(submission(account)));
        const auto start = Steady::now();
        while (true) {
            const auto claimed = must(worker.queue().claim({"bench", Lane::any, 1, Millis(600'000)}));
            if (!claimed.empty()) {
                times.push_back(seconds_since(start) * 1000);
                must(worker.queue().complete(claimed[0].lease, {}));
                break;
            }
            woken.acquire();
        }
    }
    std::printf(R"({"median_ms":%.3f,"p99_ms":%.3f})"
                "\n",
                percentile(times, 0.5), percentile(times, 0.99));
}

std::unique_ptr<Store> open(const std::string& where, const Clock& clock) {
    if (where.starts_with("postgresql://")) return must(open_postgres(where));
    return must(open_sqlite((std::filesystem::path(where) / "bench.db").string(), clock));
}

}  // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    const auto number = [&](int i) { return i < argc ? std::atoi(argv[i]) : 1; };
    log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
    const SystemClock clock;
    if (what != "submit" && what != "claim" && what != "wake") {
        std::fprintf(stderr, "usage: bench_metadata submit|claim|wake FOLDER|postgresql://… [numbers]\n");
        return 2;
    }
    const auto store = open(argv[2], clock);
    Plan plan;
    plan.code = "bench";
    if (const auto applied = store->plans().apply(std::span(&plan, 1)); !applied.ok()) return 1;
    const auto accounts = make_accounts(*store, "bench", what == "claim" ? number(3) : 1);
    if (what == "submit") {
        std::printf("{\"per_second\":%.0f}\n", number(4) / submit_many(*store, accounts, number(3), number(4)));
    } else if (what == "claim") {
        claim(*store, accounts, number(4));
    } else {
        const auto other = open(argv[2], clock);
        wake(*store, *other, accounts[0]);
    }
}
