// What the server does when clients are too many, too slow or gone, and when it is told to stop.
#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

#include "http/server/address_connections.hpp"
#include "server_fixture.hpp"

namespace tessera::http::test {
namespace {

using Limits = ServerTest;
using Draining = ServerTest;

TEST_F(Limits, ClosesIdleConnections) {
    start(impatient());
    Client silent(address());
    Client served(address());
    served.send(get("/now"));
    EXPECT_EQ(served.read()->status, 200);
    EXPECT_EQ(served.read_to_end(), "");
    EXPECT_EQ(silent.read_to_end(), "");
}

TEST_F(Limits, CutsOffAHeadThatDribbles) {
    start(impatient());
    Client slow(address());
    slow.send("GET /now HTTP/1.1\r\n");
    bool answered = false;
    for (int i = 0; i < 3000 && !answered; ++i) {
        if (!slow.try_send("X-A: 1\r\n")) break;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        answered = slow.has_something();
    }
    const auto reply = slow.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->status, 408) << "bytes now and then must not buy time";
}

TEST_F(Limits, LetsBlankLinesBuyNoTime) {
    start(impatient());
    Client slow(address());
    EXPECT_TRUE(eventually([&] { return !slow.try_send("\r\n") || slow.has_something(); }));
}

TEST_F(Limits, LetsABlankLineThatComesWithTheDeadlineBuyNoTime) {
    ServerConfig config = impatient();
    config.threads = 1;
    start(config);
    Client silent(address());
    Client holder(address());
    ASSERT_TRUE(eventually([&] { return open_connections() == 2; }));
    holder.send(get("/hold-loop"));
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 1; }));
    silent.send("\r\n");
    std::this_thread::sleep_for(config.idle_timeout * 2);  // the loop finds the blank line when the time is over
    door_.open();
    EXPECT_EQ(silent.read_to_end(), "");
    EXPECT_EQ(holder.read()->status, 200);
}

TEST_F(Limits, CutsOffABodyThatStalls) {
    start(impatient());
    for (const char* path : {"/echo", "/sink"}) {
        Client slow(address());
        slow.send("POST " + std::string(path) + " HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc");
        const auto reply = slow.read();
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->status, 408);
        EXPECT_TRUE(slow.is_closed());
    }
    EXPECT_TRUE(eventually([&] { return sinks_.destroyed == 1; }));
    EXPECT_EQ(sinks_.finished, 0U);
}

TEST_F(Limits, LetsASlowBodyInThatMakesProgress) {
    ServerConfig config = impatient();
    config.body_min_bytes = 1;
    config.body_timeout = std::chrono::milliseconds(2000);
    start(config);
    Client slow(address());
    slow.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40\r\n\r\n");
    for (int i = 0; i < 40; ++i) {  // twice the time-out in all
        slow.send("x");
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_EQ(slow.read()->body, std::string(40, 'x'));
}

TEST_F(Limits, GivesUpOnAReaderThatStandsStill) {
    start(impatient());
    Client stuck(address());
    stuck.send(get("/big"));
    ASSERT_TRUE(eventually([&] { return open_connections() == 1; }));
    ASSERT_TRUE(eventually([&] { return open_connections() == 0; })) << "the response must be abandoned";
}

// So many keep their connections, the next is turned away, and the place of one that leaves is free again.
class Crowd : public ServerTest {
  protected:
    void expect_room_for(std::size_t count) {
        std::vector<std::unique_ptr<Client>> clients;
        for (std::size_t i = 0; i < count; ++i) {
            clients.push_back(std::make_unique<Client>(address()));
            clients.back()->send(get("/now"));
            ASSERT_EQ(clients.back()->read()->status, 200);
        }
        Client extra(address());
        extra.try_send(get("/now"));
        const auto reply = extra.read();
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->status, 503);
        EXPECT_NE(reply->body.find("overloaded"), std::string::npos);
        EXPECT_EQ(reply->header("Retry-After"), "1");
        extra.finish_sending();
        EXPECT_TRUE(extra.is_closed());
        clients.pop_back();
        EXPECT_TRUE(eventually([&] { return ask(address(), get("/now")).status == 200; }));
    }
};

TEST_F(Crowd, ConnectionsBeyondTheCapAreTurnedAway) {
    ServerConfig config = small();
    config.max_connections = 3;
    config.idle_timeout = std::chrono::seconds(60);
    start(config);
    expect_room_for(3);
}

TEST_F(Crowd, OneAddressDoesNotTakeAllConnections) {
    ServerConfig config = small();
    config.max_connections = 10;
    config.max_connections_per_address = 2;
    config.idle_timeout = std::chrono::seconds(60);
    start(config);
    expect_room_for(2);
}

TEST_F(Limits, ATrustedProxyHasNoBoundOfItsOwn) {
    ServerConfig config = small();
    config.max_connections_per_address = 1;
    config.trusted_proxies = {"127.0.0.0/8"};
    config.idle_timeout = std::chrono::seconds(60);
    start(config);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<Client>(address()));
        clients.back()->send(get("/now"));
        ASSERT_EQ(clients.back()->read()->status, 200);
    }
}

TEST(AddressConnections, CountsNetworksOfIpv6AndAddressesOfIpv4) {
    AddressConnections counts;
    const auto ip = [](const char* text) { return IpAddress::parse(text).value(); };
    const auto first = counts.take(ip("2001:db8::1"), 1);
    EXPECT_TRUE(first);
    EXPECT_FALSE(counts.take(ip("2001:db8::2"), 1)) << "the same network";
    EXPECT_TRUE(counts.take(ip("2001:db8:0:1::1"), 1));
    const auto second = counts.take(ip("192.0.2.1"), 1);
    EXPECT_TRUE(counts.take(ip("192.0.2.2"), 1));
    EXPECT_FALSE(counts.take(ip("192.0.2.1"), 1));
}

TEST_F(Limits, AnswersOverloadedWhenThePoolIsFull) {
    ServerConfig config = small();
    config.blocking_threads = 2;
    config.blocking_queue = 3;
    config.threads = 1;
    start(config);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 2; ++i) {
        clients.push_back(std::make_unique<Client>(address()));
        clients.back()->send(get("/wait"));
    }
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 2; }));
    for (int i = 0; i < 3; ++i) {
        clients.push_back(std::make_unique<Client>(address()));
        clients.back()->send(get("/wait"));
    }
    // Those three wait in the queue; anything beyond is refused at once, and what needs no thread is served.
    EXPECT_TRUE(eventually([&] { return ask(address(), get("/pool")).status == 503; }));
    const Reply refused = ask(address(), get("/pool"));
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.header("Retry-After"), "1");
    EXPECT_EQ(ask(address(), get("/now")).status, 200);
    door_.open();
    for (auto& client : clients) EXPECT_EQ(client->read()->body, "\"waited\"");
}

TEST_F(Limits, RefusesHeadsAndTargetsBeyondTheirLimits) {
    ServerConfig config = small();
    config.max_target_bytes = 1000;
    start(config);
    EXPECT_EQ(ask(address(), get("/now", "X-A: " + std::string(3500, 'a') + "\r\n")).status, 200);
    EXPECT_EQ(ask(address(), get("/now", "X-A: " + std::string(100'000, 'a') + "\r\n")).status, 431);
    EXPECT_EQ(ask(address(), get("/" + std::string(2'000, 'a'))).status, 414);
    EXPECT_EQ(ask(address(), get("/" + std::string(50'000, 'a'))).status, 414);
    EXPECT_EQ(ask(address(), get("/now")).status, 200);
}

TEST_F(Limits, OutlivesClientsThatVanish) {
    start(small());
    for (int i = 0; i < 100; ++i) {
        Client client(address());
        client.try_send(i % 3 == 0   ? get("/big")
                        : i % 3 == 1 ? "POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\nabc"
                                     : "GET /no");
        client.reset();
    }
    EXPECT_EQ(ask(address(), get("/now")).status, 200);
    EXPECT_TRUE(eventually([&] { return sinks_.opened == sinks_.destroyed; }));
    EXPECT_EQ(sinks_.finished, 0U);
}

TEST_F(Draining, FinishesWhatIsInFlightAndRefusesTheRest) {
    ServerConfig config;
    config.threads = 2;
    start(config);
    Client idle(address());
    idle.send(get("/now"));
    ASSERT_EQ(idle.read()->status, 200);
    Client busy(address());
    busy.send(get("/wait"));
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 1; }));

    const std::string where = address();
    auto stopped = std::async(std::launch::async, [&] { server_->stop(); });
    EXPECT_EQ(idle.read_to_end(), "") << "idle connections are closed at once";
    EXPECT_TRUE(eventually([&] {
        try {
            Client late(where);
            return false;
        } catch (const std::runtime_error&) {
            return true;
        }
    })) << "nobody new is let in";
    EXPECT_EQ(stopped.wait_for(std::chrono::milliseconds(0)), std::future_status::timeout);
    door_.open();
    const auto reply = busy.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->body, "\"waited\"");
    EXPECT_EQ(reply->header("Connection"), "close");
    EXPECT_EQ(stopped.wait_for(patience), std::future_status::ready);
}

// The doors close while one waits at them with a request and one without: the first to go must not take the loop along.
TEST_F(Draining, ServesWhoeverWaitsAtTheDoorWithARequest) {
    ServerConfig config;
    config.threads = 1;
    start(config);
    Client holding(address());
    holding.send(get("/hold-loop"));
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 1; }));
    Client silent(address());
    Client asking(address());
    asking.send(get("/pool"));
    auto stopped = std::async(std::launch::async, [&] { server_->stop(); });
    ASSERT_TRUE(eventually([&] { return server_->is_draining(); }));
    door_.open();
    const auto reply = asking.read();
    ASSERT_TRUE(reply) << "a request that was here before the end is answered";
    EXPECT_EQ(reply->body, "\"pool\"");
    EXPECT_EQ(stopped.wait_for(patience), std::future_status::ready);
}

// Idle connections are closed when the server drains. One that asked in the same moment is not idle, although its
// answer has only begun.
TEST_F(Draining, FinishesAnAnswerThatBeganInTheSameMoment) {
    ServerConfig config;
    config.threads = 1;
    start(config);
    Client first(address());
    Client second(address());
    Client reading(address());
    for (Client* client : {&second, &reading}) {
        client->send(get("/now"));
        ASSERT_EQ(client->read()->status, 200);
    }
    first.send(get("/hold-loop"));
    ASSERT_TRUE(eventually([&] { return door_.waiting() == 1; }));
    second.send(get("/hold-loop-again"));  // these two are noticed in one round
    reading.send(get("/big"));
    door_.open();
    ASSERT_TRUE(eventually([&] { return write_door_.waiting() == 1; }));
    auto stopped = std::async(std::launch::async, [&] { server_->stop(); });
    ASSERT_TRUE(eventually([&] { return server_->is_draining(); }));
    write_door_.open();
    const auto reply = reading.read();
    ASSERT_TRUE(reply) << "cut off";
    EXPECT_TRUE(reply->body == big_);
    EXPECT_EQ(stopped.wait_for(patience), std::future_status::ready);
}

TEST_F(Draining, CutsOffWhatTakesTooLong) {
    ServerConfig config;
    config.drain_timeout = std::chrono::milliseconds(100);
    start(config);
    Client stuck(address());
    stuck.send(get("/big"));  // and never reads
    Client talking(address());
    talking.send("POST /sink HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\nabc");
    ASSERT_TRUE(eventually([&] { return sinks_.bytes == 3; }));
    auto stopped = std::async(std::launch::async, [&] { server_->stop(); });
    EXPECT_EQ(stopped.wait_for(patience), std::future_status::ready);
    EXPECT_EQ(sinks_.destroyed, 1U);
    server_->stop();  // again is harmless
}

}  // namespace
}  // namespace tessera::http::test
