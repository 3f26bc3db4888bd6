#include <gtest/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "server_fixture.hpp"

namespace tessera::http::test {
namespace {

using Answering = ServerTest;

TEST_F(Answering, KeepsAConnectionForManyRequests) {
    start();
    Client client(address());
    for (int i = 0; i < 100; ++i) {
        client.send(get(i % 2 == 0 ? "/now?n=" + std::to_string(i) : "/pool"));
        const auto reply = client.read();
        ASSERT_TRUE(reply);
        EXPECT_EQ(reply->status, 200);
        EXPECT_EQ(reply->body, i % 2 == 0 ? "\"/now?n=" + std::to_string(i) + "\"" : "\"pool\"");
    }
}

TEST_F(Answering, AnswersPipelinedRequestsInOrder) {
    start();
    Client client(address());
    std::string requests;
    for (int i = 0; i < 500; ++i) {
        const std::string id = "X-Request-ID: r" + std::to_string(i) + "\r\n";
        if (i % 3 == 2) {
            requests +=
                "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" + id + "\r\n3\r\nabc\r\n0\r\n\r\n";
        } else {
            requests += get(i % 3 == 0 ? "/now" : "/pool", id);
        }
    }
    std::thread sender([&] { client.try_send(requests); });
    for (int i = 0; i < 500; ++i) {
        const auto reply = client.read();
        ASSERT_TRUE(reply) << i;
        EXPECT_EQ(reply->header("X-Request-ID"), "r" + std::to_string(i));
        EXPECT_EQ(reply->body, i % 3 == 0 ? "\"/now\"" : i % 3 == 1 ? "\"pool\"" : "abc");
    }
    sender.join();
}

TEST_F(Answering, ReadsARequestThatComesByteByByte) {
    start();
    Client client(address());
    const std::string request =
        "\r\n\r\nPOST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6;x=y\r\n "
        "world\r\n0\r\n\r\n";
    for (const char byte : request) client.send({&byte, 1});
    const auto reply = client.read();
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->body, "hello world");
}

TEST_F(Answering, SaysContinueOnlyWhenTheBodyIsWanted) {
    start();
    const std::string expecting = " HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
    Client wanted(address());
    wanted.send("POST /echo" + expecting);
    EXPECT_EQ(wanted.read()->status, 100);
    wanted.send("hello");
    EXPECT_EQ(wanted.read()->body, "hello");

    Client unwanted(address());
    unwanted.send("POST /nothing" + expecting);
    const auto reply = unwanted.read();
    EXPECT_EQ(reply->status, 404);
    EXPECT_EQ(reply->header("Connection"), "close");
}

TEST_F(Answering, AnswersHeadWithoutABody) {
    start();
    Client client(address());
    client.send("HEAD /big HTTP/1.1\r\nHost: a\r\n\r\nHEAD /file HTTP/1.1\r\nHost: a\r\n\r\n" + get("/now"));
    EXPECT_EQ(client.read(true)->header("Content-Length"), std::to_string(big_.size()));
    EXPECT_EQ(client.read(true)->header("Content-Length"), std::to_string(big_.size() - 5));
    EXPECT_EQ(client.read()->body, "\"/now\"");
}

TEST_F(Answering, SendsNoBodyWhereNoneMayBe) {
    start();
    Client client(address());
    client.send(get("/no-content", "Connection: close\r\n"));
    const std::string answer = client.read_to_end();
    EXPECT_TRUE(answer.starts_with("HTTP/1.1 204 ")) << answer;
    EXPECT_TRUE(answer.ends_with("\r\n\r\n")) << answer;
}

TEST_F(Answering, SendsLargeBodiesAndFilesToSlowReaders) {
    start();
    for (const bool file : {false, true}) {
        Client client(address());
        client.send(get(file ? "/file" : "/big") + get("/now"));
        const auto reply = client.read();
        ASSERT_TRUE(reply);
        EXPECT_TRUE(reply->body == (file ? big_.substr(3, big_.size() - 5) : big_)) << "bytes differ";
        EXPECT_EQ(client.read()->body, "\"/now\"");
    }
}

TEST_F(Answering, CutsAResponseWhoseFileIsTooShort) {
    start();
    Client client(address());
    client.send(get("/short-file"));
    EXPECT_FALSE(client.read()) << "a truncated body must not look complete";
}

TEST_F(Answering, TellsErrorsInJsonWithTheRequestsId) {
    start();
    const Reply missing = ask(address(), get("/nothing", "X-Request-ID: abc\r\n"));
    EXPECT_EQ(missing.status, 404);
    EXPECT_TRUE(missing.body.starts_with(R"({"error":"not found","code":"not_found","request_id":"abc","hint":")"));
    const Reply wrong = ask(address(), "DELETE /now HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_EQ(wrong.status, 405);
    EXPECT_EQ(wrong.header("Allow"), "GET, HEAD, OPTIONS");
    const Reply malformed = ask(address(), "GET /now HTTP/1.1\r\n\r\n");
    EXPECT_EQ(malformed.status, 400);
    EXPECT_EQ(malformed.header("Content-Type"), "application/json");
    EXPECT_EQ(malformed.header("X-Request-ID").size(), 36U);
    const Reply tls = ask(address(), std::string("\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03", 11));
    EXPECT_EQ(tls.status, 400);
    EXPECT_NE(tls.body.find("plain HTTP"), std::string::npos);
}

TEST_F(Answering, KeepsInternalsToItself) {
    start();
    for (const char* path : {"/throw", "/throw-now"}) {
        const Reply reply = ask(address(), get(path));
        EXPECT_EQ(reply.status, 500);
        EXPECT_EQ(reply.body.find("hunter2"), std::string::npos);
    }
}

TEST_F(Answering, LetsOtherOriginsReadWhatIsShared) {
    start();
    const Reply preflight = ask(address(), "OPTIONS /shared HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\n\r\n");
    EXPECT_EQ(preflight.status, 204);
    EXPECT_EQ(preflight.header("Access-Control-Allow-Origin"), "*");
    EXPECT_NE(preflight.header("Access-Control-Allow-Methods").find("GET"), std::string::npos);
    EXPECT_EQ(ask(address(), get("/shared")).header("Access-Control-Allow-Origin"), "*");
    EXPECT_EQ(ask(address(), get("/now")).header("Access-Control-Allow-Origin"), "");
}

TEST_F(Answering, BelievesTrustedProxiesAboutTheClient) {
    ServerConfig config;
    config.trusted_proxies = {"127.0.0.0/8"};
    start(config);
    EXPECT_EQ(ask(address(), get("/client", "X-Forwarded-For: 6.6.6.6, 203.0.113.9\r\n")).body, "203.0.113.9");
    EXPECT_EQ(ask(address(), get("/client", "X-Forwarded-For: 6.6.6.6\r\nX-Forwarded-For: 203.0.113.9\r\n")).body,
              "203.0.113.9")
        << "a proxy may add a line of its own";
    EXPECT_EQ(ask(address(), get("/client")).body, "127.0.0.1");
}

TEST_F(Answering, BelievesNobodyElseAboutTheClient) {
    start();
    EXPECT_EQ(ask(address(), get("/client", "X-Forwarded-For: 203.0.113.9\r\n")).body, "127.0.0.1");
}

// Knows nothing at once and refuses who has no key; on the pool, whatever happens there.
class PoolGate final : public Gate {
  public:
    std::optional<Verdict> try_admit(const Route&, Request& request) override {
        if (!request.header("X-Ask")) return Verdict{{}, "X-Gate: loop\r\n"};
        return std::nullopt;
    }
    Verdict admit(const Route&, Request& request) override {
        const auto wish = request.header("X-Ask").value_or("");
        if (wish == "throw") throw std::runtime_error("the store is on fire");
        if (wish == "no")
            return {std::make_shared<Error>(Error{ErrorCode::rate_limited, "no", {}, 7}), "X-Gate: pool\r\n"};
        return {{}, "X-Gate: pool\r\n"};
    }
};

TEST_F(Answering, AsksTheGateFirst) {
    start({}, std::make_shared<PoolGate>());
    Client client(address());
    const auto reply_to = [&](std::string_view path, std::string_view headers) {
        client.send(get(path, headers));
        return *client.read();
    };
    for (const char* path : {"/now", "/pool"}) {
        EXPECT_EQ(reply_to(path, "").header("X-Gate"), "loop");
        EXPECT_EQ(reply_to(path, "X-Ask: yes\r\n").header("X-Gate"), "pool");
        const Reply refused = reply_to(path, "X-Ask: no\r\n");
        EXPECT_EQ(refused.status, 429);
        EXPECT_EQ(refused.header("Retry-After"), "7");
        EXPECT_EQ(refused.header("X-Gate"), "pool");
        EXPECT_EQ(reply_to(path, "X-Ask: throw\r\n").status, 500);
    }
}

TEST_F(Answering, IgnoresABodyThatTheRouteDoesNotTake) {
    start();
    Client client(address());
    client.send("GET /now HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello" + get("/pool"));
    EXPECT_EQ(client.read()->body, "\"/now\"");
    EXPECT_EQ(client.read()->body, "\"pool\"");
}

TEST_F(Answering, RefusesABodyThatIsTooLarge) {
    start();
    const Reply by_length = ask(address(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\n");
    EXPECT_EQ(by_length.status, 413);
    Client client(address());
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
    const std::string chunk = "10000\r\n" + std::string(0x10000, 'x') + "\r\n";
    for (int i = 0; i < 64; ++i) client.try_send(chunk);  // all of it, before looking at the answer
    const auto reply = client.read();
    ASSERT_TRUE(reply) << "the answer must survive the rest of the body";
    EXPECT_EQ(reply->status, 413);
    EXPECT_EQ(reply->header("Connection"), "close");
}

TEST_F(Answering, ListensOnSeveralAddressesOfBothFamilies) {
    ServerConfig config;
    config.listen = {"127.0.0.1:0", "[::1]:0", "[::]:0"};
    config.admin_listen = {"127.0.0.1:0"};
    start(config);
    const auto addresses = server_->addresses();
    ASSERT_EQ(addresses.size(), 3U);
    EXPECT_EQ(ask(addresses[0], get("/now")).status, 200);
    EXPECT_EQ(ask(addresses[1], get("/now")).status, 200);
    const std::string port = addresses[2].substr(addresses[2].rfind(':'));
    EXPECT_EQ(ask("127.0.0.1" + port, get("/now")).status, 200);
    EXPECT_EQ(ask("[::1]" + port, get("/now")).status, 200);
    EXPECT_EQ(ask(server_->admin_addresses().front(), get("/admin")).status, 200);
    EXPECT_EQ(ask(server_->admin_addresses().front(), get("/now")).status, 404);
    EXPECT_EQ(ask(addresses[0], get("/admin")).status, 404);
}

TEST_F(Answering, RefusesAnAddressThatAnotherServerHas) {
    start();
    ServerConfig config;
    config.listen = {address()};
    Server second(config, {}, {}, nullptr);
    const Result<void> started = second.start();
    ASSERT_FALSE(started.ok());
    EXPECT_NE(started.error().message.find(address()), std::string::npos) << started.error().message;
    EXPECT_EQ(ask(address(), get("/now")).status, 200);
}

TEST_F(Answering, ServesAThousandConnectionsAtOnce) {
    start();
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 1000; ++i) clients.push_back(std::make_unique<Client>(address()));
    for (int round = 0; round < 3; ++round) {
        for (auto& client : clients) client->send(get(round == 1 ? "/pool" : "/now"));
        for (auto& client : clients) ASSERT_EQ(client->read()->status, 200);
    }
}

}  // namespace
}  // namespace tessera::http::test
