// Requests that wait before they are answered, and answers that go on.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "server_fixture.hpp"

namespace tessera::http::test {
namespace {

// What a test puts in for a client to read, and lets requests wait for.
class HandFed final : public BodySource {
  public:
    bool take(std::string& out) override {
        const std::lock_guard lock(mutex_);
        if (!pieces_.empty()) {
            out += pieces_.front();
            pieces_.pop_front();
        }
        return !ended_ || !pieces_.empty();
    }
    void wait(std::function<void()> over) override {
        std::unique_lock lock(mutex_);
        over_ = std::move(over);
        ++waits_;
        if (ended_ || !pieces_.empty()) tell(lock);
    }
    void give_up() override {
        gave_up_ = true;
        end();
    }
    void put(std::string piece) {
        std::unique_lock lock(mutex_);
        pieces_.push_back(std::move(piece));
        tell(lock);
    }
    void end() {
        std::unique_lock lock(mutex_);
        ended_ = true;
        tell(lock);
    }
    [[nodiscard]] bool waits() {
        const std::lock_guard lock(mutex_);
        return static_cast<bool>(over_);
    }
    [[nodiscard]] bool gave_up() const { return gave_up_; }
    [[nodiscard]] std::size_t left() {
        const std::lock_guard lock(mutex_);
        return pieces_.size();
    }

  private:
    void tell(std::unique_lock<std::mutex>& lock) {
        const auto over = std::exchange(over_, nullptr);
        lock.unlock();
        if (over) over();
    }

    std::mutex mutex_;
    std::deque<std::string> pieces_;
    std::function<void()> over_;
    int waits_ = 0;
    bool ended_ = false;
    std::atomic<bool> gave_up_{false};
};

class Passed final : public Waited {
  public:
    explicit Passed(std::shared_ptr<HandFed> gate) : gate_(std::move(gate)) {}
    void wait(std::function<void()> over) override { gate_->wait(std::move(over)); }
    void give_up() override { gate_->give_up(); }

  private:
    std::shared_ptr<HandFed> gate_;
};

class Later : public testing::Test {
  protected:
    void start(ServerConfig config = {}) {
        config.listen = {"127.0.0.1:0"};
        config.access_log = false;
        config.threads = 1;
        std::vector<Route> routes(4);
        routes[0].pattern = "/later";
        routes[0].handler = on_pool_or_later([this](const Request& request) -> ResponseOrWait {
            const std::string target(request.target);
            return WaitThenRespond{std::make_unique<Passed>(source_),
                                   [&request, target] { return Response::json(target + std::string(request.path)); }};
        });
        routes[1].pattern = "/at-once";
        routes[1].handler = on_pool_or_later([](const Request&) { return Response::json("1"); });
        routes[2].pattern = "/stream";
        routes[2].handler = on_pool([this](const Request&) { return Response::streamed("text/plain", source_); });
        routes[3].method = Method::post;
        routes[3].pattern = "/later";
        routes[3].handler = on_pool_or_later(
            [this](const Request& request) -> ResponseOrWait {
                return WaitThenRespond{std::make_unique<Passed>(source_),
                                       [&request] { return Response::json(std::string(request.body)); }};
            },
            1 << 20);
        server_ = std::make_unique<Server>(config, std::move(routes), std::vector<Route>{}, nullptr);
        ASSERT_TRUE(server_->start().ok());
    }
    void TearDown() override {
        source_->end();
        if (server_) server_->stop();
    }
    [[nodiscard]] std::string address() const { return server_->addresses().front(); }
    // All that comes until it ends with `end`.
    static std::string read_until(Client& client, std::string_view end) {
        std::string all;
        char byte = 0;
        while (!all.ends_with(end) && ::recv(client.descriptor(), &byte, 1, 0) == 1) all += byte;
        return all;
    }

    std::shared_ptr<HandFed> source_ = std::make_shared<HandFed>();
    std::unique_ptr<Server> server_;
};

TEST_F(Later, ARequestIsAnsweredWhenItsWaitIsOver) {
    start();
    Client client(address());
    client.send(get("/later") + get("/at-once"));
    ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    EXPECT_FALSE(client.has_something());
    EXPECT_EQ(ask(address(), get("/at-once")).body, "1") << "nobody else waits for it";
    source_->end();
    EXPECT_EQ(client.read()->body, "/later/later") << "the request is still what it was";
    EXPECT_EQ(client.read()->body, "1") << "the one behind it is answered after it";
}

TEST_F(Later, TheBodyIsThereWhenTheWaitIsOver) {
    start();
    const std::string body(100'000, 'b');
    Client client(address());
    client.send("POST /later HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + body);
    ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    source_->end();
    EXPECT_EQ(client.read()->body, body);
}

TEST_F(Later, AClientThatGoesAwayIsNotWaitedFor) {
    start();
    {
        Client client(address());
        client.send(get("/later"));
        ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    }
    EXPECT_TRUE(eventually([&] { return source_->gave_up(); }));
}

TEST_F(Later, ADrainingServerWaitsForNothing) {
    start();
    Client client(address());
    client.send(get("/later"));
    ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    server_->stop();
    const auto reply = client.read();
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->header("Connection"), "close");
}

TEST_F(Later, TimeOutsOfConnectionsAreNotThoseOfWaits) {
    ServerConfig hasty;
    hasty.idle_timeout = hasty.head_timeout = hasty.body_timeout = hasty.write_timeout = std::chrono::milliseconds(100);
    start(hasty);
    Client client(address());
    client.send(get("/later"));
    ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    // Other connections have come and been closed for idling meanwhile.
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(Client(address()).is_closed());
    source_->end();
    EXPECT_EQ(client.read()->status, 200);
}

TEST_F(Later, AStreamIsSentInChunksAsItComesAndTheConnectionGoesOn) {
    start();
    Client client(address());
    client.send(get("/stream") + get("/at-once"));
    const std::string head = read_until(client, "\r\n\r\n");
    EXPECT_NE(head.find("Transfer-Encoding: chunked\r\n"), std::string::npos);
    EXPECT_EQ(head.find("Content-Length"), std::string::npos);
    source_->put("one");
    EXPECT_EQ(read_until(client, "one\r\n"), "3\r\none\r\n");
    source_->put("and another one");
    EXPECT_EQ(read_until(client, "one\r\n"), "f\r\nand another one\r\n");
    source_->end();
    EXPECT_EQ(read_until(client, "0\r\n\r\n"), "0\r\n\r\n");
    EXPECT_EQ(client.read()->body, "1");
}

TEST_F(Later, AStreamOfHttp10EndsWithTheConnection) {
    start();
    source_->put("all of it");
    source_->end();
    Client client(address());
    client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const std::string all = client.read_to_end();
    EXPECT_NE(all.find("Connection: close\r\n"), std::string::npos);
    EXPECT_EQ(all.find("Transfer-Encoding"), std::string::npos);
    EXPECT_TRUE(all.ends_with("\r\n\r\nall of it"));
}

TEST_F(Later, AHeadOfAStreamHasNoLengthAndNoBody) {
    start();
    Client client(address());
    client.send("HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n" + get("/at-once"));
    const auto reply = client.read(true);
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->header("Content-Length"), "");
    EXPECT_EQ(client.read()->body, "1");
}

TEST_F(Later, ASlowReaderIsWaitedForAndTheSourceKeepsTheRest) {
    start();
    constexpr std::size_t pieces = 60;
    const std::string piece(1 << 20, 'p');
    for (std::size_t i = 0; i < pieces; ++i) source_->put(piece);
    source_->end();
    Client client(address());
    client.send(get("/stream", "Connection: close\r\n"));
    ASSERT_TRUE(eventually([&] { return source_->left() < pieces; }));
    EXPECT_GT(source_->left(), pieces / 2) << "only what fits into the sockets was taken";
    const std::string all = client.read_to_end();
    EXPECT_TRUE(all.ends_with("\r\n0\r\n\r\n"));
    const std::string body = all.substr(all.find("\r\n\r\n"));
    EXPECT_EQ(std::count(body.begin(), body.end(), 'p'), static_cast<std::ptrdiff_t>(pieces * piece.size()));
}

TEST_F(Later, AReaderThatStandsStillIsCutOff) {
    ServerConfig hasty;
    hasty.write_timeout = std::chrono::milliseconds(200);
    start(hasty);
    Client client(address());
    client.send(get("/stream"));
    for (int i = 0; i < 64; ++i) source_->put(std::string(1 << 20, 'p'));
    ASSERT_TRUE(eventually([&] { return source_->left() < 64; }));
    EXPECT_TRUE(eventually([&] { return source_.use_count() == 1; })) << "the answer let the source go";
}

TEST_F(Later, AReaderThatGoesAwayEndsItsStream) {
    start();
    {
        Client client(address());
        client.send(get("/stream"));
        ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    }
    EXPECT_TRUE(eventually([&] { return source_->gave_up(); }));
}

TEST_F(Later, ADrainingServerEndsStreamsAsWholeAnswers) {
    start();
    Client client(address());
    client.send(get("/stream"));
    ASSERT_TRUE(eventually([&] { return source_->waits(); }));
    source_->put("last");
    server_->stop();
    EXPECT_TRUE(client.read_to_end().ends_with("4\r\nlast\r\n0\r\n\r\n"));
}

}  // namespace
}  // namespace tessera::http::test
