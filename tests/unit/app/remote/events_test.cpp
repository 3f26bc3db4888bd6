#include "app/remote/events.hpp"

#include <gtest/gtest.h>

namespace tessera::remote {
namespace {

TEST(EventParserTest, ReadsEventsAsTheyComeByteByByte) {
    const std::string stream =
        "retry: 2000\nid: 1\n\n"
        ": alive\nid: 2\n\n"
        "event: running\nid: 3\ndata: {\"a\":\ndata: 1}\n\n"
        "data\n\n";
    EventParser parser;
    std::vector<Event> all;
    for (const char c : stream) {
        for (Event& event : parser.feed({&c, 1})) all.push_back(std::move(event));
    }
    ASSERT_EQ(all.size(), 2U) << "without data there is no event";
    EXPECT_EQ(all[0].name, "running");
    EXPECT_EQ(all[0].data, "{\"a\":\n1}");
    EXPECT_EQ(all[0].id, "3");
    EXPECT_EQ(all[1].name, "message");
    EXPECT_EQ(all[1].data, "");
    EXPECT_EQ(parser.retry(), std::chrono::milliseconds(2000));
    EXPECT_EQ(parser.last_id(), "3");
}

TEST(EventParserTest, LinesEndInAnyOfThreeWays) {
    EventParser parser;
    const auto all = parser.feed("data: a\r\n\r\ndata: b\r\rdata: c\n\n");
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[2].data, "c");
}

TEST(EventParserTest, ABrokenConnectionLosesTheHalfEventAndKeepsTheId) {
    EventParser parser;
    parser.feed("id: 7\ndata: whole\n\nid: 7\nevent: failed\ndata: ha");
    parser.start_over();
    const auto all = parser.feed("data: next\n\n");
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].name, "message");
    EXPECT_EQ(all[0].data, "next");
    EXPECT_EQ(parser.last_id(), "7");
}

TEST(EventParserTest, NonsenseChangesNothing) {
    EventParser parser;
    EXPECT_TRUE(parser.feed("retry: soon\nhello: 1\n\n\n\n").empty());
    EXPECT_FALSE(parser.retry());
}

}  // namespace
}  // namespace tessera::remote
