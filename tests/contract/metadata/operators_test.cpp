#include "metadata/operators.hpp"

#include "metadata/acting_as.hpp"
#include "metadata/nodes.hpp"
#include "store_test.hpp"

namespace tessera::metadata {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using testing::ElementsAre;
using testing::IsEmpty;

class OperatorsContract : public StoreTest {
  protected:
    Operators& operators() { return store->operators(); }
    std::optional<OperatorSession> open_for(const Operator& who, const std::string& token = "a token") {
        return must(operators().open_session({.operator_id = who.id,
                                              .password_hash = who.password_hash,
                                              .token_hash = sha256(token),
                                              .lifetime = hours(12),
                                              .address = "192.0.2.7",
                                              .user_agent = "a browser"}));
    }
    std::optional<OperatorSession> use(const std::string& token = "a token") {
        return must(operators().use_session(sha256(token), hours(1)));
    }
    std::vector<std::string> acts() {
        std::vector<std::string> all;
        for (const AuditEntry& entry : must(store->audit().list({}))) {
            if (entry.action.starts_with("operator."))
                all.push_back(entry.actor + ": " + entry.action + " " + entry.subject);
        }
        return all;
    }
};
TESSERA_ON_EVERY_BACKEND(OperatorsContract);

TEST_P(OperatorsContract, AreFoundByNameAndANameIsTakenOnce) {
    const Operator anna = must(operators().create("anna", "hash 1"));
    EXPECT_EQ(anna.created_at, clock.now());
    EXPECT_EQ(must(operators().find("anna"))->password_hash, "hash 1");
    EXPECT_FALSE(must(operators().find("bert")));
    const auto again = operators().create("anna", "hash 2");
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::conflict);
    must(operators().create("aaron", "hash 3"));
    EXPECT_EQ(must(operators().list()).at(0).name, "aaron");
}

TEST_P(OperatorsContract, ASessionIsFoundByItsTokenAloneAndOverInTime) {
    const Operator anna = must(operators().create("anna", "hash"));
    const auto session = open_for(anna);
    ASSERT_TRUE(session);
    EXPECT_EQ(session->operator_name, "anna");
    EXPECT_EQ(session->expires_at, clock.now() + hours(12));
    EXPECT_EQ(session->address, "192.0.2.7");
    EXPECT_EQ(must(operators().find("anna"))->signed_in_at, clock.now());
    EXPECT_TRUE(use());
    EXPECT_FALSE(use("another token"));
    for (int i = 0; i < 23; ++i) {
        clock.advance(minutes(31));
        EXPECT_TRUE(use()) << i;
    }
    clock.advance(minutes(31));
    EXPECT_FALSE(use()) << "it was used all the time, but twelve hours are over";
}

TEST_P(OperatorsContract, ASessionThatIsNotUsedIsOver) {
    const Operator anna = must(operators().create("anna", "hash"));
    open_for(anna);
    clock.advance(minutes(59));
    ASSERT_TRUE(use());
    EXPECT_EQ(use()->last_used_at, clock.now());
    clock.advance(minutes(59));
    EXPECT_EQ(must(operators().sessions(anna.id, hours(1))).size(), 1u);
    clock.advance(minutes(1));
    EXPECT_FALSE(use());
    EXPECT_THAT(must(operators().sessions(std::nullopt, hours(1))), IsEmpty());
}

TEST_P(OperatorsContract, APasswordThatChangedMeanwhileOpensNothing) {
    const Operator before = must(operators().create("anna", "old"));
    must(operators().change_password("anna", "new", std::nullopt));
    EXPECT_FALSE(open_for(before));
    EXPECT_TRUE(open_for(must(operators().find("anna")).value()));
    EXPECT_FALSE(must(operators().change_password("nobody", "new", std::nullopt)));
}

TEST_P(OperatorsContract, SessionsEndOneByOneTogetherAndWithThePassword) {
    const Operator anna = must(operators().create("anna", "hash"));
    const Operator bert = must(operators().create("bert", "hash"));
    const auto one = open_for(anna, "1");
    const auto two = open_for(anna, "2");
    open_for(bert, "3");
    EXPECT_FALSE(must(operators().end_session(bert.id, one->id))) << "it is not bert's";
    EXPECT_TRUE(must(operators().end_session(anna.id, one->id)));
    EXPECT_FALSE(use("1"));
    EXPECT_TRUE(use("2"));
    const auto three = open_for(anna, "4");
    must(operators().change_password("anna", "hash 2", two->id));
    EXPECT_TRUE(use("2"));
    EXPECT_FALSE(use("4"));
    EXPECT_EQ(must(operators().end_sessions(anna.id)), 1);
    EXPECT_FALSE(use("2"));
    EXPECT_TRUE(use("3"));
    EXPECT_TRUE(must(operators().remove("bert")));
    EXPECT_FALSE(use("3"));
    EXPECT_FALSE(must(operators().remove("bert")));
}

TEST_P(OperatorsContract, ARevocationIsSeenByOtherProcessesAtOnce) {
    const Operator anna = must(operators().create("anna", "hash"));
    open_for(anna);
    EXPECT_TRUE(must(other().operators().use_session(sha256("a token"), hours(1))));
    must(operators().end_sessions(anna.id));
    EXPECT_FALSE(must(other().operators().use_session(sha256("a token"), hours(1))));
}

TEST_P(OperatorsContract, EveryActIsInTheTrailUnderWhoeverActs) {
    const Operator anna = must(operators().create("anna", "hash"));
    {
        const ActingAs acting("operator anna");
        const auto session = open_for(anna);
        must(operators().end_session(anna.id, session->id));
        must(operators().end_sessions(anna.id));
    }
    must(operators().change_password("anna", "hash 2", std::nullopt));
    must(operators().remove("anna"));
    EXPECT_THAT(acts(), ElementsAre("service: operator.create anna", "operator anna: operator.sign_in anna",
                                    "operator anna: operator.sign_out anna", "operator anna: operator.revoke anna",
                                    "service: operator.password anna", "service: operator.remove anna"));
    for (const AuditEntry& entry : must(store->audit().list({})))
        EXPECT_EQ((entry.subject + entry.details).find("hash"), std::string::npos);
}

TEST_P(OperatorsContract, NodesAreSeenUntilTheyLeaveOrFallSilent) {
    Nodes& nodes = store->nodes();
    must(nodes.say({.name = "a", .role = "both", .version = "1", .started_at = clock.now(), .report = "{}"}));
    clock.advance(minutes(2));
    must(nodes.say({.name = "b", .role = "worker", .version = "1", .started_at = clock.now(), .report = "{\"x\":1}"}));
    auto seen = must(nodes.seen_within(hours(1)));
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].name, "b");
    EXPECT_EQ(seen[0].age, Millis(0));
    EXPECT_EQ(seen[1].age, minutes(2));
    must(nodes.say({.name = "a", .role = "both", .version = "1", .started_at = clock.now(), .report = "{\"y\":2}"}));
    seen = must(nodes.seen_within(hours(1)));
    EXPECT_EQ(seen[1].report, "{\"y\":2}");
    EXPECT_EQ(seen[1].age, Millis(0));
    must(nodes.leave("b"));
    EXPECT_EQ(must(nodes.seen_within(hours(1))).size(), 1u);
    clock.advance(hours(2));
    EXPECT_THAT(must(nodes.seen_within(hours(1))), IsEmpty());
}

}  // namespace
}  // namespace tessera::metadata
