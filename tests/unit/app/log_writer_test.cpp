#include "app/log_writer.hpp"
#include "support/temporary_folder.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>
#include <vector>

namespace tessera::app {
namespace {

using testing::HasSubstr;

constexpr std::size_t plenty = 64 << 20;

TEST(LogWriterTest, EveryLineIsThereWholeAfterTheWriterEnds) {
    const test::TemporaryFolder scratch;
    const auto file = scratch.path() / "log";
    {
        auto writer = LogWriter::to_file(file, plenty);
        ASSERT_TRUE(writer.ok());
        std::vector<std::thread> threads;
        for (int t = 0; t < 4; ++t) {
            threads.emplace_back([&, t] {
                for (int i = 0; i < 2000; ++i) {
                    (*writer)->write(i % 100 == 0 ? log::Level::warning : log::Level::info,
                                     std::to_string(t) + ":" + std::to_string(i));
                }
            });
        }
        for (std::thread& thread : threads) thread.join();
    }
    const std::string text = test::content_of(file);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 8000);
    EXPECT_THAT(text, HasSubstr("\n3:1999\n"));
}

TEST(LogWriterTest, AReaderThatStandsStillCostsLinesAndNoTime) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    fcntl(ends[1], F_SETFL, O_NONBLOCK);
    std::string received;
    std::thread reader;
    {
        LogWriter writer(ends[1], 256 * 1024);
        const std::string line(1000, 'x');
        for (int i = 0; i < 5000; ++i) writer.write(log::Level::info, line);  // 5 MB, and nobody reads
        EXPECT_GT(writer.dropped(), 0u);
        reader = std::thread([&] {
            char buffer[65536];
            for (ssize_t n = 0; (n = read(ends[0], buffer, sizeof buffer)) > 0;)
                received.append(buffer, static_cast<std::size_t>(n));
        });
    }
    close(ends[1]);
    reader.join();
    close(ends[0]);
    EXPECT_THAT(received, HasSubstr("log_lines_dropped"));
}

TEST(LogWriterTest, ReopenedAfterItsFileWasMovedItGoesOnInANewOne) {
    const test::TemporaryFolder scratch;
    const auto file = scratch.path() / "log";
    const auto moved = scratch.path() / "log.1";
    {
        auto writer = LogWriter::to_file(file, plenty);
        ASSERT_TRUE(writer.ok());
        (*writer)->write(log::Level::info, "before");
        std::filesystem::rename(file, moved);
        (*writer)->write(log::Level::info, "still before");
        ASSERT_TRUE((*writer)->reopen());
        while (!std::filesystem::exists(file)) std::this_thread::yield();
        (*writer)->write(log::Level::info, "after");
    }
    EXPECT_EQ(test::content_of(moved), "before\nstill before\n");
    EXPECT_THAT(test::content_of(file), HasSubstr("log_reopened"));
    EXPECT_THAT(test::content_of(file), HasSubstr("}\nafter\n"));
}

TEST(LogWriterTest, WhereNoNewFileCanBeHadTheOldOneGoesOn) {
    const test::TemporaryFolder scratch;
    const auto folder = scratch.path() / "logs";
    const auto moved = scratch.path() / "moved";
    std::filesystem::create_directory(folder);
    {
        auto writer = LogWriter::to_file(folder / "log", plenty);
        ASSERT_TRUE(writer.ok());
        std::filesystem::rename(folder, moved);
        ASSERT_TRUE((*writer)->reopen());
        (*writer)->write(log::Level::info, "after");
    }
    EXPECT_THAT(test::content_of(moved / "log"), HasSubstr("log_not_reopened"));
    EXPECT_THAT(test::content_of(moved / "log"), HasSubstr("after\n"));
}

TEST(LogWriterTest, ADescriptorOfSomebodyElseIsNotReopened) {
    LogWriter writer(STDERR_FILENO, plenty);
    EXPECT_FALSE(writer.reopen());
}

TEST(LogWriterTest, ALogThatCannotBeOpenedIsNamed) {
    const auto writer = LogWriter::to_file("/nowhere/at/all.log", plenty);
    ASSERT_FALSE(writer.ok());
    EXPECT_THAT(writer.error().message, HasSubstr("/nowhere/at/all.log"));
}

}  // namespace
}  // namespace tessera::app
