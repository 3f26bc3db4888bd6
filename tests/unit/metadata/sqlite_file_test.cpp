// What the store says about database files that it can't use, and that it leaves them alone.
#include <fstream>
#include <memory>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include "metadata/accounts.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::metadata {
namespace {

using testing::HasSubstr;

class SqliteFile : public testing::Test {
  protected:
    Result<std::unique_ptr<Store>> open(const SqliteOptions& options = {}) { return open_sqlite(path, clock, options); }
    void execute(const std::string& sql) {
        sqlite3* database = nullptr;
        ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
        EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << sqlite3_errmsg(database);
        sqlite3_close(database);
    }
    std::string content() {
        std::ifstream file(path, std::ios::binary);
        return {std::istreambuf_iterator<char>(file), {}};
    }
    void overwrite(const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }

    test::TemporaryFolder folder;
    std::string path = folder.file("tessera.db");
    SystemClock clock;
};

TEST_F(SqliteFile, IsMadeAndOpenedAgain) {
    ASSERT_TRUE(open().ok());
    ASSERT_TRUE(open().ok());
}

TEST_F(SqliteFile, IsNotMadeWhenThatWasNotAskedFor) {
    SqliteOptions options;
    options.create = false;
    const auto store = open(options);
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error().message, HasSubstr("does not exist"));
    EXPECT_THAT(store.error().message, HasSubstr(path));
}

TEST_F(SqliteFile, InAFolderThatIsNotThereIsRefused) {
    path = folder.file("nowhere/tessera.db");
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error().message, HasSubstr("can't be opened"));
}

TEST_F(SqliteFile, OfANewerTesseraIsRefusedAndLeftAlone) {
    ASSERT_TRUE(open().ok());
    execute("PRAGMA user_version = 999");
    const std::string before = content();
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error().message, HasSubstr("newer Tessera"));
    EXPECT_THAT(store.error().message, HasSubstr("999"));
    EXPECT_EQ(content(), before);
}

TEST_F(SqliteFile, OfAnotherProgramIsRefusedAndLeftAlone) {
    execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error().message, HasSubstr("another program"));
}

TEST_F(SqliteFile, ThatIsNoDatabaseIsRefusedAndLeftAlone) {
    const std::string text(10'000, 'x');
    overwrite(text);
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_THAT(store.error().message, HasSubstr("is not an SQLite database, or is damaged"));
    EXPECT_EQ(content(), text);
}

TEST_F(SqliteFile, WithDamagedPagesIsRefused) {
    ASSERT_TRUE(open().ok());
    std::string bytes = content();
    ASSERT_GT(bytes.size(), 40'000U);
    for (std::size_t at = 4096; at < bytes.size(); ++at) bytes[at] = static_cast<char>(at * 31);
    overwrite(bytes);
    const auto store = open();
    ASSERT_FALSE(store.ok());
    EXPECT_EQ(store.error().code, ErrorCode::storage_unavailable);
    EXPECT_THAT(store.error().message, HasSubstr(path));
}

TEST_F(SqliteFile, ThatWasCutShortIsRefused) {
    ASSERT_TRUE(open().ok());
    const std::string bytes = content();
    overwrite(bytes.substr(0, bytes.size() / 2));
    EXPECT_FALSE(open().ok());
}

// Again and again: those who find a new file at the same instant are few.
TEST_F(SqliteFile, IsMigratedOnceByManyThatStartTogether) {
    for (int round = 0; round < 10; ++round) {
        path = folder.file("tessera-" + std::to_string(round) + ".db");
        std::vector<std::thread> threads;
        std::atomic<int> opened{0};
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                const auto store = open();
                if (store.ok()) ++opened;
                EXPECT_TRUE(store.ok()) << store.error().message << ": " << store.error().detail;
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(opened, 8);
    }
}

TEST_F(SqliteFile, IsCopiedWhileItIsInUse) {
    auto store = open();
    ASSERT_TRUE(store.ok());
    Plan plan;
    plan.code = "pro";
    ASSERT_TRUE((*store)->plans().apply(std::vector<Plan>{plan}).ok());
    ASSERT_TRUE((*store)->accounts().create({"acme", "Acme", "pro"}).ok());
    const std::string copy = folder.file("copy.db");
    ASSERT_TRUE((*store)->back_up_to(copy).ok());
    EXPECT_FALSE((*store)->back_up_to(copy).ok()) << "never over an existing file";
    const auto restored = open_sqlite(copy, clock);
    ASSERT_TRUE(restored.ok());
    EXPECT_TRUE((*restored)->accounts().find_by_slug("acme")->has_value());
}

}  // namespace
}  // namespace tessera::metadata
