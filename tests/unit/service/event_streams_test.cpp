// Event streams over a real store.
#include "service/jobs/event_streams.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "metadata/jobs.hpp"
#include "stores_fixture.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

TEST(EventPlaces, AreReadAsTheyAreWritten) {
    const Uuid id = Uuid::time_ordered();
    const EventPlace event{from_unix_millis(1'800'000'000'123), EventPlace::OfJob{id, JobStatus::succeeded}};
    EXPECT_EQ(to_string(event), "1800000000123-" + id.to_string() + "-succeeded");
    EXPECT_EQ(parse_event_place(to_string(event)), event);
    const EventPlace between{from_unix_millis(5)};
    EXPECT_EQ(to_string(between), "5");
    EXPECT_EQ(parse_event_place("5"), between);
}

TEST(EventPlaces, NothingElseIsOne) {
    const std::string id = Uuid::time_ordered().to_string();
    const std::string texts[] = {"",
                                 "-",
                                 "-5",
                                 "x",
                                 "5-",
                                 "5-" + id,
                                 "5-" + id + "-",
                                 "5-" + id + "-done",
                                 "5x" + id + "-queued",
                                 "253402300800000",
                                 "99999999999999999999",
                                 "5 "};
    for (const std::string& text : texts) EXPECT_EQ(parse_event_place(text), std::nullopt) << text;
}

class EventStreamsTest : public StoresTest {
  protected:
    void start() {
        streams_.emplace(*store_, config_,
                         [](const JobView& view) { return "{\"id\":\"" + view.job.id.to_string() + "\"}"; });
    }
    void TearDown() override {
        streams_.reset();
        StoresTest::TearDown();
    }
    std::shared_ptr<EventStream> open(std::optional<std::string_view> last = {}, std::optional<Uuid> only = {}) {
        return *streams_->open(principal_, last, only);
    }
    Job submit() {
        metadata::Submission submission;
        submission.job.id = Uuid::time_ordered();
        submission.job.account_id = principal_.account.id;
        submission.job.operation = "resize";
        submission.job.options_json = "{}";
        return *(*store_->jobs().submit(submission)).job;
    }
    void end_one() {
        const auto claimed = *store_->queue().claim({"w"});
        ASSERT_EQ(claimed.size(), 1U);
        ASSERT_TRUE(store_->queue().complete(claimed[0].lease, {}));
    }
    // All that was taken of it, until it holds this.
    static bool reads(EventStream& stream, std::string& text, const std::string& wanted) {
        const auto deadline = std::chrono::steady_clock::now() + 60s;
        while (text.find(wanted) == std::string::npos) {
            if (std::chrono::steady_clock::now() > deadline) return false;
            stream.take(text);
            std::this_thread::sleep_for(1ms);
        }
        return true;
    }
    static std::string id_of(const Job& job, const char* status) {
        return "-" + job.id.to_string() + "-" + status + "\n";
    }

    EventsConfig config_;
    std::optional<EventStreams> streams_;
};

TEST_F(EventStreamsTest, BeginWithAPlaceAndTellWhatComes) {
    start();
    const Job before = submit();
    const auto stream = open();
    std::string text;
    stream->take(text);
    EXPECT_EQ(text, "retry: 2000\nid: " + std::to_string(to_unix_millis(clock_.now())) + "\n\n");
    const Job job = submit();
    EXPECT_TRUE(reads(*stream, text,
                      id_of(job, "queued") + "event: queued\ndata: {\"id\":\"" + job.id.to_string() + "\"}\n\n"));
    EXPECT_THAT(text, Not(HasSubstr(before.id.to_string())));
    streams_->leave(stream);
    EXPECT_EQ(streams_->count(), 0U);
}

TEST_F(EventStreamsTest, EachChangeIsToldOnce) {
    start();
    const auto stream = open();
    const Job job = submit();
    std::string text;
    ASSERT_TRUE(reads(*stream, text, id_of(job, "queued")));
    clock_.advance(Millis(10));
    end_one();
    ASSERT_TRUE(reads(*stream, text, id_of(job, "succeeded")));
    clock_.advance(Millis(10));
    const Job next = submit();  // looks go back over all of this
    ASSERT_TRUE(reads(*stream, text, id_of(next, "queued")));
    std::this_thread::sleep_for(1500ms);
    stream->take(text);
    for (const std::string& id : {id_of(job, "queued"), id_of(job, "succeeded"), id_of(next, "queued")}) {
        EXPECT_EQ(text.find(id), text.rfind(id)) << id;
    }
}

TEST_F(EventStreamsTest, WhoComesBackIsToldTheNewestStateOfWhatChanged) {
    start();
    const std::string last = std::to_string(to_unix_millis(clock_.now()));
    clock_.advance(Millis(60'000));
    const Job ended = submit();
    end_one();
    clock_.advance(Millis(60'000));
    const Job queued = submit();
    std::string text;
    open(last)->take(text);
    EXPECT_THAT(text, HasSubstr("id: " + last + "\n\n"));
    EXPECT_LT(text.find(id_of(ended, "succeeded")), text.find(id_of(queued, "queued"))) << text;
    EXPECT_THAT(text, Not(HasSubstr("event: gap")));
}

TEST_F(EventStreamsTest, TooManyChangesAreAGap) {
    config_.max_catch_up = 3;
    start();
    const std::string last = std::to_string(to_unix_millis(clock_.now()));
    for (int i = 0; i < 4; ++i) submit();
    std::string text;
    open(last)->take(text);
    EXPECT_THAT(text, HasSubstr("event: gap\ndata: {\"reason\":\"too_many\""));
    EXPECT_THAT(text, Not(HasSubstr("event: queued")));
}

TEST_F(EventStreamsTest, WhatIsNoLongerKeptIsAGap) {
    config_.kept = Millis(1'000);
    start();
    const std::string last = std::to_string(to_unix_millis(clock_.now()));
    clock_.advance(Millis(1'001));
    std::string text;
    open(last)->take(text);
    EXPECT_THAT(text, HasSubstr("\"reason\":\"too_old\""));
}

TEST_F(EventStreamsTest, ASlowReaderLosesWhatWaitsAndIsTold) {
    config_.max_waiting_bytes = 2'000;
    start();
    const auto stream = open();
    const auto eager = open();
    std::string seen;
    Job last;
    for (int i = 0; i < 50; ++i) {
        last = submit();
        ASSERT_TRUE(reads(*eager, seen, id_of(last, "queued")));
    }
    std::string text;
    stream->take(text);
    EXPECT_THAT(text, HasSubstr("\"reason\":\"slow_reader\""));
    EXPECT_LT(text.size(), 3'000U);
    EXPECT_THAT(seen, Not(HasSubstr("gap")));
}

TEST_F(EventStreamsTest, HeartbeatsComeWhenNothingElseDoes) {
    config_.heartbeat = Millis(50);
    start();
    const auto stream = open();
    std::string text;
    EXPECT_TRUE(reads(*stream, text, ": heartbeat\nid: "));
}

TEST_F(EventStreamsTest, AStreamHasAnEnd) {
    config_.heartbeat = Millis(20);
    config_.longest_stream = Millis(1);
    start();
    const auto stream = open();
    std::string text;
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (stream->take(text)) ASSERT_LT(std::chrono::steady_clock::now(), deadline);
}

TEST_F(EventStreamsTest, AreBounded) {
    config_.max_streams_per_account = 2;
    config_.max_streams = 3;
    start();
    const auto one = open();
    const auto two = open();
    const auto third = streams_->open(principal_, {}, {});
    ASSERT_FALSE(third.ok());
    EXPECT_EQ(third.error().code, ErrorCode::event_streams_exceeded);
    EXPECT_EQ(third.error().limit->allowed, 2);
    const auto others = *streams_->open(other_, {}, {});
    EXPECT_EQ(streams_->open(other_, {}, {}).error().code, ErrorCode::overloaded);
    streams_->leave(one);
    EXPECT_TRUE(streams_->open(principal_, {}, {}).ok());
}

}  // namespace
}  // namespace tessera::service
