#include "metadata/operator_views.hpp"

#include "metadata/daily_use.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class OperatorViewsContract : public StoreTest {
  protected:
    OperatorViews& views() { return store->operator_views(); }
    std::vector<std::string> slugs(const AccountFilter& filter, const Page& page = {}) {
        std::vector<std::string> all;
        for (const AccountUse& use : must(views().accounts(filter, page)).items) all.push_back(use.account.slug);
        return all;
    }
    std::chrono::sys_days today() { return std::chrono::floor<std::chrono::days>(clock.now()); }
    std::vector<DayUse> days(std::optional<Uuid> account_id) {
        return must(store->daily_use().days(account_id, today() - std::chrono::days(3), today()));
    }
};
TESSERA_ON_EVERY_BACKEND(OperatorViewsContract);

TEST_P(OperatorViewsContract, AccountsAreFoundByPartsOfTheirNamesStateAndPlanInPages) {
    make_account("alpha");
    const Account beta = must(store->accounts().create({"beta", "The 100% Café", "pro"}));
    make_account("gamma");
    must(store->accounts().suspend(beta.id));
    EXPECT_THAT(slugs({}), ElementsAre("gamma", "beta", "alpha"));
    EXPECT_THAT(slugs({.text = "AMM"}), ElementsAre("gamma"));
    EXPECT_THAT(slugs({.text = "100% c"}), ElementsAre("beta"));
    EXPECT_THAT(slugs({.text = "%"}), ElementsAre("beta"));
    EXPECT_THAT(slugs({.text = "_"}), IsEmpty());
    EXPECT_THAT(slugs({.state = AccountState::suspended}), ElementsAre("beta"));
    EXPECT_THAT(slugs({.state = AccountState::active}), ElementsAre("gamma", "alpha"));
    EXPECT_THAT(slugs({.plan_code = "nothing"}), IsEmpty());
    EXPECT_THAT(slugs({.id = beta.id}), ElementsAre("beta"));
    const auto first = must(views().accounts({}, {.before = {}, .limit = 2}));
    ASSERT_TRUE(first.next);
    EXPECT_THAT(slugs({}, {.before = first.next, .limit = 2}), ElementsAre("alpha"));
    const AccountCounts counts = must(views().account_counts());
    EXPECT_EQ(counts.active, 2);
    EXPECT_EQ(counts.suspended, 1);
    std::int64_t on_plans = 0;
    for (const auto& [plan, count] : must(views().accounts_by_plan())) on_plans += count;
    EXPECT_EQ(on_plans, 3);
}

TEST_P(OperatorViewsContract, AnAccountsUseIsThatOfItsPeriod) {
    const Account account = make_account();
    const Job job = submit(account);
    must(store->assets().insert(make_asset(account), 0));
    const AccountUse use = must(views().accounts({}, {})).items.at(0);
    EXPECT_EQ(use.usage.credits_used, job.credits);
    EXPECT_EQ(use.usage.period.starts_at, must(store->usage().current(account.id)).period.starts_at);
    EXPECT_EQ(use.storage, must(store->usage().storage(account.id)));
    clock.advance(std::chrono::days(31));
    EXPECT_EQ(must(views().accounts({}, {})).items.at(0).usage.credits_used, 0);
}

TEST_P(OperatorViewsContract, TheBacklogIsByOperationWithTheAgeOfTheOldest) {
    const Account account = make_account();
    EXPECT_THAT(must(views().backlog()), IsEmpty());
    submit(account);
    clock.advance(Millis(5'000));
    submit(account);
    claim();
    clock.advance(Millis(1'000));
    const auto backlog = must(views().backlog());
    ASSERT_EQ(backlog.size(), 1u);
    EXPECT_EQ(backlog[0].queued, 1);
    EXPECT_EQ(backlog[0].running, 1);
    EXPECT_EQ(backlog[0].oldest, Millis(1'000));
}

TEST_P(OperatorViewsContract, TheTrailIsReadFromItsEnd) {
    const Account account = make_account();
    for (int i = 0; i < 3; ++i) must(store->audit().record({"backup", {}, std::to_string(i)}));
    const auto newest = must(views().audit(std::nullopt, std::nullopt, 2));
    ASSERT_EQ(newest.size(), 2u);
    EXPECT_EQ(newest[0].subject, "2");
    const auto older = must(views().audit(std::nullopt, newest[1].sequence, 10));
    EXPECT_EQ(older.at(0).subject, "0");
    EXPECT_EQ(must(views().audit(account.id, std::nullopt, 10)).size(), 1u);
}

TEST_P(OperatorViewsContract, UseIsCountedByDayAndOperation) {
    const Account account = make_account();
    const Account quiet = make_account("quiet");
    const Job one = submit(account);
    submit(account);
    must(store->assets().insert(make_asset(account), 0));
    const auto claimed = claim(2);
    ASSERT_EQ(claimed.size(), 2u);
    clock.advance(std::chrono::days(1));
    ASSERT_EQ(must(store->queue().complete(claimed[0].lease, {})), CompleteAnswer::done);
    ASSERT_EQ(must(store->queue().fail(claimed[1].lease, {JobErrorCode::internal_error, "a fault", ""}, std::nullopt)),
              FailAnswer::failed);
    const DeliveredBytes delivered[] = {{account.id, 1'000}, {account.id, 500}};
    must(store->usage().add_delivered_bytes(delivered));

    const auto seen = days(account.id);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].day, today() - std::chrono::days(1));
    ASSERT_EQ(seen[0].operations.size(), 1u);
    EXPECT_EQ(seen[0].operations[0].operation, one.operation);
    EXPECT_EQ(seen[0].operations[0].submitted, 2);
    EXPECT_EQ(seen[0].operations[0].credits, 2 * one.credits);
    EXPECT_EQ(seen[0].uploads, 1);
    EXPECT_GT(seen[0].uploaded_bytes, 0);
    EXPECT_EQ(seen[1].day, today());
    EXPECT_EQ(seen[1].operations.at(0).succeeded, 1);
    EXPECT_EQ(seen[1].operations.at(0).failed, 1);
    EXPECT_EQ(seen[1].operations.at(0).credits, -one.credits) << "the service's fault: they came back";
    EXPECT_EQ(seen[1].delivered_bytes, 1'500);
    EXPECT_THAT(days(quiet.id), IsEmpty());
    EXPECT_EQ(days(std::nullopt).size(), 2u);
}

TEST_P(OperatorViewsContract, DaysThatAreLongOverAreForgottenInSmallSteps) {
    const Account account = make_account();
    const Account other = make_account("other");
    const auto use = [&](const Account& who) {
        submit(who);
        must(store->assets().insert(make_asset(who), 0));
        const DeliveredBytes delivered[] = {{who.id, 1'000}};
        must(store->usage().add_delivered_bytes(delivered));
    };
    use(account);
    use(other);
    const auto first = today();
    clock.advance(std::chrono::days(2));
    use(account);

    const auto forget = [&](std::chrono::sys_days before) { return must(store->daily_use().forget_before(before, 1)); };
    EXPECT_EQ(forget(first), 0) << "the day itself is kept";
    EXPECT_EQ(days(std::nullopt).size(), 2u);
    EXPECT_EQ(forget(today()), 3) << "one row of each kind";
    EXPECT_EQ(forget(today()), 3);
    EXPECT_EQ(forget(today()), 0);
    const auto left = days(account.id);
    ASSERT_EQ(left.size(), 1u);
    EXPECT_EQ(left[0].day, today());
    EXPECT_EQ(left[0].operations.at(0).submitted, 1);
    EXPECT_EQ(left[0].uploads, 1);
    EXPECT_EQ(left[0].delivered_bytes, 1'000);
    EXPECT_THAT(days(other.id), IsEmpty());
}

TEST_P(OperatorViewsContract, ACancelledJobIsNoFailedOne) {
    const Account account = make_account();
    const Job job = submit(account);
    must(store->jobs().cancel(account.id, job.id));
    const auto seen = days(account.id);
    ASSERT_EQ(seen.size(), 1u);
    EXPECT_EQ(seen[0].operations.at(0).cancelled, 1);
    EXPECT_EQ(seen[0].operations.at(0).failed, 0);
    EXPECT_EQ(seen[0].operations.at(0).credits, 0);
}

}  // namespace
}  // namespace tessera::metadata
