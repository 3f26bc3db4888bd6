// Keys, account contexts and plans, on a real database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/hex.hpp"
#include "metadata/accounts.hpp"
#include "metadata/api_keys.hpp"
#include "metadata/entitlements.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "metadata/usage.hpp"
#include "service/access/api_key_text.hpp"
#include "service/access/entitlement_list.hpp"
#include "service/access/key_authenticator.hpp"
#include "service/access/key_use_meter.hpp"
#include "service/access/ledger_account_contexts.hpp"
#include "service/access/stored_plan_catalogue.hpp"
#include "support/eventually.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;
using testing::Contains;
using testing::ElementsAre;
using testing::Field;

Plan plan(const std::string& code, std::int64_t amount, bool is_public) {
    Plan made;
    made.code = code;
    made.display_name = code;
    made.is_public = is_public;
    made.billing_amount_minor = amount;
    made.included_processing_credits = 1000;
    made.limits.max_grid_render_megapixels = 64;
    return made;
}

class IdentityTest : public testing::Test {
  protected:
    IdentityTest() {
        store_ = open();
        EXPECT_TRUE(
            store_->plans()
                .apply(std::vector<Plan>{plan("pro", 500, true), plan("starter", 100, true), plan("own", 0, false)})
                .ok());
        account_ = store_->accounts().create({.slug = "shop", .display_name = "Shop", .plan_code = "pro"}).value();
    }
    ~IdentityTest() override { store_.reset(); }

    std::unique_ptr<metadata::Store> open() {
        return metadata::open_sqlite((folder_ / "t.db").string(), clock_, {.readers = 2, .change_poll = Millis(20)})
            .value();
    }
    std::string new_key(const std::string& role = "runtime") {
        const std::string text = make_api_key();
        key_ = store_->api_keys()
                   .create({.account_id = account_.id, .name = "web", .role_code = role, .hash = hash_of_api_key(text)})
                   .value();
        return text;
    }
    const test::TemporaryFolder folder_;
    ManualClock clock_{from_unix_millis(1'800'000'000'000)};
    std::unique_ptr<metadata::Store> store_;
    Account account_;
    ApiKey key_;
};

TEST(ApiKeyTextTest, KeysAreLongRandomAndRecognisable) {
    const std::string key = make_api_key();
    EXPECT_TRUE(looks_like_api_key(key));
    EXPECT_TRUE(key.starts_with("tsr_"));
    EXPECT_NE(key, make_api_key());
}

TEST(ApiKeyTextTest, AnythingElseIsNoKey) {
    const std::string key = make_api_key();
    for (const std::string& wrong :
         {std::string(), std::string("tsr_"), key.substr(1), key + "a", key.substr(0, key.size() - 1),
          "TSR_" + key.substr(4), key.substr(0, 20) + " " + key.substr(21),
          key.substr(0, 20) + std::string(1, '\0') + key.substr(21), key.substr(0, 20) + "\xc3" + key.substr(21),
          " " + key, std::string(100'000, 'a')}) {
        EXPECT_FALSE(looks_like_api_key(wrong));
    }
}

TEST_F(IdentityTest, AKeySpeaksForItsAccountWithPlanAndRole) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key("reader");
    EXPECT_EQ(authenticator.cached(key), nullptr);
    const auto principal = authenticator.authenticate(key);
    ASSERT_TRUE(principal.ok());
    EXPECT_EQ((*principal)->account.slug, "shop");
    EXPECT_EQ((*principal)->key.id, key_.id);
    EXPECT_EQ((*principal)->plan.code, "pro");
    EXPECT_TRUE((*principal)->may(Permission::account_read));
    EXPECT_FALSE((*principal)->may(Permission::jobs_write));
    EXPECT_FALSE((*principal)->has_feature(cdn_delivery_feature));
    EXPECT_EQ(authenticator.cached(key), *principal) << "the second time it costs no query";
}

TEST_F(IdentityTest, MalformedUnknownAndRevokedKeysAreInvalid) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string revoked = new_key();
    ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());
    for (const std::string& wrong : {std::string(), std::string("x"), make_api_key(), revoked}) {
        const auto refused = authenticator.authenticate(wrong);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::invalid_api_key);
        EXPECT_EQ(refused.error().message, "invalid api key");
        EXPECT_EQ(authenticator.cached(wrong), nullptr);
    }
    EXPECT_EQ(authenticator.kept(), 0u);
}

TEST_F(IdentityTest, RevocationInThisProcessIsSeen) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    ASSERT_TRUE(authenticator.authenticate(key).ok());
    ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());
    EXPECT_TRUE(test::eventually([&] { return authenticator.cached(key) == nullptr; }));
    EXPECT_FALSE(authenticator.authenticate(key).ok());
}

TEST_F(IdentityTest, ChangesMadeByAnotherProcessAreSeen) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    const auto other = open();
    const auto sees = [&](auto condition) {
        return test::eventually([&] {
            const auto now = authenticator.authenticate(key);
            return now.ok() && condition(**now);
        });
    };
    ASSERT_TRUE(authenticator.authenticate(key).ok());
    ASSERT_TRUE(other->entitlements().set(account_.id, granted_by_admin(cdn_delivery_feature, true)).ok());
    EXPECT_TRUE(sees([](const Principal& p) { return p.has_feature(cdn_delivery_feature); }));
    ASSERT_TRUE(other->accounts().change_plan(account_.id, "starter", "admin").ok());
    EXPECT_TRUE(sees([](const Principal& p) { return p.plan.code == "starter"; }));
    ASSERT_TRUE(other->plans().apply(std::vector<Plan>{plan("starter", 777, true)}).ok());
    EXPECT_TRUE(sees([](const Principal& p) { return p.plan.billing_amount_minor == 777; }));
    ASSERT_TRUE(other->api_keys().revoke(key_.id).ok());
    EXPECT_TRUE(test::eventually([&] { return !authenticator.authenticate(key).ok(); }));
}

TEST_F(IdentityTest, OneAccountsChangeLeavesTheOthersInMemory) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string mine = new_key();
    const Account other =
        store_->accounts().create({.slug = "other", .display_name = "Other", .plan_code = "pro"}).value();
    ASSERT_TRUE(test::eventually(
        [&] { return authenticator.authenticate(mine).ok() && authenticator.cached(mine) != nullptr; }));
    ASSERT_TRUE(store_->entitlements().set(other.id, granted_by_admin(cdn_delivery_feature, true)).ok());
    EXPECT_NE(authenticator.cached(mine), nullptr);
}

TEST_F(IdentityTest, WhichKeysExistIsKnownWithoutAQueryOnceItWasLearned) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    const std::string wrong = make_api_key();
    EXPECT_FALSE(authenticator.may_exist("x"));
    EXPECT_TRUE(authenticator.may_exist(wrong)) << "nobody knows yet";
    const auto learned = [&] {
        authenticator.learn_which_exist();
        return authenticator.may_exist(key) && !authenticator.may_exist(wrong);
    };
    EXPECT_TRUE(test::eventually(learned));

    const std::string later = new_key();
    EXPECT_TRUE(test::eventually([&] { return authenticator.may_exist(later); })) << "a key that is made is told of";
    EXPECT_TRUE(test::eventually(learned));
    EXPECT_TRUE(authenticator.may_exist(later));
    ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());
    EXPECT_TRUE(test::eventually([&] {
        authenticator.learn_which_exist();
        return !authenticator.may_exist(later);
    }));
}

TEST_F(IdentityTest, AnExpiredKeyIsInvalidAndTheLogCanSayWhy) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string text = make_api_key();
    const auto made = store_->api_keys().create(
        {.account_id = account_.id, .name = "web", .hash = hash_of_api_key(text), .expires_at = clock_.now() + 1h});
    ASSERT_TRUE(made.ok());
    EXPECT_TRUE(authenticator.authenticate(text).ok());
    clock_.advance(1h);
    KeyAuthenticator another(*store_, clock_);
    const auto refused = another.authenticate(text);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_api_key);
    EXPECT_EQ(refused.error().message, "invalid api key");
    EXPECT_EQ(refused.error().detail, "key " + made->id.to_string() + " has expired");
}

TEST_F(IdentityTest, AKeyIsNotKeptBeyondItsEnd) {
    KeyAuthenticator authenticator(*store_, clock_, {.recheck_after = 1h});
    const std::string text = make_api_key();
    ASSERT_TRUE(store_->api_keys()
                    .create({.account_id = account_.id,
                             .name = "web",
                             .hash = hash_of_api_key(text),
                             .expires_at = clock_.now() + 20ms})
                    .ok());
    ASSERT_TRUE(authenticator.authenticate(text).ok());
    EXPECT_TRUE(test::eventually([&] { return authenticator.cached(text) == nullptr; }))
        << "it is read again when it ends";
}

TEST_F(IdentityTest, TheUseOfAKeyIsNotedOnceAMinute) {
    KeyAuthenticator authenticator(*store_, clock_);
    KeyUseMeter meter(authenticator, store_->api_keys());
    const std::string key = new_key();
    const auto last_use = [&] {
        EXPECT_TRUE(meter.flush().ok());
        return store_->api_keys().list(account_.id)->front().last_used_at;
    };
    const auto use = [&] {
        if (!authenticator.cached(key)) (void)authenticator.authenticate(key);
        ASSERT_TRUE(test::eventually([&] { return authenticator.cached(key) != nullptr; }));
        authenticator.cached(key)->use.set();
    };
    ASSERT_TRUE(authenticator.authenticate(key).ok());
    EXPECT_FALSE(last_use()) << "it was asked for, and nobody was admitted with it";
    const Timestamp first = clock_.now();
    use();
    EXPECT_EQ(last_use(), first);

    // The authenticator that knows of that use writes nothing for a minute.
    KeyAuthenticator later(*store_, clock_);
    const PrincipalPtr principal = later.authenticate(key).value();
    clock_.advance(30s);
    principal->use.set();
    EXPECT_TRUE(later.take_used().empty());
    clock_.advance(30s);
    principal->use.set();
    EXPECT_EQ(later.take_used().size(), 1u);
}

TEST_F(IdentityTest, AUseIsNotForgottenWithTheIdentity) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    const std::string other = new_key();
    authenticator.authenticate(key).value()->use.set();
    ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());  // `other`: all that was kept of the account goes
    ASSERT_TRUE(test::eventually([&] { return authenticator.cached(key) == nullptr; }));
    EXPECT_EQ(authenticator.take_used().size(), 1u);
}

TEST_F(IdentityTest, MemoryIsBounded) {
    KeyAuthenticator authenticator(*store_, clock_, {.max_kept = 64});
    for (int i = 0; i < 200; ++i) ASSERT_TRUE(authenticator.authenticate(new_key()).ok());
    EXPECT_LE(authenticator.kept(), 64u);
}

// Stands for a node that no longer hears its database: a revocation changes the row, and nobody is told.
TEST_F(IdentityTest, ARevocationThatNobodyHeardOfIsSeenBeforeLong) {
    KeyAuthenticator authenticator(*store_, clock_, {.recheck_after = 50ms});
    const std::string key = new_key();
    ASSERT_TRUE(authenticator.authenticate(key).ok());
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder_ / "t.db").c_str(), &database), SQLITE_OK);
    sqlite3_busy_timeout(database, 30'000);
    EXPECT_EQ(sqlite3_exec(database, "UPDATE api_keys SET revoked_at = 1", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
    EXPECT_TRUE(test::eventually([&] { return authenticator.cached(key) == nullptr; }));
    EXPECT_FALSE(authenticator.authenticate(key).ok());
}

// Each thread remembers keys that it has seen: none may go on believing in one.
TEST_F(IdentityTest, EveryThreadForgetsARevokedKey) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    const std::string other = new_key();
    ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());  // `other`: what was kept of the account goes, `key` is good
    ASSERT_TRUE(test::eventually([&] { return !authenticator.authenticate(other).ok(); }));
    const Uuid first = authenticator.authenticate(key).value()->key.id;

    std::atomic<int> remembering = 0;
    std::atomic<int> forgot = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back([&] {
            if (!test::eventually([&] { return authenticator.cached(key) || !authenticator.authenticate(key).ok(); }))
                return;
            ++remembering;
            if (test::eventually([&] { return authenticator.cached(key) == nullptr; })) ++forgot;
        });
    }
    ASSERT_TRUE(test::eventually([&] { return remembering == 3; }));
    ASSERT_TRUE(store_->api_keys().revoke(first).ok());
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(forgot, 3);
}

TEST_F(IdentityTest, AThreadCountsItsOwnReferences) {
    KeyAuthenticator authenticator(*store_, clock_);
    const std::string key = new_key();
    const PrincipalPtr loaded = authenticator.authenticate(key).value();
    const PrincipalPtr here = authenticator.cached(key);
    PrincipalPtr there;
    std::thread([&] { there = authenticator.cached(key); }).join();
    ASSERT_TRUE(here && there);
    EXPECT_EQ(here.get(), loaded.get());
    EXPECT_EQ(there.get(), loaded.get());
    const auto same_count = [](const PrincipalPtr& a, const PrincipalPtr& b) {
        return !a.owner_before(b) && !b.owner_before(a);
    };
    EXPECT_FALSE(same_count(here, there));
    EXPECT_FALSE(same_count(here, loaded));
    EXPECT_TRUE(same_count(here, authenticator.cached(key)));
}

TEST_F(IdentityTest, ARevocationThatRacesWithRequestsAlwaysWins) {
    KeyAuthenticator authenticator(*store_, clock_);
    for (int round = 0; round < 20; ++round) {
        const std::string key = new_key();
        std::atomic<bool> stop = false;
        std::vector<std::thread> askers;
        for (int i = 0; i < 3; ++i) {
            askers.emplace_back([&] {
                while (!stop) {
                    if (!authenticator.cached(key)) (void)authenticator.authenticate(key);
                }
            });
        }
        ASSERT_TRUE(store_->api_keys().revoke(key_.id).ok());
        EXPECT_TRUE(test::eventually(
            [&] { return authenticator.cached(key) == nullptr && !authenticator.authenticate(key).ok(); }));
        stop = true;
        for (std::thread& asker : askers) asker.join();
        EXPECT_EQ(authenticator.cached(key), nullptr);
    }
}

TEST_F(IdentityTest, TheContextTellsQuotasLimitsAndUsage) {
    KeyAuthenticator authenticator(*store_, clock_);
    LedgerAccountContexts contexts(store_->usage(),
                                   {.grid_megapixels = 50, .generated_tiles = 7, .storage = {.max_account_bytes = 9}});
    const PrincipalPtr principal = authenticator.authenticate(new_key()).value();
    ASSERT_TRUE(store_->usage().add_delivered_bytes(std::vector<metadata::DeliveredBytes>{{account_.id, 4711}}).ok());
    const auto context = contexts.read(principal);
    ASSERT_TRUE(context.ok());
    EXPECT_EQ(context->principal, principal);
    EXPECT_EQ(context->credits_limit, 1000);
    EXPECT_EQ(context->credits_used, 0);
    EXPECT_EQ(context->credits_remaining, 1000);
    EXPECT_EQ(context->cdn_delivery_bytes_used, 4711);
    ASSERT_EQ(context->quotas.size(), 2u);
    EXPECT_EQ(context->quotas[0].name, "processing_credits_monthly");
    EXPECT_EQ(context->quotas[0].limit, 1000);
    EXPECT_EQ(context->quotas[0].interval_seconds, 30 * 86400);
    EXPECT_EQ(context->quotas[1].name, "max_grid_render_megapixels");
    EXPECT_EQ(context->quotas[1].limit, 64);
    EXPECT_FALSE(context->quotas[1].interval_seconds);
    EXPECT_EQ(context->effective_limits.grid_megapixels, 50) << "the service takes less than the plan allows";
    EXPECT_EQ(context->effective_limits.tile_estimate, 7) << "the plan sets none";
    EXPECT_EQ(context->effective_limits.storage_estimate_bytes, 9);
    EXPECT_EQ(context->effective_limits.processing_credits, 1000);
}

TEST_F(IdentityTest, EveryKnownFeatureHasAnEntitlement) {
    KeyAuthenticator authenticator(*store_, clock_);
    const PrincipalPtr principal = authenticator.authenticate(new_key()).value();
    ASSERT_EQ(principal->entitlements.size(), known_features().size());
    EXPECT_EQ(principal->entitlements[0].feature_code, "cdn_delivery");
    EXPECT_EQ(principal->entitlements[0].status, "inactive");
    EXPECT_EQ(principal->entitlements[1].feature_code, "asset_pictures");
    EXPECT_FALSE(principal->has_feature(asset_pictures_feature)) << "it is granted, never had";
}

TEST_F(IdentityTest, PublicPlansComeCheapestFirstAndStayTheSameUntilTheyChange) {
    StoredPlanCatalogue catalogue(*store_);
    EXPECT_EQ(catalogue.cached_public_plans(), nullptr);
    const PlanList plans = catalogue.public_plans().value();
    EXPECT_THAT(*plans, ElementsAre(Field(&Plan::code, "starter"), Field(&Plan::code, "pro")));
    EXPECT_EQ(catalogue.public_plans().value(), plans);
    EXPECT_EQ(catalogue.cached_public_plans(), plans);

    const auto other = open();
    ASSERT_TRUE(other->plans().apply(std::vector<Plan>{plan("new", 1, true)}).ok());
    EXPECT_TRUE(test::eventually([&] { return catalogue.public_plans().value()->front().code == "new"; }));
}

}  // namespace
}  // namespace tessera::service
