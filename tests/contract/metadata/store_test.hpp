// The fixture of the contract suite: every test in it runs on every backend, each in a database of its own.
#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/clock.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/artifacts.hpp"
#include "metadata/assets.hpp"
#include "metadata/audit.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/jobs.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/plans.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "metadata/tilesets.hpp"
#include "metadata/usage.hpp"
#include "support/eventually.hpp"

namespace tessera::metadata {

// An empty database that goes when it is destroyed. Opening it twice is what two processes do.
class Database {
  public:
    virtual ~Database() = default;
    virtual Result<std::unique_ptr<Store>> open(const Clock& clock) = 0;
};

struct Backend {
    std::string name;
    std::function<std::unique_ptr<Database>()> make;
};
std::vector<Backend> backends();
inline void PrintTo(const Backend& backend, std::ostream* out) {
    *out << backend.name;
}

class StoreTest : public testing::TestWithParam<Backend> {
  protected:
    StoreTest();

    std::unique_ptr<Store> open();
    // Another process's view of the same database.
    Store& other();

    Account make_account(const std::string& slug = "acme");
    Asset make_asset(const Account& account, const std::string& key = "assets/one");
    Submission submission(const Account& account);
    Job submit(const Submission& submission);
    Job submit(const Account& account) { return submit(submission(account)); }
    std::vector<ClaimedJob> claim(int max_jobs = 1, Lane lane = Lane::any, const std::string& worker = "w1");
    ClaimedJob claim_one(const std::string& worker = "w1");
    Job job(const Job& of);
    std::int64_t credits_used(const Account& account);
    // What the ledger adds up to.
    std::int64_t ledger_sum(const Account& account);
    Artifact artifact(const std::string& key = "artifacts/one");

    ManualClock clock{from_unix_millis(1'800'000'000'000)};
    std::unique_ptr<Database> database;
    std::unique_ptr<Store> store;
    std::unique_ptr<Store> second_store;
};

// True when it becomes so within a generous deadline.
using test::eventually;

#define TESSERA_ON_EVERY_BACKEND(Fixture)                                      \
    INSTANTIATE_TEST_SUITE_P(Backends, Fixture, testing::ValuesIn(backends()), \
                             [](const auto& of) { return of.param.name; })

// The value, or a failed test with the error's text.
template <typename T>
T must(Result<T> result) {
    if (!result.ok()) throw std::runtime_error(result.error().message + ": " + result.error().detail);
    return *std::move(result);
}
inline void must(const Result<void>& result) {
    if (!result.ok()) throw std::runtime_error(result.error().message + ": " + result.error().detail);
}

}  // namespace tessera::metadata
