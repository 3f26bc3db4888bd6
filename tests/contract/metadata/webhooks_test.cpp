#include <set>

#include "metadata/erasure.hpp"
#include "metadata/webhooks.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

class WebhooksContract : public StoreTest {
  protected:
    Webhooks& hooks() { return store->webhooks(); }

    WebhookEndpoint add(const Account& account, std::vector<std::string> events = {"job.succeeded", "job.failed"}) {
        return must(hooks().create({account.id, "https://example.org/hook", "a shop", std::move(events), "whsec_one"}));
    }
    Job end_job(const Account& account, bool well = true) {
        const Job queued = submit(account);
        const ClaimedJob claimed = claim_one();
        if (well) {
            must(store->queue().complete(claimed.lease, {}));
        } else {
            must(store->queue().fail(claimed.lease, {JobErrorCode::decode_failed, "no image", {}}, std::nullopt));
        }
        return queued;
    }
    std::vector<ClaimedDelivery> take(int limit = 100, int per_endpoint = 100, int per_account = 100) {
        return must(hooks().claim({"node-1", limit, per_endpoint, per_account, seconds(30)}));
    }
    ClaimedDelivery take_one() {
        auto taken = take(1);
        if (taken.size() != 1) throw std::runtime_error("nothing is due");
        return taken.front();
    }
    static AttemptRecord attempt(const ClaimedDelivery& claimed, int status) {
        AttemptRecord record;
        record.id = claimed.id;
        record.claim = claimed.claim;
        record.duration = Millis(7);
        record.status = status;
        record.error = status / 100 == 2 ? "" : "http_status";
        record.response = "an answer";
        record.body = R"({"type":"job.succeeded"})";
        record.retry_in = seconds(5);
        record.pause = minutes(5);
        record.gone = status == 410;
        record.disable_after = hours(24);
        return record;
    }
    RecordAnswer answer(const ClaimedDelivery& claimed, int status) {
        return must(hooks().record(attempt(claimed, status)));
    }
    WebhookDelivery delivery(const Uuid& id) { return must(hooks().find_delivery(id)).value(); }
    WebhookEndpoint endpoint(const WebhookEndpoint& of) { return must(hooks().find(of.id)).value(); }
    std::vector<WebhookDelivery> all(const DeliveryQuery& query = {}) { return must(hooks().deliveries(query)); }
    std::string last_act() { return must(store->audit().list({})).back().action; }
};
TESSERA_ON_EVERY_BACKEND(WebhooksContract);

TEST_P(WebhooksContract, TheEndOfAJobIsWrittenForEveryEndpointThatAskedForIt) {
    const Account account = make_account();
    const Account stranger = make_account("stranger");
    const WebhookEndpoint both = add(account);
    const WebhookEndpoint failures = add(account, {"job.failed"});
    add(stranger);
    const Job good = end_job(account);
    EXPECT_THAT(all(), SizeIs(1));
    clock.advance(Millis(1));
    const Job bad = end_job(account, false);
    const auto of_both = all({.endpoint_id = both.id});
    ASSERT_THAT(of_both, SizeIs(2));
    EXPECT_EQ(of_both[1].job_id, good.id);
    EXPECT_EQ(of_both[1].event, "job.succeeded");
    EXPECT_EQ(of_both[1].account_id, account.id);
    EXPECT_EQ(of_both[1].state, DeliveryState::pending);
    EXPECT_EQ(of_both[0].event, "job.failed");
    EXPECT_EQ(of_both[0].created_at, clock.now());
    const auto of_failures = all({.endpoint_id = failures.id});
    ASSERT_THAT(of_failures, SizeIs(1));
    EXPECT_EQ(of_failures[0].job_id, bad.id);
    EXPECT_THAT(all({.account_id = stranger.id}), IsEmpty());
}

TEST_P(WebhooksContract, IdsAreUuidsAndNoTwoAreTheSame) {
    const Account account = make_account();
    for (int i = 0; i < 20; ++i) add(account);
    for (int i = 0; i < 5; ++i) end_job(account);
    std::set<std::string> ids;
    for (const WebhookDelivery& one : all()) {
        const std::string text = one.id.to_string();
        EXPECT_EQ(text[14], '4') << text;
        EXPECT_THAT(std::string("89ab"), HasSubstr(text.substr(19, 1))) << text;
        ids.insert(text);
    }
    EXPECT_THAT(ids, SizeIs(100));
}

TEST_P(WebhooksContract, ARetryOfAJobIsNoEndAndAJobWhoseAttemptsWereLostIs) {
    const Account account = make_account();
    add(account);
    Submission once = submission(account);
    once.job.max_attempts = 2;
    submit(once);
    must(store->queue().fail(claim_one().lease, {JobErrorCode::engine_crashed, "", {}}, Millis(10)));
    EXPECT_THAT(all(), IsEmpty());
    clock.advance(seconds(1));
    claim_one();
    clock.advance(minutes(5));
    EXPECT_THAT(claim(), IsEmpty());  // ends the job whose last lease ran out
    ASSERT_THAT(all(), SizeIs(1));
    EXPECT_EQ(all()[0].event, "job.failed");
}

TEST_P(WebhooksContract, AClaimHasALeaseAndAFence) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    const Job job = end_job(account);
    const ClaimedDelivery first = take_one();
    EXPECT_EQ(first.endpoint_id, made.id);
    EXPECT_EQ(first.job_id, job.id);
    EXPECT_EQ(first.url, "https://example.org/hook");
    EXPECT_THAT(first.secrets, ElementsAre("whsec_one"));
    EXPECT_EQ(first.body, std::nullopt);
    EXPECT_EQ(first.now, clock.now());
    EXPECT_THAT(take(), IsEmpty());
    EXPECT_THAT(must(other().webhooks().claim({"node-2", 10, 10, 10, seconds(30)})), IsEmpty());
    clock.advance(seconds(31));
    const ClaimedDelivery second = take_one();
    EXPECT_EQ(second.id, first.id);
    EXPECT_FALSE(answer(first, 200).recorded);
    EXPECT_EQ(delivery(first.id).attempts, 0);
    EXPECT_TRUE(answer(second, 200).recorded);
    EXPECT_FALSE(answer(second, 200).recorded);
    EXPECT_EQ(delivery(first.id).attempts, 1);
}

TEST_P(WebhooksContract, ClaimsOfADeadNodeEndAtOnce) {
    const Account account = make_account();
    add(account);
    end_job(account);
    const ClaimedDelivery lost = take_one();
    EXPECT_EQ(must(hooks().end_claims_of(std::vector<std::string>{"node-2"})), 0);
    EXPECT_EQ(must(hooks().end_claims_of(std::vector<std::string>{"node-2", "node-1"})), 1);
    EXPECT_EQ(take_one().id, lost.id);
}

TEST_P(WebhooksContract, AnAttemptIsLoggedAndTheBodyStaysThatOfTheFirst) {
    const Account account = make_account();
    add(account);
    end_job(account);
    ClaimedDelivery claimed = take_one();
    EXPECT_EQ(answer(claimed, 500).state, DeliveryState::pending);
    EXPECT_THAT(take(), IsEmpty());
    clock.advance(seconds(5));
    claimed = take_one();
    EXPECT_EQ(claimed.attempts, 1);
    EXPECT_EQ(claimed.failures, 1);
    EXPECT_EQ(claimed.body, R"({"type":"job.succeeded"})");
    AttemptRecord second = attempt(claimed, 204);
    second.body = "another";
    EXPECT_EQ(must(hooks().record(second)).state, DeliveryState::delivered);
    const WebhookDelivery ended = delivery(claimed.id);
    EXPECT_EQ(ended.state, DeliveryState::delivered);
    EXPECT_EQ(ended.body, R"({"type":"job.succeeded"})");
    EXPECT_EQ(ended.attempts, 2);
    EXPECT_EQ(ended.last_status, 204);
    EXPECT_EQ(ended.ended_at, clock.now());
    ASSERT_THAT(ended.log, SizeIs(2));
    EXPECT_EQ(ended.log[0].status, 500);
    EXPECT_EQ(ended.log[0].error, "http_status");
    EXPECT_EQ(ended.log[0].response, "an answer");
    EXPECT_EQ(ended.log[0].duration, Millis(7));
    EXPECT_EQ(ended.log[1].error, "");
}

TEST_P(WebhooksContract, TheLastAttemptEndsItAndAReplayBeginsAnew) {
    const Account account = make_account();
    add(account);
    end_job(account);
    const ClaimedDelivery claimed = take_one();
    AttemptRecord last = attempt(claimed, 500);
    last.retry_in.reset();
    EXPECT_EQ(must(hooks().record(last)).state, DeliveryState::failed);
    EXPECT_THAT(all({.state = DeliveryState::failed}), SizeIs(1));
    clock.advance(hours(1));
    EXPECT_THAT(take(), IsEmpty());
    EXPECT_EQ(must(hooks().replay(claimed.id))->state, DeliveryState::pending);
    EXPECT_EQ(last_act(), "webhook.replay");
    const ClaimedDelivery again = take_one();
    EXPECT_EQ(again.id, claimed.id);
    EXPECT_EQ(again.failures, 0);
    EXPECT_EQ(again.attempts, 1);
    EXPECT_EQ(again.body, R"({"type":"job.succeeded"})");
    answer(again, 200);
    EXPECT_THAT(delivery(claimed.id).log, SizeIs(2));
    EXPECT_FALSE(must(hooks().replay(Uuid::random())));
}

TEST_P(WebhooksContract, AnEndpointThatIsAwayIsTriedWithOneAtATimeAndAllGoOutWhenItAnswers) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    for (int i = 0; i < 5; ++i) end_job(account);
    auto claimed = take(3);
    ASSERT_THAT(claimed, SizeIs(3));
    for (const ClaimedDelivery& one : claimed) answer(one, 503);
    EXPECT_EQ(endpoint(made).failures, 3);
    EXPECT_EQ(endpoint(made).failing_since, clock.now());
    EXPECT_EQ(endpoint(made).paused_until, clock.now() + minutes(5));
    clock.advance(minutes(4));
    EXPECT_THAT(take(), IsEmpty());
    clock.advance(minutes(1));
    claimed = take();
    ASSERT_THAT(claimed, SizeIs(1));
    EXPECT_EQ(claimed[0].endpoint_failures, 3);
    EXPECT_THAT(take(), IsEmpty());
    AttemptRecord fourth = attempt(claimed[0], 503);
    fourth.retry_in = hours(10);
    must(hooks().record(fourth));
    clock.advance(minutes(5));
    claimed = take();
    ASSERT_THAT(claimed, SizeIs(1));
    answer(claimed[0], 200);
    EXPECT_EQ(endpoint(made).failures, 0);
    EXPECT_EQ(endpoint(made).failing_since, std::nullopt);
    EXPECT_THAT(take(), SizeIs(4));
}

TEST_P(WebhooksContract, OneEndpointsTroubleHoldsUpNoOther) {
    const Account account = make_account();
    const Account other_account = make_account("other");
    const WebhookEndpoint busy = add(account);
    add(account);
    add(other_account);
    for (int i = 0; i < 6; ++i) end_job(account);
    end_job(other_account);
    const auto claimed = take(100, 2, 3);  // two of each endpoint, three of each account
    int of_busy = 0;
    int of_account = 0;
    for (const ClaimedDelivery& one : claimed) {
        of_busy += one.endpoint_id == busy.id;
        of_account += one.account_id == account.id;
    }
    EXPECT_THAT(claimed, SizeIs(4));
    EXPECT_EQ(of_account, 3);
    EXPECT_LE(of_busy, 2);
    EXPECT_THAT(take(100, 2, 3), IsEmpty());
    EXPECT_THAT(take(100, 2, 4), SizeIs(1));
}

TEST_P(WebhooksContract, AccountsTakeTurns) {
    const Account loud = make_account("loud");
    const Account quiet = make_account("quiet");
    add(loud);
    add(quiet);
    for (int i = 0; i < 10; ++i) end_job(loud);
    end_job(quiet);
    const auto claimed = take(2);
    ASSERT_THAT(claimed, SizeIs(2));
    EXPECT_NE(claimed[0].account_id, claimed[1].account_id);
}

TEST_P(WebhooksContract, AnswerGoneSwitchesTheEndpointOff) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    end_job(account);
    end_job(account);
    const ClaimedDelivery claimed = take_one();
    const RecordAnswer recorded = answer(claimed, 410);
    EXPECT_EQ(recorded.disabled, "gone");
    EXPECT_EQ(recorded.state, DeliveryState::failed);
    EXPECT_FALSE(endpoint(made).active);
    EXPECT_EQ(endpoint(made).disabled_reason, "gone");
    EXPECT_EQ(endpoint(made).disabled_at, clock.now());
    EXPECT_EQ(last_act(), "webhook.disable");
    EXPECT_THAT(all({.state = DeliveryState::failed}), SizeIs(2));
    end_job(account);
    EXPECT_THAT(all(), SizeIs(2));
    EXPECT_EQ(hooks().replay(claimed.id).error().code, ErrorCode::conflict);
    EXPECT_EQ(hooks().add_test(made.id).error().code, ErrorCode::conflict);
}

TEST_P(WebhooksContract, AnEndpointThatFailsForLongIsSwitchedOffAndOneThatIsEnabledStartsAfresh) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    end_job(account);
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(answer(take_one(), 500).disabled, "");
        clock.advance(hours(7));
    }
    EXPECT_EQ(answer(take_one(), 500).disabled, "failing");
    EXPECT_EQ(endpoint(made).disabled_reason, "failing");
    EXPECT_EQ(must(hooks().counts()).disabled_endpoints, 1);
    EXPECT_EQ(must(hooks().counts()).pending, 0);
    EXPECT_TRUE(must(hooks().enable(made.id))->active);
    EXPECT_EQ(endpoint(made).failures, 0);
    EXPECT_EQ(endpoint(made).disabled_reason, "");
    end_job(account);
    EXPECT_EQ(answer(take_one(), 500).disabled, "");
}

TEST_P(WebhooksContract, WhatIsOnItsWayWhenItsEndpointIsDisabledEndsByItself) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    end_job(account);
    end_job(account);
    const auto claimed = take();
    ASSERT_THAT(claimed, SizeIs(2));
    must(hooks().disable(made.id));
    EXPECT_EQ(answer(claimed[0], 200).state, DeliveryState::delivered);
    EXPECT_EQ(answer(claimed[1], 500).state, DeliveryState::failed);
}

TEST_P(WebhooksContract, ASecretThatWasRotatedSignsTooForAWhile) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    const auto rotated = must(hooks().rotate_secret(made.id, "whsec_two", hours(24)));
    EXPECT_EQ(rotated->previous_secret_until, clock.now() + hours(24));
    end_job(account);
    ClaimedDelivery claimed = take_one();
    EXPECT_THAT(claimed.secrets, ElementsAre("whsec_two", "whsec_one"));
    answer(claimed, 500);
    clock.advance(hours(24));
    EXPECT_THAT(take_one().secrets, ElementsAre("whsec_two"));
    EXPECT_EQ(must(hooks().rotate_secret(Uuid::random(), "whsec_x", hours(1))), std::nullopt);
}

TEST_P(WebhooksContract, ATestIsADeliveryWithNoJob) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account, {"job.failed"});
    const auto test = must(hooks().add_test(made.id));
    EXPECT_EQ(test->event, "webhook.test");
    EXPECT_EQ(take_one().job_id, std::nullopt);
    EXPECT_FALSE(must(hooks().add_test(Uuid::random())));
}

TEST_P(WebhooksContract, OldDeliveriesGoWithTheirLogAndPendingOnesStay) {
    const Account account = make_account();
    add(account);
    end_job(account);
    end_job(account);
    const ClaimedDelivery claimed = take_one();
    answer(claimed, 200);
    clock.advance(hours(24));
    EXPECT_EQ(must(hooks().remove_old(hours(25), 10)), 0);
    EXPECT_EQ(must(hooks().remove_old(hours(24), 10)), 1);
    EXPECT_FALSE(must(hooks().find_delivery(claimed.id)));
    EXPECT_THAT(all(), SizeIs(1));
    EXPECT_EQ(must(hooks().counts()).pending, 1);
    EXPECT_EQ(must(hooks().counts()).oldest, hours(24));
}

TEST_P(WebhooksContract, WhatNobodySendsThoughItsTimeHasComeIsOverdue) {
    const Account account = make_account();
    const Account neighbour = make_account("neighbour");
    add(account);
    add(neighbour);
    EXPECT_EQ(must(hooks().counts()).overdue, 0);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, std::nullopt);
    end_job(account);
    clock.advance(minutes(2));
    end_job(account);
    end_job(neighbour);
    clock.advance(minutes(1));
    EXPECT_EQ(must(hooks().counts()).overdue, 3);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, minutes(3));

    // What waits behind a delivery of its own account that is on its way waits for that account's endpoint.
    const ClaimedDelivery first = take_one();
    ASSERT_EQ(first.account_id, account.id);
    EXPECT_EQ(must(hooks().counts()).overdue, 1);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, minutes(1));

    // A sender that died holds what it took until its lease ends, and from then on it is overdue.
    clock.advance(minutes(1));
    EXPECT_EQ(must(hooks().counts()).overdue, 3);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, minutes(2));
}

TEST_P(WebhooksContract, WhatWaitsForItsNextAttemptOrForItsEndpointIsNotOverdue) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    end_job(account);
    answer(take_one(), 500);
    EXPECT_EQ(must(hooks().counts()).pending, 1);
    EXPECT_EQ(must(hooks().counts()).overdue, 0);
    clock.advance(seconds(5));
    answer(take_one(), 500);
    clock.advance(seconds(5));
    answer(take_one(), 500);
    ASSERT_EQ(endpoint(made).paused_until, clock.now() + minutes(5));
    clock.advance(minutes(4));
    EXPECT_EQ(must(hooks().counts()).overdue, 0);
    clock.advance(minutes(3));
    EXPECT_EQ(must(hooks().counts()).overdue, 1);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, minutes(2)) << "from the end of the pause on";
    must(hooks().disable(made.id));
    EXPECT_EQ(must(hooks().counts()).overdue, 0);
    EXPECT_EQ(must(hooks().counts()).longest_overdue, std::nullopt);
}

TEST_P(WebhooksContract, AnEndpointGoesWithAllThatIsItsAndTheTrailTellsNoSecret) {
    const Account account = make_account();
    const WebhookEndpoint made = add(account);
    EXPECT_EQ(last_act(), "webhook.add");
    end_job(account);
    answer(take_one(), 500);
    must(hooks().disable(made.id));
    must(hooks().disable(made.id));
    must(hooks().enable(made.id));
    must(hooks().rotate_secret(made.id, "whsec_two", hours(1)));
    EXPECT_EQ(must(hooks().remove(made.id))->id, made.id);
    EXPECT_EQ(last_act(), "webhook.remove");
    EXPECT_FALSE(must(hooks().remove(made.id)));
    EXPECT_THAT(all(), IsEmpty());
    EXPECT_THAT(must(hooks().list(std::nullopt)), IsEmpty());
    std::vector<std::string> actions;
    for (const AuditEntry& entry : must(store->audit().list({.account_id = account.id}))) {
        actions.push_back(entry.action);
        EXPECT_THAT(entry.details, Not(HasSubstr("whsec")));
        EXPECT_THAT(entry.details, Not(HasSubstr("example.org")));
    }
    EXPECT_THAT(actions, ElementsAre("account.create", "webhook.add", "webhook.disable", "webhook.enable",
                                     "webhook.rotate_secret", "webhook.remove"));
}

TEST_P(WebhooksContract, AnErasedAccountLeavesNoneAndTakesNone) {
    const Account account = make_account();
    add(account);
    add(account);
    end_job(account);
    answer(take(1).at(0), 200);
    must(store->erasure().begin(account.id));
    EXPECT_THAT(take(), IsEmpty());
    while (must(store->erasure().remove_some(account.id)) > 0) continue;
    must(store->erasure().finish(account.id));
    EXPECT_THAT(must(hooks().list(account.id)), IsEmpty());
    EXPECT_THAT(all({.account_id = account.id}), IsEmpty());
    EXPECT_EQ(hooks().create({account.id, "https://example.org", "", {"job.failed"}, "s"}).error().code,
              ErrorCode::not_found);
}

}  // namespace
}  // namespace tessera::metadata
