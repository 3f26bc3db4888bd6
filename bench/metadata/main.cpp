// How fast a metadata store accepts, claims and ends jobs, and whether a long queue slows a claim.
//   bench_metadata sqlite FOLDER | postgresql://… [jobs in the long queue]
// Prints one line of JSON for each figure.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <semaphore>
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
    return run_clients(clients, jobs, [&](int n) {
        const auto& account = accounts[static_cast<std::size_t>(n) % accounts.size()];
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

// The median time of a claim and of an ending, in milliseconds. Each is one commit, so the disk's sync is in it.
void claim_some(Store& store, const std::string& label, int count) {
    std::vector<double> claims;
    std::vector<double> endings;
    for (int i = 0; i < count; ++i) {
        auto start = Steady::now();
        const auto claimed = must(store.queue().claim({"bench", Lane::any, 1, Millis(600'000)}));
        claims.push_back(seconds_since(start) * 1000);
        if (claimed.empty()) std::abort();
        start = Steady::now();
        must(store.queue().complete(claimed[0].lease, {}));
        endings.push_back(seconds_since(start) * 1000);
    }
    std::printf(R"({"figure":"claim","queue":"%s","median_ms":%.3f,"p99_ms":%.3f,"complete_median_ms":%.3f})"
                "\n",
                label.c_str(), percentile(claims, 0.5), percentile(claims, 0.99), percentile(endings, 0.5));
}

// The cost of a claim beside the commit: many in one transaction.
void claim_in_bulk(Store& store, const std::string& label) {
    std::vector<double> times;
    for (int i = 0; i < 20; ++i) {
        const auto start = Steady::now();
        const auto claimed = must(store.queue().claim({"bench", Lane::any, 100, Millis(600'000)}));
        times.push_back(seconds_since(start) * 1e6 / static_cast<double>(claimed.size()));
        std::vector<Lease> leases;
        for (const ClaimedJob& one : claimed) leases.push_back(one.lease);
        must(store.queue().release(leases));
    }
    std::printf(R"({"figure":"claim_100","queue":"%s","median_us_per_job":%.1f})"
                "\n",
                label.c_str(), percentile(times, 0.5));
}

void drain(Store& store) {
    while (true) {
        const auto claimed = must(store.queue().claim({"bench", Lane::any, 256, Millis(600'000)}));
        if (claimed.empty()) return;
        run_clients(64, static_cast<int>(claimed.size()),
                    [&](int n) { must(store.queue().complete(claimed[static_cast<std::size_t>(n)].lease, {})); });
    }
}

// From the answer to a submission on one node until another node holds the job.
void wake_latency(Store& submitter, Store& worker, const Account& account) {
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
    std::printf(R"({"figure":"claim_by_another_node","median_ms":%.3f,"p99_ms":%.3f})"
                "\n",
                percentile(times, 0.5), percentile(times, 0.99));
}

void run(Store& store, Store& other, int long_queue) {
    Plan plan;
    plan.code = "bench";
    const std::vector<Plan> plans{plan};
    if (const auto applied = store.plans().apply(plans); !applied.ok()) std::abort();

    const std::vector<Account> one = make_accounts(store, "one", 1);
    for (const int clients : {1, 8, 64, 256}) {
        const int jobs = clients == 1 ? 300 : 6000;
        const double seconds = submit_many(store, one, clients, jobs);
        std::printf(R"({"figure":"submit","clients":%d,"per_second":%.0f})"
                    "\n",
                    clients, jobs / seconds);
    }
    drain(store);
    wake_latency(store, other, one[0]);

    submit_many(store, one, 256, 1000 + 2000);
    claim_some(store, "one account, 1000", 300);
    claim_in_bulk(store, "one account, 1000");
    drain(store);

    const std::vector<Account> many = make_accounts(store, "many", 2000);
    submit_many(store, many, 256, 4000);
    claim_some(store, "2000 accounts, 4000", 300);
    claim_in_bulk(store, "2000 accounts, 4000");

    if (long_queue == 0) return;
    const double seconds = submit_many(store, one, 512, long_queue);
    std::printf(R"({"figure":"fill","jobs":%d,"per_second":%.0f})"
                "\n",
                long_queue, long_queue / seconds);
    claim_some(store, "2001 accounts, one with " + std::to_string(long_queue), 300);
    claim_in_bulk(store, "2001 accounts, one with " + std::to_string(long_queue));
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fprintf(stderr, "usage: bench_metadata sqlite FOLDER|postgresql://… [jobs]\n");
        return 2;
    }
    log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const SystemClock clock;
    const bool embedded = std::string(argv[1]) == "sqlite";
    const int rest = embedded ? 3 : 2;
    const auto open = [&] {
        if (!embedded) return must(open_postgres(argv[1]));
        return must(open_sqlite((std::filesystem::path(argv[2]) / "bench.db").string(), clock));
    };
    const auto store = open();
    const auto other = open();
    run(*store, *other, argc > rest ? std::atoi(argv[rest]) : 0);
}
