#include "telemetry/exporter.hpp"

#include <gmock/gmock.h>

#include <boost/json/parse.hpp>

#include "support/eventually.hpp"

namespace tessera::telemetry {
namespace {

using namespace std::chrono_literals;

TracesConfig quick() {
    TracesConfig config;
    config.endpoint = "http://receiver.test/v1/traces";
    config.interval = 1ms;
    config.first_pause = 1ms;
    config.longest_pause = 5ms;
    config.stop_timeout = 2s;
    return config;
}

// Answers as it is told, the last answer for ever.
class Receiver {
  public:
    explicit Receiver(std::vector<Answer> answers) : answers_(std::move(answers)) {}

    Send send() {
        return [this](const std::string& body, Millis timeout, const std::function<bool()>&) {
            const std::lock_guard lock(mutex_);
            bodies_.push_back(body);
            timeouts_.push_back(timeout);
            return answers_[std::min(bodies_.size(), answers_.size()) - 1];
        };
    }
    std::vector<std::string> bodies() {
        const std::lock_guard lock(mutex_);
        return bodies_;
    }
    std::vector<Millis> timeouts() {
        const std::lock_guard lock(mutex_);
        return timeouts_;
    }

  private:
    std::mutex mutex_;
    const std::vector<Answer> answers_;
    std::vector<std::string> bodies_;
    std::vector<Millis> timeouts_;
};

Answer status(int code, std::string body = {}) {
    Answer answer;
    answer.status = code;
    answer.body = std::move(body);
    return answer;
}

Span span() {
    Span made;
    made.context = *parse_traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
    made.name = "one";
    return made;
}

std::size_t spans_in(const std::string& body) {
    return boost::json::parse(body).at_pointer("/resourceSpans/0/scopeSpans/0/spans").as_array().size();
}

void add(Exporter& exporter, int spans) {
    for (int i = 0; i < spans; ++i) exporter.add(span());
}

TEST(ExporterTest, WhatWaitsIsSentInBatches) {
    Receiver receiver({status(200)});
    TracesConfig config = quick();
    config.batch_spans = 4;
    Exporter exporter(config, {}, receiver.send());
    add(exporter, 10);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().sent.get() == 10; }));
    const auto bodies = receiver.bodies();
    ASSERT_EQ(bodies.size(), 3U);
    EXPECT_EQ(spans_in(bodies[0]), 4U);
    EXPECT_EQ(spans_in(bodies[2]), 2U);
    EXPECT_EQ(receiver.timeouts().front(), config.timeout);
}

TEST(ExporterTest, NoMoreWaitThanThereIsRoomFor) {
    Receiver receiver({status(200)});
    TracesConfig config = quick();
    config.queue_spans = 3;
    Exporter exporter(config, {}, receiver.send());
    add(exporter, 8);
    EXPECT_EQ(exporter.meters().queue_full.get(), 5U);
    exporter.start();
    exporter.stop();
    EXPECT_EQ(exporter.meters().sent.get(), 3U);
}

TEST(ExporterTest, WhatMayPassIsSentAgainAsItWas) {
    Answer later = status(429);
    later.retry_after = "0";
    Receiver receiver({status(503), Answer{}, later, status(200)});
    Exporter exporter(quick(), {}, receiver.send());
    add(exporter, 2);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().sent.get() == 2; }));
    const auto bodies = receiver.bodies();
    EXPECT_EQ(bodies.size(), 4U);
    EXPECT_THAT(bodies, testing::Each(bodies[0]));
}

TEST(ExporterTest, WhatIsRefusedIsNotSentAgain) {
    Receiver receiver({status(400), status(200)});
    TracesConfig config = quick();
    config.batch_spans = 2;
    Exporter exporter(config, {}, receiver.send());
    add(exporter, 4);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().sent.get() == 2; }));
    EXPECT_EQ(exporter.meters().refused.get(), 2U);
    EXPECT_EQ(receiver.bodies().size(), 2U);
}

TEST(ExporterTest, SomeOfThemMayBeRefused) {
    Receiver receiver({status(200, R"({"partialSuccess":{"rejectedSpans":"1"}})")});
    Exporter exporter(quick(), {}, receiver.send());
    add(exporter, 3);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().sent.get() == 2; }));
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().refused.get() == 1; }));
}

TEST(ExporterTest, AReceiverThatStaysAwayIsGivenUp) {
    Receiver receiver({Answer{}});
    Exporter exporter(quick(), {}, receiver.send());
    add(exporter, 2);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return exporter.meters().given_up.get() == 2; }));
    EXPECT_EQ(receiver.bodies().size(), static_cast<std::size_t>(quick().most_attempts));
}

TEST(ExporterTest, AStopSendsWhatWaitsAndDoesNotWaitForPauses) {
    Receiver receiver({status(503), status(200)});
    TracesConfig config = quick();
    config.first_pause = config.longest_pause = 1h;
    Exporter exporter(config, {}, receiver.send());
    add(exporter, 1);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return receiver.bodies().size() == 1; }));
    add(exporter, 1);
    exporter.stop();
    EXPECT_EQ(exporter.meters().sent.get(), 2U);
    EXPECT_LE(receiver.timeouts().back(), config.stop_timeout);
    exporter.stop();
}

TEST(ExporterTest, AStopHasAnEnd) {
    TracesConfig config = quick();
    config.stop_timeout = 20ms;
    std::atomic<bool> begun = false;
    // Answers only when it is given up, as a receiver that hangs.
    Exporter exporter(config, {}, [&](const std::string&, Millis, const std::function<bool()>& give_up) {
        begun = true;
        while (!give_up()) std::this_thread::yield();
        return Answer{};
    });
    add(exporter, 1);
    exporter.start();
    ASSERT_TRUE(test::eventually([&] { return begun.load(); }));
    add(exporter, 3);
    exporter.stop();
    EXPECT_EQ(exporter.meters().given_up.get(), 4U);
}

}  // namespace
}  // namespace tessera::telemetry
