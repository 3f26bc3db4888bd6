#include "store_test.hpp"

#include "metadata/signing_secrets.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class AuditContract : public StoreTest {
  protected:
    std::vector<AuditEntry> entries(const AuditQuery& query = {}) { return must(store->audit().list(query)); }
    std::vector<std::string> actions(const AuditQuery& query = {}) {
        std::vector<std::string> names;
        for (const AuditEntry& entry : entries(query)) names.push_back(entry.action);
        return names;
    }
};
TESSERA_ON_EVERY_BACKEND(AuditContract);

TEST_P(AuditContract, EveryActLeavesOneEntry) {
    const Account account = make_account();
    must(store->accounts().change_plan(account.id, "pro", "admin"));
    const ApiKey key = must(store->api_keys().create({account.id, "Jane's key", "reader", sha256("a key")}));
    must(store->api_keys().revoke(key.id));
    must(store->entitlements().set(account.id, {"cdn_delivery", true, "active", "admin", "tessera", "", false}));
    EXPECT_THAT(actions(), ElementsAre("plan.apply", "account.create", "account.plan", "key.create", "key.revoke",
                                       "entitlement.set"));
    const AuditEntry made = entries()[3];
    EXPECT_EQ(made.actor, "service");
    EXPECT_EQ(made.at, clock.now());
    EXPECT_EQ(made.account_id, account.id);
    EXPECT_EQ(made.subject, key.id.to_string());
    EXPECT_EQ(made.details, R"({"role":"reader","expires_at":"never","networks":"any"})");
}

TEST_P(AuditContract, WhatChangesNothingLeavesNoEntry) {
    const Account account = make_account();
    const ApiKey key = must(store->api_keys().create({account.id, "ci", "reader", sha256("a key")}));
    must(store->api_keys().revoke(key.id));
    const std::size_t before = entries().size();
    must(store->plans().apply(must(store->plans().all())));
    must(store->api_keys().revoke(key.id));
    EXPECT_FALSE(must(store->api_keys().revoke(Uuid::random())));
    EXPECT_FALSE(must(store->tilesets().remove(Uuid::random())));
    EXPECT_FALSE(store->accounts().create({"acme", "Another", "pro"}).ok());
    EXPECT_FALSE(store->accounts().create({"new", "New", "nothing"}).ok());
    EXPECT_FALSE(store->entitlements().set(Uuid::random(), {}).ok());
    submit(account);
    EXPECT_EQ(entries().size(), before);
}

TEST_P(AuditContract, NeitherSecretsNorNamesOfPeopleAreInIt) {
    const Account account = must(store->accounts().create({"jane-doe", "Jane Doe", "pro"}));
    must(store->api_keys().create({account.id, "Jane's key", "reader", sha256("a key")}));
    if (store->signing_secrets() != nullptr) {
        must(store->signing_secrets()->rotate(std::string(40, 's'), 2));
        EXPECT_EQ(entries().back().action, "secret.rotate");
    }
    for (const AuditEntry& entry : entries()) {
        const std::string text = entry.actor + entry.action + entry.subject + entry.details;
        EXPECT_THAT(text, Not(HasSubstr("ane")));
        EXPECT_THAT(text, Not(HasSubstr("sss")));
    }
}

TEST_P(AuditContract, EntriesAreFoundByTimeAndAccountAndInPages) {
    const Account a = make_account("a");
    clock.advance(Millis(1'000));
    const Account b = make_account("b");
    must(store->audit().record({"backup", {}, "subject", act_details({{"file", "x\"y"}, {"count", 3}})}));
    EXPECT_THAT(actions({.since = clock.now()}), ElementsAre("account.create", "backup"));
    EXPECT_THAT(actions({.since = clock.now() + Millis(1)}), IsEmpty());
    ASSERT_EQ(entries({.account_id = a.id}).size(), 1u);
    EXPECT_EQ(entries({.account_id = b.id}).at(0).at, clock.now());
    EXPECT_EQ(entries().back().details, R"({"file":"x\"y","count":3})");
    std::vector<std::string> paged;
    AuditQuery query{.limit = 1};
    for (auto page = entries(query); !page.empty(); page = entries(query)) {
        paged.push_back(page.front().action);
        query.after_sequence = page.front().sequence;
    }
    EXPECT_EQ(paged, actions());
}

}  // namespace
}  // namespace tessera::metadata
