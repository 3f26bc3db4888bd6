#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::Field;

class AccountsContract : public StoreTest {};
TESSERA_ON_EVERY_BACKEND(AccountsContract);

Plan plan(const std::string& code, std::int64_t credits) {
    Plan plan;
    plan.code = code;
    plan.display_name = "The " + code + " plan";
    plan.description = "for tests";
    plan.is_public = true;
    plan.billing_amount_minor = 1900;
    plan.included_processing_credits = credits;
    plan.limits.max_upload_bytes = 20 << 20;
    plan.limits.max_in_flight_jobs = 0;
    return plan;
}

TEST_P(AccountsContract, PlansComeBackAsTheyWereAppliedAndInThatOrder) {
    const std::vector<Plan> plans{plan("zeta", 10), plan("alpha", 20)};
    must(store->plans().apply(plans));
    EXPECT_EQ(must(store->plans().all()), plans);
    EXPECT_EQ(must(store->plans().find("alpha")), plans[1]);
    EXPECT_EQ(must(store->plans().find("nothing")), std::nullopt);
}

TEST_P(AccountsContract, ApplyingAgainReplacesALimitThatIsNoLongerThere) {
    std::vector<Plan> plans{plan("alpha", 20)};
    must(store->plans().apply(plans));
    plans[0].limits.max_upload_bytes.reset();
    must(store->plans().apply(plans));
    EXPECT_EQ(must(store->plans().all()), plans);
}

TEST_P(AccountsContract, APlanThatIsLeftOutIsRetiredWhileAnAccountIsOnItAndElseGoes) {
    must(store->plans().apply(std::vector{plan("used", 1), plan("unused", 1)}));
    must(store->accounts().create({"acme", "Acme", "used"}));
    must(store->plans().apply(std::vector{plan("new", 1)}));
    const std::vector<Plan> plans = must(store->plans().all());
    ASSERT_THAT(plans, ElementsAre(Field(&Plan::code, "new"), Field(&Plan::code, "used")));
    EXPECT_EQ(plans[1].status, "retired");
    EXPECT_FALSE(plans[1].is_public);
}

TEST_P(AccountsContract, ThereAreAccountsOnceOneIsMade) {
    EXPECT_FALSE(must(store->accounts().any()));
    must(store->accounts().create({"acme", "Acme", "pro"}));
    EXPECT_TRUE(must(store->accounts().any()));
}

TEST_P(AccountsContract, AnAccountIsFoundByIdAndBySlug) {
    const Account made = must(store->accounts().create({"acme", "Acme Ltd", "pro", "demo"}));
    for (const auto& found : {must(store->accounts().find(made.id)), must(store->accounts().find_by_slug("acme"))}) {
        ASSERT_TRUE(found);
        EXPECT_EQ(found->id, made.id);
        EXPECT_EQ(found->slug, "acme");
        EXPECT_EQ(found->display_name, "Acme Ltd");
        EXPECT_EQ(found->plan_code, "pro");
        EXPECT_EQ(found->access_source, "demo");
        EXPECT_EQ(found->plan_activated_at, clock.now());
        EXPECT_EQ(found->created_at, clock.now());
    }
    EXPECT_FALSE(must(store->accounts().find(Uuid::random())));
    EXPECT_FALSE(must(store->accounts().find_by_slug("acm")));
}

TEST_P(AccountsContract, ASlugIsTakenOnce) {
    make_account("acme");
    EXPECT_EQ(store->accounts().create({"acme", "Another", "pro"}).error().code, ErrorCode::conflict);
    EXPECT_EQ(must(store->accounts().all()).size(), 1U);
}

TEST_P(AccountsContract, AnAccountNeedsAPlanThatExists) {
    EXPECT_EQ(store->accounts().create({"acme", "Acme", "nothing"}).error().code, ErrorCode::not_found);
    const Account account = make_account();
    EXPECT_EQ(store->accounts().change_plan(account.id, "nothing", "admin").error().code, ErrorCode::not_found);
    EXPECT_EQ(store->accounts().change_plan(Uuid::random(), "pro", "admin").error().code, ErrorCode::not_found);
}

TEST_P(AccountsContract, ChangingThePlanStartsANewPeriod) {
    const Account account = make_account();
    submit(account);
    clock.advance(std::chrono::hours(5));
    const Account changed = must(store->accounts().change_plan(account.id, "pro", "demo"));
    EXPECT_EQ(changed.plan_activated_at, clock.now());
    EXPECT_EQ(changed.created_at, account.created_at);
    EXPECT_EQ(changed.access_source, "demo");
    EXPECT_EQ(credits_used(account), 0);
}

TEST_P(AccountsContract, AKeyIsFoundByItsHashAlone) {
    const Account account = make_account();
    const Digest hash = sha256("a key");
    const ApiKey made = must(store->api_keys().create({account.id, "ci", "reader", hash}));
    const auto found = must(store->api_keys().find_by_hash(hash));
    ASSERT_TRUE(found);
    EXPECT_EQ(found->id, made.id);
    EXPECT_EQ(found->account_id, account.id);
    EXPECT_EQ(found->name, "ci");
    EXPECT_EQ(found->role_code, "reader");
    EXPECT_FALSE(found->revoked_at);
    EXPECT_FALSE(must(store->api_keys().find_by_hash(sha256("another"))));
    EXPECT_EQ(must(store->api_keys().hashes()), std::vector{hash});
    EXPECT_EQ(store->api_keys().create({Uuid::random(), "x", "reader", sha256("x")}).error().code,
              ErrorCode::not_found);
}

TEST_P(AccountsContract, ARevokedKeyKeepsItsFirstTimeOfRevocation) {
    const Account account = make_account();
    const ApiKey key = must(store->api_keys().create({account.id, "ci", "runtime", sha256("a key")}));
    const Timestamp revoked_at = clock.now();
    EXPECT_EQ(must(store->api_keys().revoke(key.id))->revoked_at, revoked_at);
    clock.advance(std::chrono::hours(1));
    EXPECT_EQ(must(store->api_keys().revoke(key.id))->revoked_at, revoked_at);
    EXPECT_EQ(must(store->api_keys().find_by_hash(sha256("a key")))->revoked_at, revoked_at);
    EXPECT_FALSE(must(store->api_keys().revoke(Uuid::random())));
}

TEST_P(AccountsContract, AKeyKeepsItsEndAndItsNetworks) {
    const Account account = make_account();
    const NetworkList networks = NetworkList::parse(std::vector<std::string>{"10.0.0.0/8", "2001:db8::/32"}).value();
    const Timestamp end = clock.now() + std::chrono::hours(1);
    const ApiKey made = must(store->api_keys().create({account.id, "ci", "reader", sha256("a key"), end, networks}));
    for (const ApiKey& key : {made, must(store->api_keys().find_by_hash(sha256("a key"))).value(),
                              must(store->api_keys().list(account.id)).at(0)}) {
        EXPECT_EQ(key.expires_at, end);
        EXPECT_EQ(key.networks, networks);
        EXPECT_FALSE(key.last_used_at);
    }
    EXPECT_FALSE(made.expired(end - Millis(1)));
    EXPECT_TRUE(made.expired(end));
}

TEST_P(AccountsContract, TheLastUseOfAKeyIsWrittenOnceAMinute) {
    const Account account = make_account();
    const ApiKey key = must(store->api_keys().create({account.id, "ci", "runtime", sha256("a key")}));
    const auto used = [&](Timestamp at) {
        must(store->api_keys().note_used(std::vector<KeyUse>{{key.id, at}, {Uuid::random(), at}}));
        return must(store->api_keys().find_by_hash(sha256("a key")))->last_used_at;
    };
    const Timestamp first = clock.now();
    const auto changes = store->change_counter();
    EXPECT_EQ(used(first), first);
    EXPECT_EQ(used(first + noted_once_in - Millis(1)), first);
    EXPECT_EQ(used(first + noted_once_in), first + noted_once_in);
    EXPECT_EQ(used(first), first + noted_once_in) << "another node's older news";
    // News of a PostgreSQL database, of the account and the key that were made before, comes when it comes.
    if (GetParam().name == "sqlite") {
        EXPECT_EQ(store->change_counter(), changes) << "nobody has to forget anything";
    }
    must(store->api_keys().note_used({}));
}

TEST_P(AccountsContract, KeysAreListedForOneAccountOrForAll) {
    const Account a = make_account("a");
    const Account b = make_account("b");
    const ApiKey first = must(store->api_keys().create({a.id, "first", "runtime", sha256("1")}));
    clock.advance(Millis(1));
    const ApiKey second = must(store->api_keys().create({b.id, "second", "runtime", sha256("2")}));
    EXPECT_THAT(must(store->api_keys().list(a.id)), ElementsAre(Field(&ApiKey::id, first.id)));
    EXPECT_THAT(must(store->api_keys().list(std::nullopt)),
                ElementsAre(Field(&ApiKey::id, first.id), Field(&ApiKey::id, second.id)));
}

TEST_P(AccountsContract, AnEntitlementIsAddedAndReplaced) {
    const Account account = make_account();
    EXPECT_TRUE(must(store->entitlements().list(account.id)).empty());
    must(store->entitlements().set(account.id, {"cdn_delivery", true, "active", "admin", "tessera", "cdn", true}));
    must(store->entitlements().set(account.id, {"cdn_delivery", false, "inactive", "admin", "tessera", "cdn2", false}));
    const auto entitlements = must(store->entitlements().list(account.id));
    ASSERT_EQ(entitlements.size(), 1U);
    EXPECT_FALSE(entitlements[0].enabled);
    EXPECT_EQ(entitlements[0].status, "inactive");
    EXPECT_EQ(entitlements[0].add_on_code, "cdn2");
    EXPECT_FALSE(entitlements[0].cancel_at_period_end);
    EXPECT_EQ(store->entitlements().set(Uuid::random(), {}).error().code, ErrorCode::not_found);
}

TEST_P(AccountsContract, DeliveredBytesAreAddedToThePeriodTheyFallInto) {
    const Account account = make_account();
    must(store->usage().add_delivered_bytes(
        std::vector<DeliveredBytes>{{account.id, 100}, {Uuid::random(), 5}, {account.id, 1}}));
    EXPECT_EQ(must(store->usage().current(account.id)).delivered_bytes, 101);
    clock.advance(std::chrono::days(30));
    EXPECT_EQ(must(store->usage().current(account.id)).delivered_bytes, 0);
    must(store->usage().add_delivered_bytes(std::vector<DeliveredBytes>{{account.id, 7}}));
    const auto history = must(store->usage().history(account.id));
    EXPECT_THAT(history,
                ElementsAre(Field(&PeriodUsage::delivered_bytes, 7), Field(&PeriodUsage::delivered_bytes, 101)));
    EXPECT_EQ(history[0].period.starts_at, history[1].period.ends_at);
}

TEST_P(AccountsContract, UsageOfNoAccountIsNotFound) {
    EXPECT_EQ(store->usage().current(Uuid::random()).error().code, ErrorCode::not_found);
}

TEST_P(AccountsContract, CreditsOfAPeriodDoNotCountInTheNext) {
    const Account account = make_account();
    submit(account);
    EXPECT_EQ(credits_used(account), 3);
    clock.advance(std::chrono::days(30) - Millis(1));
    submit(account);
    EXPECT_EQ(credits_used(account), 6);
    clock.advance(Millis(1));
    EXPECT_EQ(credits_used(account), 0);
    EXPECT_EQ(ledger_sum(account), 6);
}

}  // namespace
}  // namespace tessera::metadata
