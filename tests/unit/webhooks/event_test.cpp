#include "webhooks/event.hpp"

#include <gtest/gtest.h>

namespace tessera::webhooks {
namespace {

metadata::ClaimedDelivery delivery() {
    metadata::ClaimedDelivery one;
    one.endpoint_id = Uuid::parse("01a1dd2e-c26e-7506-ab6a-956cc5fd96e7").value();
    one.job_id = Uuid::parse("01a1dd2e-c26e-7506-ab6a-956cc5fd96e6");
    one.event = "job.failed";
    one.created_at = from_iso8601("2027-01-15T08:00:00.123Z").value();
    return one;
}

TEST(Event, HoldsTheJobAsTheInterfaceShowsIt) {
    EXPECT_EQ(event_body(delivery(), R"({"id":"x","status":"failed"})"),
              R"({"type":"job.failed","timestamp":"2027-01-15T08:00:00.123Z","data":{"id":"x","status":"failed"}})");
}

TEST(Event, OfAJobThatIsGoneTellsWhichAndHowItEnded) {
    EXPECT_EQ(event_body(delivery(), std::nullopt),
              R"({"type":"job.failed","timestamp":"2027-01-15T08:00:00.123Z",)"
              R"("data":{"id":"01a1dd2e-c26e-7506-ab6a-956cc5fd96e6","status":"failed"}})");
}

TEST(Event, ATestNamesItsEndpoint) {
    auto test = delivery();
    test.event = "webhook.test";
    test.job_id.reset();
    EXPECT_EQ(event_body(test, std::nullopt), R"({"type":"webhook.test","timestamp":"2027-01-15T08:00:00.123Z",)"
                                              R"("data":{"endpoint_id":"01a1dd2e-c26e-7506-ab6a-956cc5fd96e7"}})");
}

}  // namespace
}  // namespace tessera::webhooks
