// The routes of tiles against a stub of the use case, through a server and a socket: no store, no archive.
#include "http/api/tile_routes.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <mutex>

#include "core/file.hpp"
#include "http/server/server.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/delivery/tiles.hpp"
#include "test_client.hpp"

namespace tessera::http::test {
namespace {

using service::AnswerState;
using service::Tile;
using service::TileAnswer;
using service::TileQuestion;

const Uuid account = *Uuid::parse("0190b0a0-0000-7000-8000-000000000002");

// Says what it is told to, and notes what it was asked.
class StubTiles final : public service::Tiles {
  public:
    TileAnswer find(const TileQuestion& question) override { return answer("find", question, finds); }
    TileAnswer load(const TileQuestion& question) override { return answer("load", question, loads); }
    void wait_for_turn(const TileQuestion& question, GoOn go_on) override {
        note("wait", question);
        go_on(refusal);
    }

    // Set before a request is sent.
    AnswerState finds = AnswerState::hit;
    AnswerState loads = AnswerState::hit;
    Error error{ErrorCode::tile_not_found, "tile not found", {}};
    std::optional<Error> refusal;
    std::string bytes = "a tile";
    std::shared_ptr<const UniqueFd> file;
    std::atomic<std::uint64_t> delivered{0};

    [[nodiscard]] std::vector<std::string> take_questions() {
        const std::lock_guard lock(mutex_);
        return std::exchange(questions_, {});
    }

  private:
    TileAnswer answer(const std::string& how, const TileQuestion& question, AnswerState state) {
        note(how, question);
        switch (state) {
            case AnswerState::hit: return tile();
            case AnswerState::must_wait: return TileAnswer::must_wait();
            case AnswerState::absent: return TileAnswer::absent(error);
            case AnswerState::damaged: return TileAnswer::damaged(error);
        }
        return TileAnswer::must_wait();
    }
    [[nodiscard]] Tile tile() {
        return {.owner = file,
                .bytes = bytes,
                .format = ImageFormat::webp,
                .archive = 0xabc,
                .offset = 0x12,
                .file = file ? file->get() : -1,
                .seconds_left = 77,
                .delivered = &delivered};
    }
    void note(const std::string& how, const TileQuestion& question) {
        const auto& [id, zoom, column, row] = question.address;
        const auto& [version, expires, signature] = question.signature;
        std::string text = how;
        for (const auto& part : {id, zoom, column, row}) text += " " + std::string(part);
        if (question.account) {
            text += " for " + question.account->to_string();
        } else {
            text += " v" + std::string(version) + " " + std::string(expires.value_or("-")) + " " +
                    std::string(signature.value_or("-"));
        }
        const std::lock_guard lock(mutex_);
        questions_.push_back(std::move(text));
    }
    std::mutex mutex_;
    std::vector<std::string> questions_;
};

// Whoever comes to a route with keys has the account's.
class OpenGate final : public Gate {
  public:
    std::optional<Verdict> try_admit(const Route& route, Request& request) override { return admit(route, request); }
    Verdict admit(const Route& route, Request& request) override {
        if (route.auth == Auth::api_key) {
            auto principal = std::make_shared<service::Principal>();
            principal->account.id = account;
            request.principal = std::move(principal);
        }
        return {};
    }
};

const std::string keyed = "/v1/tilesets/T/xyz/3/5/2.webp";
const std::string signed_path = "/cdn/tilesets/T/v/7/xyz/3/5/2.webp";
const std::string with_signature = signed_path + "?expires=123&sig=abc";

class TileRoutes : public testing::Test {
  protected:
    void SetUp() override {
        ServerConfig config;
        config.listen = {"127.0.0.1:0"};
        config.access_log = false;
        server =
            std::make_unique<Server>(config, tile_routes(tiles), std::vector<Route>(), std::make_shared<OpenGate>());
        ASSERT_TRUE(server->start());
    }
    void TearDown() override { server->stop(); }

    Reply fetch(const std::string& path, std::string_view headers = "") {
        return ask(server->addresses().front(), get(path, headers));
    }
    Reply head(const std::string& path) {
        return ask(server->addresses().front(), "HEAD " + path + " HTTP/1.1\r\nHost: a\r\n\r\n", true);
    }

    StubTiles tiles;
    std::unique_ptr<Server> server;
};

TEST_F(TileRoutes, AreTheInterfacesOnes) {
    const auto routes = tile_routes(tiles);
    ASSERT_EQ(routes.size(), 2U);
    EXPECT_EQ(routes[0].pattern, "/v1/tilesets/{id}/xyz/{z}/{x}/{y}");
    EXPECT_EQ(routes[0].auth, Auth::api_key);
    EXPECT_EQ(routes[0].permission, Permission::tiles_read);
    EXPECT_EQ(routes[0].limit->rate_class, service::RateClass::tiles);
    EXPECT_EQ(routes[0].limit->scope, LimitScope::account);
    EXPECT_EQ(routes[1].pattern, "/cdn/tilesets/{id}/v/{version}/xyz/{z}/{x}/{y}");
    EXPECT_EQ(routes[1].auth, Auth::signed_url);
    EXPECT_EQ(routes[1].limit->rate_class, service::RateClass::cdn_tiles);
    EXPECT_EQ(routes[1].limit->scope, LimitScope::ip);
}

TEST_F(TileRoutes, WithAKeyATileIsPrivateAndNotCounted) {
    const Reply reply = fetch(keyed);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "a tile");
    EXPECT_EQ(reply.header("Content-Type"), "image/webp");
    EXPECT_EQ(reply.header("Cache-Control"), "private, no-cache");
    EXPECT_EQ(reply.header("ETag"), "\"abc-12\"");
    EXPECT_EQ(tiles.delivered, 0U);
    EXPECT_EQ(tiles.take_questions(), std::vector<std::string>{"find T 3 5 2.webp for " + account.to_string()});
}

TEST_F(TileRoutes, WithASignatureItIsPublicUntilThatEndsAndCounted) {
    const Reply reply = fetch(with_signature);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "a tile");
    EXPECT_EQ(reply.header("Cache-Control"), "public, max-age=77, immutable");
    EXPECT_EQ(reply.header("ETag"), "\"abc-12\"");
    EXPECT_EQ(tiles.delivered, 6U);
    EXPECT_EQ(tiles.take_questions(), std::vector<std::string>{"find T 3 5 2.webp v7 123 abc"});
}

TEST_F(TileRoutes, TheSignatureIsReadFromWhateverQueryThereIs) {
    const auto asked = [&](const std::string& query) {
        EXPECT_EQ(fetch(signed_path + query).status, 200);
        return tiles.take_questions().at(0).substr(std::string_view("find T 3 5 2.webp v7 ").size());
    };
    EXPECT_EQ(asked(""), "- -");
    EXPECT_EQ(asked("?expires=1"), "1 -");
    EXPECT_EQ(asked("?sig=s&expires=1"), "1 s");
    EXPECT_EQ(asked("?a=b&expires=1&sig=s&c"), "1 s");
    EXPECT_EQ(asked("?expires=1&sig=s&sig=t"), "1 -") << "which of the two?";
    EXPECT_EQ(asked("?expires=1&sig=%73"), "1 -") << "a signature has one spelling";
    EXPECT_EQ(asked("?expires=&sig="), " ");
}

TEST_F(TileRoutes, AClientThatHasTheTileIsToldSo) {
    for (const auto& path : {keyed, with_signature}) {
        const Reply reply = fetch(path, "If-None-Match: \"x\", W/\"abc-12\"\r\n");
        EXPECT_EQ(reply.status, 304) << path;
        EXPECT_EQ(reply.body, "");
        EXPECT_EQ(reply.header("ETag"), "\"abc-12\"");
        EXPECT_NE(reply.header("Cache-Control"), "");
        EXPECT_EQ(reply.header("Content-Type"), "");
        EXPECT_EQ(fetch(path, "If-None-Match: \"abc-13\"\r\n").status, 200);
    }
    EXPECT_EQ(tiles.delivered, 6U) << "of the one that was sent to the public";
}

TEST_F(TileRoutes, HeadSaysTheSameWithoutTheBytesAndIsNotCounted) {
    for (const auto& path : {keyed, with_signature}) {
        const Reply reply = head(path);
        EXPECT_EQ(reply.status, 200) << path;
        EXPECT_EQ(reply.header("Content-Length"), "6");
        EXPECT_EQ(reply.header("Content-Type"), "image/webp");
        EXPECT_EQ(reply.header("ETag"), "\"abc-12\"");
    }
    EXPECT_EQ(tiles.delivered, 0U);
}

TEST_F(TileRoutes, WhatIsAbsentOrDamagedIsAnError) {
    tiles.finds = AnswerState::absent;
    const std::vector<std::pair<ErrorCode, int>> statuses = {{ErrorCode::tile_not_found, 404},
                                                             {ErrorCode::tileset_not_found, 404},
                                                             {ErrorCode::invalid_request, 400},
                                                             {ErrorCode::invalid_id, 400},
                                                             {ErrorCode::invalid_signature, 403}};
    for (const auto& [code, status] : statuses) {
        tiles.error = {code, "some words", "some detail"};
        for (const auto& path : {keyed, with_signature}) {
            const Reply reply = fetch(path);
            EXPECT_EQ(reply.status, status);
            EXPECT_NE(reply.body.find("some words"), std::string::npos);
            EXPECT_EQ(reply.body.find("some detail"), std::string::npos);
            EXPECT_EQ(reply.header("ETag"), "");
        }
    }
    tiles.finds = AnswerState::damaged;
    tiles.error = {ErrorCode::internal_error, "tileset is unavailable", "a checksum"};
    EXPECT_EQ(fetch(keyed).status, 500);
    tiles.error = {ErrorCode::storage_unavailable, "tileset is unavailable", "S3", 1};
    EXPECT_EQ(fetch(with_signature).status, 503);
    EXPECT_EQ(tiles.delivered, 0U);
}

TEST_F(TileRoutes, WhatMustBeWaitedForIsLoadedWhenItsTurnHasCome) {
    tiles.finds = AnswerState::must_wait;
    for (const auto& [path, who] : std::vector<std::pair<std::string, std::string>>{
             {keyed, " T 3 5 2.webp for " + account.to_string()}, {with_signature, " T 3 5 2.webp v7 123 abc"}}) {
        const Reply reply = fetch(path);
        EXPECT_EQ(reply.status, 200);
        EXPECT_EQ(reply.body, "a tile");
        EXPECT_EQ(reply.header("ETag"), "\"abc-12\"");
        EXPECT_EQ(tiles.take_questions(), (std::vector<std::string>{"find" + who, "wait" + who, "load" + who}));
    }
    EXPECT_EQ(tiles.delivered, 6U);
    tiles.loads = AnswerState::damaged;
    EXPECT_EQ(fetch(keyed).status, 404);
}

TEST_F(TileRoutes, WhoeverIsRefusedATurnLoadsNothing) {
    tiles.finds = AnswerState::must_wait;
    tiles.refusal = Error{ErrorCode::tileset_not_found, "tileset not found", {}};
    const Reply reply = fetch(with_signature);
    EXPECT_EQ(reply.status, 404);
    EXPECT_EQ(tiles.take_questions().size(), 2U) << "find and wait";
}

TEST_F(TileRoutes, PagesOfAnyOriginMayShowTiles) {
    for (const auto& path : {keyed, with_signature}) {
        EXPECT_EQ(fetch(path, "Origin: https://a.example\r\n").header("Access-Control-Allow-Origin"), "*");
        const Reply preflight =
            ask(server->addresses().front(), "OPTIONS " + path +
                                                 " HTTP/1.1\r\nHost: a\r\nOrigin: https://a.example\r\n"
                                                 "Access-Control-Request-Method: GET\r\n\r\n");
        EXPECT_EQ(preflight.status, 204);
        EXPECT_EQ(preflight.header("Access-Control-Allow-Origin"), "*");
    }
    tiles.finds = AnswerState::absent;
    EXPECT_EQ(fetch(keyed).header("Access-Control-Allow-Origin"), "*") << "a page may read why";
}

TEST_F(TileRoutes, LargeTilesOfAFileAreSentFromIt) {
    tiles.bytes = std::string(5000, 'x');
    std::string path = testing::TempDir() + "tile_routes_XXXXXX";
    const int fd = ::mkstemp(path.data());
    ASSERT_GE(fd, 0);
    tiles.file = std::make_shared<const UniqueFd>(fd);
    ::unlink(path.c_str());
    const std::string content = std::string(0x12, '-') + tiles.bytes;
    ASSERT_EQ(::write(fd, content.data(), content.size()), static_cast<ssize_t>(content.size()));

    Request request;
    request.method = Method::get;
    const auto routes = tile_routes(tiles);
    const auto large = routes[1].handler.on_loop(request);
    ASSERT_TRUE(large && std::holds_alternative<ResidentSlice>(large->body));
    EXPECT_EQ(fetch(with_signature).body, tiles.bytes);
    EXPECT_EQ(tiles.delivered, 10'000U);
    tiles.bytes.resize(4000);
    const auto small = routes[1].handler.on_loop(request);
    EXPECT_TRUE(small && std::holds_alternative<SharedBytes>(small->body));
}

}  // namespace
}  // namespace tessera::http::test
