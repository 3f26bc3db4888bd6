// What only a database that nodes share holds: signing secrets and counters of requests.
#include <set>
#include <thread>

#include "metadata/rate_counters.hpp"
#include "metadata/signing_secrets.hpp"
#include "postgres_database.hpp"

namespace tessera::metadata {
namespace {

class SharedStateContract : public StoreTest {};
TESSERA_ON_EVERY_BACKEND(SharedStateContract);

TEST_P(SharedStateContract, ExistsExactlyWhereNodesShareTheDatabase) {
    const bool shared = GetParam().name == "postgres";
    EXPECT_EQ(store->rate_counters() != nullptr, shared);
    EXPECT_EQ(store->signing_secrets() != nullptr, shared);
}

class PostgresShared : public testing::Test {
  protected:
    std::unique_ptr<Store> open() { return must(database.open(clock)); }
    static std::string secret(char letter) { return std::string(64, letter); }

    ManualClock clock{from_unix_millis(1'800'000'000'000)};
    PostgresDatabase database;
};

TEST_F(PostgresShared, OfManyNodesThatStartAtOnceOneMakesTheFirstSecret) {
    constexpr std::size_t nodes = 6;
    std::vector<std::unique_ptr<Store>> stores;
    for (std::size_t i = 0; i < nodes; ++i) stores.push_back(open());
    EXPECT_TRUE(must(stores[0]->signing_secrets()->all()).empty());
    std::vector<std::string> got(nodes);
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < nodes; ++i) {
        threads.emplace_back([&, i] {
            const auto all = stores[i]->signing_secrets()->all_or_first(secret("abcdef"[i]));
            if (all.ok() && all->size() == 1) got[i] = all->front().secret;
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::set(got.begin(), got.end()).size(), 1u);
    EXPECT_EQ(got.front().size(), 64u);
    EXPECT_EQ(must(stores[0]->signing_secrets()->all()).front().created_at, clock.now());
}

TEST_F(PostgresShared, ARotationIsSeenByEveryNodeAndKeepsTheNewest) {
    const auto one = open();
    const auto two = open();
    must(one->signing_secrets()->all_or_first(secret('a')));
    for (const char letter : {'b', 'c', 'd'}) must(one->signing_secrets()->rotate(secret(letter), 3));
    const auto seen = must(two->signing_secrets()->all());
    ASSERT_EQ(seen.size(), 3u);
    EXPECT_EQ(seen[0].secret, secret('d'));
    EXPECT_EQ(seen[2].secret, secret('b'));
    EXPECT_GT(seen[0].created_at, seen[1].created_at) << "in order although the clock stood still";
    clock.advance(-Millis(3'600'000));
    EXPECT_EQ(must(two->signing_secrets()->rotate(secret('e'), 1)).front().secret, secret('e'));
    EXPECT_EQ(must(one->signing_secrets()->all()).size(), 1u);
    EXPECT_EQ(must(one->signing_secrets()->all_or_first(secret('f'))).front().secret, secret('e'));
}

TEST_F(PostgresShared, CountersAddUpAndShareTheWindowThatBeganFirst) {
    const auto a = open();
    const auto b = open();
    const auto add = [](Store& node, std::int64_t count, Millis ends_in) {
        return must(node.rate_counters()->add(std::vector<RateDelta>{{"jobs:acme", count, ends_in}})).front();
    };
    EXPECT_EQ(add(*a, 1, Millis(60'000)).count, 1);
    clock.advance(Millis(10'000));
    const RateTotal second = add(*b, 2, Millis(60'000));
    EXPECT_EQ(second.count, 3);
    EXPECT_EQ(second.ends_in, Millis(50'000)) << "the window is the first node's";
    EXPECT_EQ(add(*a, 1, Millis(45'000)).ends_in, Millis(45'000)) << "a node that was away had begun earlier still";
    clock.advance(Millis(45'000));
    const RateTotal fresh = add(*b, 5, Millis(59'900));
    EXPECT_EQ(fresh.count, 5);
    EXPECT_EQ(fresh.ends_in, Millis(59'900)) << "began with the request, not with its report";
    clock.advance(Millis(60'000));
    EXPECT_EQ(must(a->maintenance().remove_expired({})), 1) << "windows that ended are swept";
}

TEST_F(PostgresShared, ManyCountersGoInOneCallAndComeBackInOrder) {
    const auto node = open();
    std::vector<RateDelta> deltas;
    for (int i = 0; i < 3000; ++i) {
        deltas.push_back({"key:" + std::to_string((i * 7919) % 3000), i + 1, Millis(60'000)});
    }
    must(node->rate_counters()->add(deltas));
    const auto totals = must(node->rate_counters()->add(deltas));
    ASSERT_EQ(totals.size(), deltas.size());
    for (std::size_t i = 0; i < totals.size(); ++i) ASSERT_EQ(totals[i].count, 2 * deltas[i].count) << i;
    EXPECT_TRUE(must(node->rate_counters()->add({})).empty());
}

TEST_F(PostgresShared, NodesThatAddToTheSameCountersInAnyOrderNeitherFailNorLoseACount) {
    constexpr int keys = 40;
    constexpr int rounds = 25;
    const auto a = open();
    const auto b = open();
    const auto work = [&](Store& node, bool backwards) {
        std::vector<RateDelta> deltas;
        for (int i = 0; i < keys; ++i) {
            deltas.push_back({"key:" + std::to_string(backwards ? keys - 1 - i : i), 1, Millis(60'000)});
        }
        for (int i = 0; i < rounds; ++i) must(node.rate_counters()->add(deltas));
    };
    std::thread other([&] { work(*b, true); });
    work(*a, false);
    other.join();
    EXPECT_EQ(must(a->rate_counters()->add(std::vector<RateDelta>{{"key:7", 1, Millis(1)}})).front().count,
              2 * rounds + 1);
}

}  // namespace
}  // namespace tessera::metadata
