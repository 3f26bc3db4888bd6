#include "http/server/short_waits.hpp"

#include <gtest/gtest.h>

namespace tessera::http {
namespace {

using namespace std::chrono_literals;

TEST(ShortWaits, AreExpectedAfterManyAndNoLongerAfterAFewLongOnes) {
    ShortWaits waits;
    EXPECT_FALSE(waits.expected());
    for (int i = 0; i < 15; ++i) waits.note(5us);
    EXPECT_FALSE(waits.expected());
    for (int i = 0; i < 100; ++i) waits.note(ShortWaits::longest);
    EXPECT_TRUE(waits.expected());
    for (int i = 0; i < 5; ++i) waits.note(1ms);
    EXPECT_FALSE(waits.expected());
}

TEST(ShortWaits, AreNotExpectedWhereEveryThirdIsLong) {
    ShortWaits waits;
    for (int i = 0; i < 1000; ++i) {
        waits.note(i % 3 == 0 ? 1ms : 1us);
        EXPECT_FALSE(waits.expected()) << i;
    }
}

}  // namespace
}  // namespace tessera::http
