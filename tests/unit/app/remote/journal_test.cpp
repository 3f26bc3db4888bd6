#include "app/remote/journal.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "app/remote/asset_book.hpp"
#include "core/file.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::remote {
namespace {

namespace fs = std::filesystem;

Entry entry(const std::string& work, Stage stage) {
    Entry made{work, stage, {5, 7, "ab"}, "key-1", "asset", "job"};
    if (stage == Stage::done) {
        made.first.output = "/out/ü \"a\".png";
        made.first.result = {9, 11, "cd"};
    }
    if (stage == Stage::failed) {
        made.error = "damaged";
        made.code = "decode_failed";
    }
    return made;
}

class JournalTest : public testing::Test {
  protected:
    fs::path file() const { return folder_.path() / "journal"; }
    test::TemporaryFolder folder_;
};

TEST_F(JournalTest, KeepsTheLastOfEachWork) {
    {
        auto journal = Journal::open(file());
        ASSERT_TRUE(journal);
        EXPECT_EQ(journal->find("a"), nullptr);
        ASSERT_TRUE(journal->put(entry("a", Stage::begun)));
        ASSERT_TRUE(journal->put(entry("b", Stage::failed)));
        ASSERT_TRUE(journal->put(entry("a", Stage::done)));
    }
    auto journal = Journal::open(file());
    ASSERT_TRUE(journal);
    const Entry* a = journal->find("a");
    ASSERT_NE(a, nullptr);
    EXPECT_EQ(line_of(*a), line_of(entry("a", Stage::done)));
    EXPECT_EQ(a->first.output, "/out/ü \"a\".png");
    EXPECT_EQ(a->first.result.sha256, "cd");
    EXPECT_EQ(journal->find("b")->code, "decode_failed");
}

TEST_F(JournalTest, HalfALineOfAKilledRunIsNoHindrance) {
    ASSERT_TRUE(Journal::open(file())->put(entry("a", Stage::submitted)));
    std::ofstream(file(), std::ios::app) << R"({"work": "b", "stage": "do)";
    ASSERT_TRUE(Journal::open(file())->put(entry("c", Stage::begun)));
    const auto journal = Journal::open(file());
    EXPECT_EQ(journal->find("a")->job_id, "job");
    EXPECT_EQ(journal->find("b"), nullptr);
    ASSERT_NE(journal->find("c"), nullptr);
}

TEST_F(JournalTest, AResultThatGotItsNameBeforeAKillIsKnown) {
    const fs::path result = folder_.path() / "result.png";
    std::ofstream(result) << "made";
    Entry placing = entry("a", Stage::submitted);
    placing.first.output = result.string();
    placing.first.placing = *mark_of(result);
    ASSERT_TRUE(Journal::open(file())->put(placing));
    EXPECT_TRUE(Journal::open(file())->find("a")->has_result());
    std::ofstream(result) << "of somebody else";
    EXPECT_FALSE(Journal::open(file())->find("a")->has_result());
}

TEST_F(JournalTest, KnowsEachOfSeveralResults) {
    Entry several = entry("a", Stage::done);
    for (const char* name : {"first.png", "second.png"}) {
        const fs::path result = folder_.path() / name;
        std::ofstream(result) << name;
        const Placed placed{result.string(), *mark_of(result), {}};
        if (name[0] == 's') {
            several.further.push_back(placed);
        } else {
            several.first = placed;
        }
    }
    ASSERT_TRUE(Journal::open(file())->put(several));
    EXPECT_TRUE(Journal::open(file())->find("a")->has_all_results());
    fs::remove(folder_.path() / "second.png");
    EXPECT_TRUE(Journal::open(file())->find("a")->has_result());
    EXPECT_FALSE(Journal::open(file())->find("a")->has_all_results());
}

TEST_F(JournalTest, OneRunAtATime) {
    const auto first = Journal::open(file());
    ASSERT_TRUE(first);
    const auto second = Journal::open(file());
    ASSERT_FALSE(second);
    EXPECT_TRUE(second.error().code == ErrorCode::conflict);
}

TEST_F(JournalTest, IsForItsUserAlone) {
    ASSERT_TRUE(Journal::open(file()));
    EXPECT_EQ(fs::status(file()).permissions() & fs::perms::all, fs::perms(0600));
}

TEST_F(JournalTest, NonsenseIsNoEntry) {
    EXPECT_FALSE(entry_of(""));
    EXPECT_FALSE(entry_of("[]"));
    EXPECT_FALSE(
        entry_of(R"({"work": "a", "stage": "dreaming", "input": {"size": 1, "modified_ns": 1, "sha256": ""}})"));
    EXPECT_FALSE(entry_of(R"({"work": "a", "stage": "done"})"));
}

TEST_F(JournalTest, OldOnesGo) {
    ASSERT_TRUE(Journal::open(file()));
    remove_old_journals(folder_.path(), std::chrono::hours(1));
    EXPECT_TRUE(fs::exists(file()));
    fs::last_write_time(file(), fs::file_time_type::clock::now() - std::chrono::hours(2));
    remove_old_journals(folder_.path(), std::chrono::hours(1));
    EXPECT_FALSE(fs::exists(file()));
}

TEST_F(JournalTest, AssetsAreKnownByTheirContent) {
    const std::string content(64, 'a');
    {
        auto book = AssetBook::open(file());
        ASSERT_TRUE(book->add(content, "asset-1"));
        ASSERT_TRUE(book->add(std::string(64, 'b'), "asset-2"));
    }
    auto book = AssetBook::open(file());
    EXPECT_EQ(book->find(content), "asset-1");
    ASSERT_TRUE(book->forget(content));
    EXPECT_FALSE(book->find(content));
    EXPECT_FALSE(AssetBook::open(file())->find(content));
    EXPECT_EQ(AssetBook::open(file())->find(std::string(64, 'b')), "asset-2");
}

}  // namespace
}  // namespace tessera::remote
