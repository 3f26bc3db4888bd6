#include <gtest/gtest.h>

#include <set>

#include "http/message/problems.hpp"
#include "http/message/request.hpp"
#include "http/message/request_id.hpp"
#include "http/message/response_head.hpp"
#include "http/message/status.hpp"

namespace tessera::http {
namespace {

std::string head_of(const Response& response, HeadOptions options = {}) {
    options.request_id = "id";
    options.date = "now";
    std::string head;
    append_head(head, response, options);
    return head;
}

TEST(ResponseHead, SaysWhatEveryResponseSays) {
    const std::string head = head_of(Response::json("{}"));
    EXPECT_TRUE(head.starts_with("HTTP/1.1 200 OK\r\nDate: now\r\n"));
    for (const char* line : {"Content-Type: application/json\r\n", "Content-Length: 2\r\n", "X-Request-ID: id\r\n",
                             "X-Content-Type-Options: nosniff\r\n", "Content-Security-Policy: default-src 'none'"}) {
        EXPECT_NE(head.find(line), std::string::npos) << line;
    }
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
    EXPECT_EQ(head.find("Connection"), std::string::npos);
}

TEST(ResponseHead, NoValueSplitsAResponse) {
    for (const char* value : {"text/html\r\nSet-Cookie: a=b", "a\nb", "a\x7f"}) {
        const std::string head = head_of(Response::bytes(value, std::string("x")).add("X-Note", value));
        EXPECT_EQ(head.find("\r\nContent-Type:"), std::string::npos) << value;
        EXPECT_EQ(head.find("X-Note"), std::string::npos) << value;
        EXPECT_EQ(head.find("Set-Cookie"), std::string::npos) << value;
    }
}

TEST(ResponseHead, ClaimsNoLengthForWhatHasNoBody) {
    EXPECT_EQ(head_of(Response::empty(204)).find("Content-Length"), std::string::npos);
    EXPECT_EQ(head_of(Response::empty(304)).find("Content-Length"), std::string::npos);
    EXPECT_NE(head_of(Response::empty(200)).find("Content-Length: 0\r\n"), std::string::npos);
}

TEST(ResponseHead, SaysWhatBecomesOfTheConnection) {
    EXPECT_NE(head_of({}, {.keep_alive = false}).find("Connection: close\r\n"), std::string::npos);
    EXPECT_NE(head_of({}, {.http_1_0 = true}).find("Connection: keep-alive\r\n"), std::string::npos);
}

TEST(ResponseHead, LetsAPageHaveItsOwnPolicy) {
    Response page = Response::bytes("text/html", std::string("x"));
    page.has_own_policy = true;
    page.add("Content-Security-Policy", "default-src 'self'");
    const std::string head = head_of(page);
    EXPECT_EQ(head.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(head.find("default-src 'self'"), std::string::npos);
}

TEST(ResponseHead, TellsNoPolicyOfPixels) {
    const auto has_policy = [](const char* type) {
        const std::string head = head_of(Response::bytes(type, std::string("x")));
        EXPECT_NE(head.find("X-Content-Type-Options: nosniff\r\n"), std::string::npos) << type;
        return head.find("Content-Security-Policy") != std::string::npos;
    };
    for (const char* pixels : {"image/jpeg", "image/png", "image/webp", "image/avif"}) {
        EXPECT_FALSE(has_policy(pixels)) << pixels;
    }
    for (const char* document : {"image/svg+xml", "text/html", "application/pdf", "application/octet-stream", ""}) {
        EXPECT_TRUE(has_policy(document)) << document;
    }
}

TEST(Response, DoesNotLetAValueSplitIt) {
    Response response;
    response.add("X-A", "1\r\nX-B: 2").add("X-C", std::string_view("\0", 1)).add("X-D", "fine");
    EXPECT_EQ(response.headers, "X-D: fine\r\n");
}

TEST(DateCache, FormatsAsHttpWants) {
    DateCache dates;
    EXPECT_EQ(dates.at(784111777), "Sun, 06 Nov 1994 08:49:37 GMT");
    EXPECT_EQ(dates.at(0), "Thu, 01 Jan 1970 00:00:00 GMT");
    EXPECT_EQ(dates.at(1798761599), "Thu, 31 Dec 2026 23:59:59 GMT");
}

TEST(Status, EveryCodeHasAStatusWithAName) {
    for (const auto& [code, status] : problems()) {
        EXPECT_EQ(status_of(code), status);
        EXPECT_GE(status, 400);
        EXPECT_NE(reason_phrase(status), "Status") << status;
    }
    EXPECT_EQ(status_of(ErrorCode::upload_too_large), 400);
    EXPECT_EQ(status_of(ProtocolError::body_too_large), 413);
    EXPECT_EQ(status_of(ErrorCode::worker_capacity_exceeded), 429);
    EXPECT_EQ(status_of(ErrorCode::artifact_unavailable), 500);
    EXPECT_EQ(status_of(ErrorCode::scanning_unavailable), 503);
}

TEST(Status, ErrorsAreJsonWithoutTheDetail) {
    const Error error{ErrorCode::internal_error, "say \"no\"\n", "secret"};
    const std::string remedy(describe(ErrorCode::internal_error).remedy);
    EXPECT_EQ(error_json(error, "id"),
              R"({"error":"say \"no\"\u000a","code":"internal_error","request_id":"id","hint":")" + remedy + "\"}");
}

TEST(Status, ErrorsTellTheRuleAndTheNumbersOfALimit) {
    const Error error = Error{ErrorCode::credits_exhausted, "no", {}}.with_hint("wait").with_limit(
        {.name = "credits",
         .unit = "credits",
         .allowed = 10,
         .asked = 5,
         .left = 3,
         .resets_at = *from_iso8601("2026-01-31T09:05:07.123Z")});
    EXPECT_EQ(error_json(error, "id"),
              R"({"error":"no","code":"credits_exhausted","request_id":"id","hint":"wait","limit":{"name":"credits",)"
              R"("unit":"credits","allowed":10,"asked":5,"left":3,"resets_at":"2026-01-31T09:05:07.123Z"}})");
}

TEST(RequestId, KeepsOnlyWhatIsHarmless) {
    RequestId id;
    id.choose("my-id_1.2:3");
    EXPECT_EQ(id.view(), "my-id_1.2:3");
    std::set<std::string> made;
    for (const std::string& bad : {std::string(), std::string("a b"), std::string("<script>"), std::string(129, 'a'),
                                   std::string("a\r\nb"), std::string("\xc3\xa9")}) {
        id.choose(bad);
        EXPECT_EQ(id.view().size(), 36U);
        made.emplace(id.view());
    }
    EXPECT_EQ(made.size(), 6U);
    EXPECT_TRUE(RequestId::is_valid(std::string(128, 'a')));
}

TEST(Request, FindsHeadersAndQueryParameters) {
    Request request;
    const HeaderView headers[] = {{"X-Api-Key", "1"}, {"x-api-key", "2"}};
    request.headers = headers;
    request.query = "expires=12&sig=a%2Bb&empty=&flag&bad=%zz&name=a+b&expires=13";
    EXPECT_EQ(request.header("X-API-KEY"), "1");
    EXPECT_EQ(request.header("X-Other"), std::nullopt);
    EXPECT_EQ(request.query_parameter("expires"), "12");
    EXPECT_EQ(request.query_parameter("sig"), "a+b");
    EXPECT_EQ(request.query_parameter("empty"), "");
    EXPECT_EQ(request.query_parameter("flag"), "");
    EXPECT_EQ(request.query_parameter("bad"), std::nullopt);
    EXPECT_EQ(request.query_parameter("name"), "a b");
    EXPECT_EQ(request.query_parameter("xpires"), std::nullopt);
}

}  // namespace
}  // namespace tessera::http
