#include "service/uploads/account_rooms.hpp"

#include <gtest/gtest.h>

namespace tessera::service {
namespace {

using std::chrono::seconds;

class AccountRoomsTest : public testing::Test {
  protected:
    AccountRooms rooms;
    const Uuid account = Uuid::random();
    const Timestamp start = *from_iso8601("2026-01-02T03:04:05.678Z");
};

TEST_F(AccountRoomsTest, KnowNothingUntilTheyAreTold) {
    EXPECT_FALSE(rooms.takes(account, 1, start));
    EXPECT_FALSE(rooms.is_short(account));
    rooms.take(account, 5);
    EXPECT_FALSE(rooms.takes(account, 1, start));
}

TEST_F(AccountRoomsTest, CountWhatIsStoredSince) {
    rooms.note(account, {100, 2}, false, start);
    EXPECT_TRUE(rooms.takes(account, 100, start));
    EXPECT_FALSE(rooms.takes(account, 101, start));
    rooms.take(account, 40);
    EXPECT_TRUE(rooms.takes(account, 60, start));
    EXPECT_FALSE(rooms.takes(account, 61, start));
    rooms.take(account, 10);
    EXPECT_FALSE(rooms.takes(account, 1, start)) << "no asset is left";
}

TEST_F(AccountRoomsTest, BelieveNothingThatIsOldOrOfTheFuture) {
    rooms.note(account, {100, 100}, true, start);
    EXPECT_TRUE(rooms.takes(account, 1, start + seconds(59)));
    EXPECT_FALSE(rooms.takes(account, 1, start + seconds(60)));
    EXPECT_FALSE(rooms.takes(account, 1, start - seconds(1))) << "the clock was turned back";
    EXPECT_TRUE(rooms.is_short(account)) << "until it is asked for again";
    rooms.note(account, {100, 100}, false, start + seconds(70));
    EXPECT_FALSE(rooms.is_short(account));
}

}  // namespace
}  // namespace tessera::service
