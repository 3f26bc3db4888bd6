#include <atomic>
#include <mutex>

#include "store_test.hpp"

namespace tessera::metadata {
namespace {

class ChangesContract : public StoreTest {
  protected:
    // Notes the changes that `of` tells of.
    void watch(Store& of) {
        subscription = of.on_change([this](const Change& change) {
            const std::lock_guard lock(mutex);
            seen.push_back(change);
        });
    }
    bool saw(Change::Kind kind, const Uuid& id) {
        const std::lock_guard lock(mutex);
        return std::ranges::any_of(seen, [&](const Change& change) { return change.kind == kind && change.id == id; });
    }

    std::mutex mutex;
    std::vector<Change> seen;
    std::unique_ptr<Subscription> subscription;
};
TESSERA_ON_EVERY_BACKEND(ChangesContract);

TEST_P(ChangesContract, AnotherProcessSeesARevokedKey) {
    const Account account = make_account();
    const ApiKey key = must(store->api_keys().create({account.id, "ci", "runtime", sha256("a key")}));
    watch(other());
    const std::uint64_t before = other().change_counter();
    must(store->api_keys().revoke(key.id));
    EXPECT_TRUE(eventually([&] { return saw(Change::Kind::account, account.id); }));
    EXPECT_GT(other().change_counter(), before);
    EXPECT_TRUE(must(other().api_keys().find_by_hash(sha256("a key")))->revoked_at);
}

TEST_P(ChangesContract, AnotherProcessSeesAnEntitlement) {
    const Account account = make_account();
    watch(other());
    must(store->entitlements().set(account.id, {"cdn_delivery", true, "active", "admin", "tessera", "", false}));
    EXPECT_TRUE(eventually([&] { return saw(Change::Kind::account, account.id); }));
}

TEST_P(ChangesContract, AnotherProcessSeesPlansThatChanged) {
    watch(other());
    must(store->plans().apply(std::vector<Plan>{}));
    EXPECT_TRUE(eventually([&] { return saw(Change::Kind::plans, Uuid()); }));
}

TEST_P(ChangesContract, AProcessSeesItsOwnChange) {
    watch(*store);
    const Account account = make_account();
    EXPECT_TRUE(eventually([&] { return saw(Change::Kind::account, account.id); }));
}

TEST_P(ChangesContract, AProcessKnowsANewVersionBeforeItTellsOfTheJobThatMadeIt) {
    submit(make_account());
    Completion completion;
    completion.tileset = TilesetChange{};
    completion.tileset->tileset_id = Uuid::time_ordered();
    completion.tileset->layers = {{"tilesets/base", 99}};
    watch(*store);
    std::atomic<bool> knew_it{false};
    const auto jobs = store->on_job_changes([&](Store::JobChanges changes) {
        for (const JobChange& change : changes) {
            if (has_ended(change.status)) knew_it = saw(Change::Kind::tileset, completion.tileset->tileset_id);
        }
    });
    ASSERT_EQ(must(store->queue().complete(claim_one().lease, completion)), CompleteAnswer::done);
    EXPECT_TRUE(saw(Change::Kind::tileset, completion.tileset->tileset_id));
    EXPECT_TRUE(eventually([&] { return knew_it.load(); }));
}

TEST_P(ChangesContract, ASubmissionIsNoChangeForCaches) {
    const Account account = make_account();
    watch(*store);
    const Account before = make_account("before");
    ASSERT_TRUE(eventually([&] { return saw(Change::Kind::account, before.id); }));
    const std::uint64_t counted = store->change_counter();
    submit(account);
    must(store->queue().complete(claim_one().lease, {}));
    const Account after = make_account("after");
    ASSERT_TRUE(eventually([&] { return saw(Change::Kind::account, after.id); }));
    EXPECT_EQ(store->change_counter(), counted + 1);
}

TEST_P(ChangesContract, ASubmissionWakesWorkersInEveryProcess) {
    const Account account = make_account();
    std::atomic<int> own{0};
    std::atomic<int> others{0};
    const auto a = store->on_jobs_available([&] { ++own; });
    const auto b = other().on_jobs_available([&] { ++others; });
    submit(account);
    EXPECT_TRUE(eventually([&] { return own > 0 && others > 0; }));
}

TEST_P(ChangesContract, AnEndedSubscriptionIsNotCalled) {
    const Account account = make_account();
    std::atomic<int> ended{0};
    std::atomic<int> alive{0};
    auto a = store->on_jobs_available([&] { ++ended; });
    const auto b = store->on_jobs_available([&] { ++alive; });
    a.reset();
    submit(account);
    EXPECT_TRUE(eventually([&] { return alive > 0; }));
    EXPECT_EQ(ended, 0);
}

TEST_P(ChangesContract, AStoreThatAnswersPassesItsCheck) {
    EXPECT_TRUE(store->check().ok());
}

}  // namespace
}  // namespace tessera::metadata
