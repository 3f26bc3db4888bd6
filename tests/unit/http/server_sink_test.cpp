// Bodies streamed into sinks.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "server_fixture.hpp"

namespace tessera::http::test {
namespace {

using Streaming = ServerTest;

std::string checksum_of(std::string_view bytes) {
    std::uint64_t checksum = 0;
    for (const char byte : bytes) checksum = checksum * 31 + static_cast<std::uint8_t>(byte);
    return std::to_string(checksum);
}

std::string post(std::string_view path, std::size_t length, std::string_view headers = "") {
    return "POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n" + std::string(headers) +
           "Content-Length: " + std::to_string(length) + "\r\n\r\n";
}

TEST_F(Streaming, GivesTheSinkEveryByteInOrder) {
    start();
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{2000}, std::size_t{70'000}, big_.size()}) {
        Client client(address());
        client.send(post("/sink", size) + big_.substr(0, size) + get("/now"));
        const auto reply = client.read();
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->status, 201);
        EXPECT_EQ(reply->body, checksum_of(std::string_view(big_).substr(0, size))) << size;
        EXPECT_EQ(client.read()->body, "\"/now\"") << "the connection goes on";
    }
    EXPECT_EQ(sinks_.finished, 5U);
    EXPECT_TRUE(eventually([&] { return sinks_.destroyed == 5; }));
}

TEST_F(Streaming, DecodesChunksOfEverySize) {
    start();
    Client client(address());
    client.send("POST /sink HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    std::string body;
    std::string framed;
    for (std::size_t i = 1; body.size() < 2'000'000; i = i * 3 % 65'537) {
        char size[32];
        std::snprintf(size, sizeof size, "%zx\r\n", i);
        const std::string chunk = big_.substr(body.size() % 1'000'000, i);
        framed += size + chunk + "\r\n";
        body += chunk;
    }
    std::thread sender([&] { client.try_send(framed + "0\r\n\r\n" + get("/now")); });
    EXPECT_EQ(client.read()->body, checksum_of(body));
    EXPECT_EQ(client.read()->body, "\"/now\"");
    sender.join();
}

TEST_F(Streaming, HoldsNoThreadForASlowClient) {
    ServerConfig config;
    config.blocking_threads = 2;
    config.threads = 1;
    start(config);
    std::vector<std::unique_ptr<Client>> slow;
    for (int i = 0; i < 64; ++i) {
        slow.push_back(std::make_unique<Client>(address()));
        slow.back()->send(post("/sink", 6) + "abc");
    }
    ASSERT_TRUE(eventually([&] { return sinks_.bytes == 64 * 3; })) << "all are under way on two threads";
    EXPECT_EQ(ask(address(), get("/pool")).status, 200) << "and others get their turn";
    for (auto& client : slow) client->send("def");
    for (auto& client : slow) EXPECT_EQ(client->read()->body, checksum_of("abcdef"));
    EXPECT_LE(sinks_.most_at_once, 2U);
}

TEST_F(Streaming, StopsReadingWhenTheSinkIsSlow) {
    ServerConfig config;
    config.threads = 1;
    start(config);
    Client client(address());
    std::thread sender([&] {
        client.try_send(post("/slow-sink", big_.size() * 8));
        for (int i = 0; i < 8; ++i) client.try_send(big_);
    });
    ASSERT_TRUE(eventually([&] { return write_door_.waiting() == 1; }));
    EXPECT_EQ(sinks_.opened, 1U);
    write_door_.open();
    EXPECT_EQ(client.read()->status, 201);
    EXPECT_EQ(sinks_.bytes, big_.size() * 8);
    EXPECT_EQ(sinks_.most_at_once, 1U) << "one write at a time";
    sender.join();
}

TEST_F(Streaming, AnswersEarlyAndTheClientSeesIt) {
    start();
    sinks_.refuse_after = 100'000;
    Client client(address());
    client.send(post("/sink", big_.size()));
    client.try_send(big_);  // all of it, before looking at the answer
    const auto reply = client.read();
    ASSERT_TRUE(reply) << "the answer must survive the rest of the body";
    EXPECT_EQ(reply->status, 415);
    EXPECT_EQ(reply->header("Connection"), "close");
    EXPECT_EQ(sinks_.finished, 0U);
    EXPECT_TRUE(eventually([&] { return sinks_.destroyed == 1; }));
}

TEST_F(Streaming, AnswersEarlyEvenWhenTheClientPauses) {
    start();
    sinks_.refuse_after = 2;
    Client client(address());
    client.send(post("/sink", 1000) + "abc");  // and sends no more
    const auto reply = client.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 415);
}

TEST_F(Streaming, RefusesBeforeTheBodyWhenItCan) {
    start();
    Client client(address());
    client.send(post("/no-sink", 1000, "Expect: 100-continue\r\n"));
    const auto reply = client.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 415) << "no 100 Continue before the refusal";
}

TEST_F(Streaming, SurvivesASinkThatThrows) {
    start();
    sinks_.throws = true;
    EXPECT_EQ(ask(address(), post("/sink", 3) + "abc").status, 500);
    EXPECT_TRUE(eventually([&] { return sinks_.destroyed == 1; }));
}

TEST_F(Streaming, RefusesABodyThatEndsEarly) {
    start();
    Client client(address());
    client.send(post("/sink", 1000) + "abc");
    client.finish_sending();
    const auto reply = client.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 400);
    EXPECT_EQ(sinks_.finished, 0U);
}

using AnsweredLater = ServerTest;

TEST_F(AnsweredLater, AnUploadThatWaitsHoldsNoThread) {
    ServerConfig config;
    config.blocking_threads = 1;
    config.threads = 1;
    start(config);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 32; ++i) {
        clients.push_back(std::make_unique<Client>(address()));
        clients.back()->send(post("/late-sink", 3) + "abc" + get("/now"));
    }
    ASSERT_TRUE(eventually([&] { return late_.waiting() == 32; }));
    EXPECT_EQ(ask(address(), get("/pool")).status, 200) << "though 32 wait, and there is one thread";
    for (const auto& finished : late_.take()) {
        finished(Response::json("1", 201));
        finished(Response::json("2", 500));  // the first counts
    }
    for (auto& client : clients) {
        EXPECT_EQ(client->read()->status, 201);
        EXPECT_EQ(client->read()->body, "\"/now\"") << "the connection goes on";
    }
}

TEST_F(AnsweredLater, OneThatIsForgottenIsAnError) {
    start();
    Client client(address());
    client.send(post("/late-sink", 3) + "abc");
    ASSERT_TRUE(eventually([&] { return late_.waiting() == 1; }));
    late_.take().clear();
    EXPECT_EQ(client.read()->status, 500);
}

TEST_F(AnsweredLater, AClientThatLeavesMeanwhileIsMissedByNobody) {
    start();
    for (int i = 0; i < 20; ++i) {
        Client client(address());
        client.send(post("/late-sink", 3) + "abc");
        ASSERT_TRUE(eventually([&] { return late_.waiting() == static_cast<std::size_t>(i + 1); }));
        if (i % 2 == 0) client.reset();
    }
    for (const auto& finished : late_.take()) finished(Response::json("1", 201));
    EXPECT_TRUE(eventually([&] { return open_connections() == 0; }));
}

TEST_F(AnsweredLater, AServerThatStopsWaitsForTheAnswerAndSaysWhenItsTimeIsUp) {
    ServerConfig config;
    config.drain_timeout = std::chrono::milliseconds(100);
    start(config);
    Client client(address());
    client.send(post("/late-sink", 3) + "abc");
    Client held(address());
    held.send(get("/held"));
    ASSERT_TRUE(eventually([&] { return late_.waiting() == 2; }));
    bool told = false;
    server_->stop([&] {
        told = true;
        for (const auto& finished : late_.take()) finished(Response::json("1", 503));
    });
    EXPECT_TRUE(told);
    EXPECT_TRUE(client.is_closed());
}

TEST_F(AnsweredLater, ARequestThatIsHeldIsAnsweredOrGoesOn) {
    ServerConfig config;
    config.blocking_threads = 1;
    start(config);
    for (const bool goes_on : {true, false}) {
        Client client(address());
        client.send(get("/held"));
        ASSERT_TRUE(eventually([&] { return late_.waiting() == 1; }));
        EXPECT_EQ(ask(address(), get("/pool")).status, 200);
        late_.take().front()(Response::json("{}", goes_on ? 100 : 404));
        EXPECT_EQ(client.read()->status, goes_on ? 200 : 404);
    }
    Client client(address());
    client.send(get("/held"));
    ASSERT_TRUE(eventually([&] { return late_.waiting() == 1; }));
    late_.take().clear();
    EXPECT_EQ(client.read()->status, 500);
}

}  // namespace
}  // namespace tessera::http::test
