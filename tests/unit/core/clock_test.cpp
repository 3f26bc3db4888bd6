#include "core/clock.hpp"

#include <gtest/gtest.h>

#include "core/account.hpp"

namespace tessera {
namespace {

using namespace std::chrono_literals;

TEST(Iso8601, PrintsMillisecondsInUtc) {
    EXPECT_EQ(to_iso8601(from_unix_millis(0)), "1970-01-01T00:00:00.000Z");
    EXPECT_EQ(to_iso8601(from_unix_millis(1709210096789)), "2024-02-29T12:34:56.789Z");
}

TEST(Iso8601, ReadsBackWhatItPrints) {
    const Timestamp time = from_unix_millis(1709210096789);
    EXPECT_EQ(from_iso8601(to_iso8601(time)), time);
    EXPECT_EQ(from_iso8601("2024-02-29T12:34:56Z"), time - 789ms);
}

TEST(Iso8601, RefusesWhatIsNoDate) {
    for (const char* text :
         {"", "2024-02-30T00:00:00Z", "2023-02-29T00:00:00Z", "2024-13-01T00:00:00Z", "2024-01-01T24:00:00Z",
          "2024-01-01 00:00:00Z", "2024-01-01T00:00:00", "2024-01-01T00:0a:00Z"}) {
        EXPECT_FALSE(from_iso8601(text)) << text;
    }
}

TEST(CreditPeriod, IsThirtyDaysCountedFromActivation) {
    const Timestamp activated = from_unix_millis(1'000'000'000'000);
    EXPECT_EQ(credit_period_at(activated, activated).starts_at, activated);
    EXPECT_EQ(credit_period_at(activated, activated + 30 * 24h - 1ms).starts_at, activated);
    EXPECT_EQ(credit_period_at(activated, activated + 30 * 24h).starts_at, activated + 30 * 24h);
    EXPECT_EQ(credit_period_at(activated, activated + 95 * 24h).ends_at, activated + 120 * 24h);
    EXPECT_EQ(credit_period_at(activated, activated - 5h).starts_at, activated)
        << "a clock turned back stays in the first";
}

}  // namespace
}  // namespace tessera
