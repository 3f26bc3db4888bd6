#include "app/log_writer.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "scratch.hpp"

namespace tessera::app {
namespace {

using testing::HasSubstr;

constexpr std::size_t plenty = 64 << 20;

TEST(LogWriterTest, EveryLineIsThereWholeAfterTheWriterEnds) {
    const Scratch scratch;
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
    const std::string text = content_of(file);
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

TEST(LogWriterTest, ALogThatCannotBeOpenedIsNamed) {
    const auto writer = LogWriter::to_file("/nowhere/at/all.log", plenty);
    ASSERT_FALSE(writer.ok());
    EXPECT_THAT(writer.error().message, HasSubstr("/nowhere/at/all.log"));
}

}  // namespace
}  // namespace tessera::app
