#include "app/check/journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "app/command_failed.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::app {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const CheckRun wanted{"20261116T180000Z", "2026-11-16T18:00:00.000Z", true, false, "stores"};
const CheckRun later{"20261116T190000Z", "2026-11-16T19:00:00.000Z", true, false, "stores"};

class CheckJournalTest : public testing::Test {
  protected:
    std::filesystem::path file() const { return folder.path() / "check.journal"; }
    static Finding finding(const std::string& where, const std::string& moved_to = "") {
        return {.kind = FindingKind::orphan,
                .key = "assets/" + where,
                .where = where,
                .owner = "nobody",
                .account_id = Uuid::parse("01a1dd2e-c250-768d-a4a8-21aaf6c9e74d"),
                .account = "shop",
                .detail = "7 bytes",
                .moved_to = moved_to};
    }
    static std::vector<std::string> told_again(CheckJournal& journal) {
        std::vector<std::string> found;
        journal.replay([&](const Finding& each) { found.push_back(each.where); });
        return found;
    }

    const test::TemporaryFolder folder;
};

TEST_F(CheckJournalTest, AFreshOneBeginsAtTheBeginning) {
    CheckJournal journal(file(), wanted, false);
    EXPECT_FALSE(journal.goes_on());
    EXPECT_EQ(journal.place().phase, CheckPhase::database);
    EXPECT_THAT(told_again(journal), IsEmpty());
}

TEST_F(CheckJournalTest, GoesOnAtItsLastPlaceWithWhatWasFoundBefore) {
    {
        CheckJournal journal(file(), wanted, false);
        journal.add(finding("one"));
        journal.reached({CheckPhase::rows, "assets/k", 500, 12'345});
        journal.add(finding("two"));
    }
    CheckJournal journal(file(), later, false);
    EXPECT_TRUE(journal.goes_on());
    EXPECT_EQ(journal.run().id, wanted.id) << "what it moves goes where the first part put its own";
    EXPECT_EQ(journal.place().phase, CheckPhase::rows);
    EXPECT_EQ(journal.place().cursor, "assets/k");
    EXPECT_EQ(journal.place().blobs, 500);
    EXPECT_EQ(journal.place().bytes, 12'345U);
    EXPECT_THAT(told_again(journal), ElementsAre("one")) << "the second is found again";
}

TEST_F(CheckJournalTest, WhatWasMovedAfterTheLastPlaceIsNotFoundAgainAndIsNotForgotten) {
    {
        CheckJournal journal(file(), wanted, false);
        journal.reached({CheckPhase::blobs, "", 1, 0});
        journal.add(finding("one", "quarantine/one"));
        journal.add(finding("two"));
    }
    CheckJournal journal(file(), later, false);
    EXPECT_THAT(told_again(journal), ElementsAre("one"));
    EXPECT_TRUE(journal.knows(finding("one")));
    EXPECT_FALSE(journal.knows(finding("two")));
}

TEST_F(CheckJournalTest, ALineThatAKillCutOffIsPassedOver) {
    {
        CheckJournal journal(file(), wanted, false);
        journal.reached({CheckPhase::rows, "assets/a", 1, 0});
    }
    std::ofstream(file(), std::ios::app) << R"({"phase":3,"curs)";
    {
        CheckJournal journal(file(), later, false);
        EXPECT_EQ(journal.place().cursor, "assets/a");
        journal.reached({CheckPhase::rows, "assets/b", 2, 0});
    }
    EXPECT_EQ(CheckJournal(file(), later, false).place().cursor, "assets/b");
}

TEST_F(CheckJournalTest, OtherOptionsOrOtherStoresBeginAnew) {
    { CheckJournal(file(), wanted, false).reached({CheckPhase::rows, "assets/a", 1, 0}); }
    for (const CheckRun& other : {CheckRun{"x", "", false, false, "stores"}, CheckRun{"x", "", true, true, "stores"},
                                  CheckRun{"x", "", true, false, "others"}}) {
        CheckJournal journal(file(), other, false);
        EXPECT_FALSE(journal.goes_on());
        EXPECT_EQ(journal.place().cursor, "");
    }
    CheckJournal same(file(), {"x", "", true, false, "others"}, true);
    EXPECT_FALSE(same.goes_on()) << "--restart";
}

TEST_F(CheckJournalTest, OneAtATime) {
    const CheckJournal first(file(), wanted, false);
    EXPECT_THROW(CheckJournal(file(), wanted, false), CommandFailed);
}

TEST_F(CheckJournalTest, FindingsAreReadAsTheyWereWritten) {
    const Finding written = finding("one", "quarantine/one");
    const auto read = finding_from(to_json(written));
    ASSERT_TRUE(read);
    EXPECT_EQ(for_people(*read), for_people(written));
    EXPECT_EQ(read->account_id, written.account_id);
    EXPECT_FALSE(finding_from({{"phase", 2}}));
}

TEST(CheckFinding, ARepairMovesWhatIsOfNoUseWhereItIs) {
    EXPECT_TRUE(can_be_moved({.kind = FindingKind::orphan}));
    EXPECT_TRUE(can_be_moved({.kind = FindingKind::stray}));
    EXPECT_TRUE(can_be_moved({.kind = FindingKind::damaged}));
    EXPECT_FALSE(can_be_moved({.kind = FindingKind::damaged, .of_tileset = true}))
        << "it serves the tiles that are whole";
    EXPECT_FALSE(can_be_moved({.kind = FindingKind::bad_archive, .of_tileset = true}));
    EXPECT_FALSE(can_be_moved({.kind = FindingKind::unreadable}));
}

}  // namespace
}  // namespace tessera::app
