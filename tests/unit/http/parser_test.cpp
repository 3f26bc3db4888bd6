#include "http/message/parser.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "http/message/problems.hpp"

namespace tessera::http {
namespace {

using Progress = RequestParser::Progress;
constexpr ParserLimits limits{.max_head_bytes = 4096, .max_target_bytes = 1024, .max_headers = 20};

struct Parsed {
    Progress progress = Progress::need_more;
    std::string method, target, body, error;
    ErrorCode code = ErrorCode::internal_error;
    std::vector<std::pair<std::string, std::string>> headers;
    bool keep_alive = false;
    std::size_t consumed = 0;
};

// Feeds `text` in pieces of `piece` bytes, in a buffer that moves every time, as a growing one does.
Parsed parse(const std::string& text, std::size_t piece = std::string::npos) {
    RequestParser parser(limits);
    Parsed result;
    std::size_t given = 0;
    std::string buffer;
    while (result.progress == Progress::need_more && given < text.size()) {
        given = piece >= text.size() - given ? text.size() : given + piece;
        std::string moved = text.substr(0, given);
        moved.reserve(given + 64 + buffer.capacity() % 7);
        buffer = std::move(moved);
        result.progress = parser.parse_head(buffer);
    }
    if (result.progress == Progress::failed) {
        result.error = parser.failure().message;
        result.code = parser.failure().code;
        return result;
    }
    if (result.progress == Progress::need_more) return result;
    result.method = parser.method();
    result.target = parser.target();
    for (const HeaderView& header : parser.headers()) result.headers.emplace_back(header.name, header.value);
    result.keep_alive = parser.keep_alive();

    std::size_t at = parser.head_size();
    std::vector<std::uint8_t> raw;
    while (!parser.body_done()) {
        const std::size_t count = std::min(piece, text.size() - at);
        raw.insert(raw.end(), text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(at + count));
        at += count;
        const auto step = parser.parse_body(raw);
        result.body.append(step.data.begin(), step.data.end());
        raw.erase(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(step.consumed));
        result.progress = step.progress;
        if (step.progress == Progress::failed) {
            result.error = parser.failure().message;
            result.code = parser.failure().code;
            return result;
        }
        if (count == 0) return result;
    }
    result.consumed = at - raw.size();
    return result;
}

TEST(RequestParser, ReadsARequestHoweverItIsCut) {
    const std::string text =
        "POST /v1/jobs?a=b HTTP/1.1\r\nHost: x\r\nX-Empty:\r\nX-API-Key:  k \r\nContent-Length: 5\r\n\r\nhello";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        const Parsed parsed = parse(text, piece);
        ASSERT_EQ(parsed.progress, Progress::done) << piece << parsed.error;
        EXPECT_EQ(parsed.method, "POST");
        EXPECT_EQ(parsed.target, "/v1/jobs?a=b");
        ASSERT_EQ(parsed.headers.size(), 4U);
        EXPECT_EQ(parsed.headers[1], (std::pair<std::string, std::string>("X-Empty", "")));
        EXPECT_EQ(parsed.headers[2], (std::pair<std::string, std::string>("X-API-Key", "k")));
        EXPECT_EQ(parsed.body, "hello");
        EXPECT_TRUE(parsed.keep_alive);
    }
}

TEST(RequestParser, DecodesChunksHoweverTheyAreCut) {
    const std::string head = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";
    const std::string text =
        head + "5;ext=\"a;b\"\r\nhello\r\n1\r\n \r\nA\r\n0123456789\r\n0\r\nX-Trailer: t\r\n\r\nGET";
    for (std::size_t piece = 1; piece <= text.size(); ++piece) {
        const Parsed parsed = parse(text, piece);
        ASSERT_EQ(parsed.progress, Progress::done) << piece << parsed.error;
        EXPECT_EQ(parsed.body, "hello 0123456789");
        EXPECT_EQ(parsed.headers.size(), 2U) << "a trailer is not a header";
        EXPECT_EQ(parsed.consumed, text.size() - 3) << "what follows the body is not the body's";
    }
}

TEST(RequestParser, AnEmptyChunkedBodyDribbledIn) {
    const Parsed parsed = parse("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 1);
    EXPECT_EQ(parsed.progress, Progress::done) << parsed.error;
    EXPECT_EQ(parsed.body, "");
}

TEST(RequestParser, KeepsAHttp10ConnectionOnlyWhenAsked) {
    EXPECT_FALSE(parse("GET / HTTP/1.0\r\n\r\n").keep_alive);
    EXPECT_TRUE(parse("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n").keep_alive);
    EXPECT_FALSE(parse("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").keep_alive);
}

struct BadRequest {
    const char* name;
    std::string text;
    ErrorCode code = ErrorCode::invalid_request;
};

std::string with(const std::string& headers, const std::string& body = "") {
    return "POST / HTTP/1.1\r\nHost: x\r\n" + headers + "\r\n" + body;
}

TEST(RequestParser, TakesAHeaderThatIsSaidTwiceInTheSameWay) {
    for (const char* line : {"X-API-Key: one\r\n", "Content-Type: a/b\r\n", "Idempotency-Key: 12345678\r\n"}) {
        EXPECT_EQ(parse(with(std::string(line) + line)).progress, Progress::done) << line;
    }
    EXPECT_EQ(parse(with("X-Forwarded-For: 1.1.1.1\r\nX-Forwarded-For: 2.2.2.2\r\n")).progress, Progress::done);
    EXPECT_EQ(parse(with("X-Of-Others: 1\r\nX-Of-Others: 2\r\n")).progress, Progress::done) << "not for us to judge";
}

TEST(RequestParser, NamesTheHeaderThatIsSaidInTwoWays) {
    EXPECT_EQ(parse(with("X-API-Key: one\r\nX-API-Key: two\r\n")).error,
              "more than one X-API-Key header, with different values");
}

std::vector<BadRequest> bad_requests() {
    const std::string chunked = "Transfer-Encoding: chunked\r\n";
    return {
        {"TransferEncodingAndLength", with(chunked + "Content-Length: 3\r\n", "0\r\n\r\n")},
        {"LengthAndTransferEncoding", with("Content-Length: 3\r\n" + chunked, "0\r\n\r\n")},
        {"TwoLengths", with("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")},
        {"SameLengthTwice", with("Content-Length: 3\r\nContent-Length: 3\r\n", "abc")},
        {"LengthList", with("Content-Length: 3, 3\r\n", "abc")},
        {"NegativeLength", with("Content-Length: -1\r\n")},
        {"PlusLength", with("Content-Length: +3\r\n", "abc")},
        {"HexLength", with("Content-Length: 0x3\r\n", "abc")},
        {"EmptyLength", with("Content-Length:\r\n")},
        {"HugeLength", with("Content-Length: 99999999999999999999999\r\n")},
        {"Identity", with("Transfer-Encoding: identity\r\n")},
        {"Xchunked", with("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n")},
        {"GzipChunked", with("Transfer-Encoding: gzip, chunked\r\n", "0\r\n\r\n")},
        {"ChunkedTwiceInOne", with("Transfer-Encoding: chunked, chunked\r\n", "0\r\n\r\n")},
        {"ChunkedTwice", with(chunked + chunked, "0\r\n\r\n")},
        {"ChunkedThenIdentity", with(chunked + "Transfer-Encoding: identity\r\n", "0\r\n\r\n")},
        {"EmptyTransferEncoding", with("Transfer-Encoding:\r\n")},
        {"ChunkedInHttp10", "POST / HTTP/1.0\r\n" + chunked + "\r\n0\r\n\r\n"},
        {"NoHost", "GET / HTTP/1.1\r\n\r\n"},
        {"TwoHosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"},
        {"TwoKeys", with("X-API-Key: one\r\nX-API-Key: two\r\n")},
        {"TwoCredentials", with("Authorization: Bearer one\r\nauthorization: Bearer two\r\n")},
        {"TwoTypes", with("Content-Type: a/b\r\nX-Between: 1\r\nCONTENT-TYPE: a/c\r\n")},
        {"TwoIdempotencyKeys", with("Idempotency-Key: 12345678\r\nIdempotency-Key: 12345679\r\n")},
        {"TwoRanges", with("Range: bytes=0-1\r\nRange: bytes=1-2\r\n")},
        {"SameHostTwice", "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"},
        {"HostWithSlash", "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"},
        {"FoldedHeader", with("X-A: 1\r\n 2\r\n")},
        {"FoldedWithTab", with("X-A: 1\r\n\t2\r\n")},
        {"FoldedFromNothing", with("X-A:\r\n 2\r\n")},
        {"FoldedIntoNothing", with("X-A: 1\r\n \r\n")},
        {"SpaceBeforeColon", with("X-A : 1\r\n")},
        {"NoName", with(": 1\r\n")},
        {"NoColon", with("X-A\r\n")},
        {"NulInValue", with(std::string("X-A: a\0b\r\n", 10))},
        {"BareReturnInValue", with("X-A: a\rb\r\n")},
        {"BareLineFeed", "GET / HTTP/1.1\nHost: x\n\n\r\n\r\n"},
        {"ControlInValue", with("X-A: a\x01\r\n")},
        {"NoTarget", "GET  HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"SpaceInTarget", "GET /a b HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"NulInTarget", std::string("GET /a\0b HTTP/1.1\r\nHost: x\r\n\r\n", 31)},
        {"TabInTarget", "GET /a\tb HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"RawUtf8InTarget", "GET /caf\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"DeleteInTarget", "GET /a\x7f HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"NoVersion", "GET /\r\nHost: x\r\n\r\n"},
        {"Version2", "GET / HTTP/2.0\r\nHost: x\r\n\r\n"},
        {"Version09", "GET / HTTP/0.9\r\nHost: x\r\n\r\n"},
        {"LowerCaseVersion", "GET / http/1.1\r\nHost: x\r\n\r\n"},
        {"Http2Preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"},
        {"BadMethod", "GE(T / HTTP/1.1\r\nHost: x\r\n\r\n"},
        {"TlsHello", std::string("\x16\x03\x01\x00\xa5\x01\x00\x00\xa1", 9)},
        {"Garbage", std::string("\x00\x01\x02\r\n\r\n", 7)},
        {"ManyHeaders",
         [] {
             std::string headers;
             for (int i = 0; i < 30; ++i) headers += "X-" + std::to_string(i) + ": 1\r\n";
             return with(headers);
         }(),
         ProtocolError::head_too_large},
        {"LongHeader", with("X-A: " + std::string(5000, 'a') + "\r\n"), ProtocolError::head_too_large},
        {"LongHeaderWithoutEnd", "GET / HTTP/1.1\r\nX-A: " + std::string(9000, 'a'), ProtocolError::head_too_large},
        {"LongTarget", "GET /" + std::string(2000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n",
         ProtocolError::target_too_long},
        {"LongTargetWithoutEnd", "GET /" + std::string(9000, 'a'), ProtocolError::target_too_long},
        {"UnknownExpectation", with("Expect: a-miracle\r\n"), ProtocolError::expectation_failed},
        {"ChunkSizeWord", with(chunked, "xyz\r\nhello\r\n0\r\n\r\n")},
        {"ChunkSizeNegative", with(chunked, "-5\r\nhello\r\n0\r\n\r\n")},
        {"ChunkSizeHuge", with(chunked, "ffffffffffffffffff\r\nhello\r\n0\r\n\r\n")},
        {"ChunkSizePrefixed", with(chunked, "0x5\r\nhello\r\n0\r\n\r\n")},
        {"ChunkSizeEmpty", with(chunked, "\r\nhello\r\n0\r\n\r\n")},
        {"ChunkSizeSpace", with(chunked, "5 \r\nhello\r\n0\r\n\r\n")},
        {"ChunkTooShort", with(chunked, "5\r\nhell\r\n0\r\n\r\n")},
        {"ChunkTooLong", with(chunked, "5\r\nhello!\r\n0\r\n\r\n")},
        {"ChunkBareLineFeed", with(chunked, "5\nhello\n0\n\n" + std::string(5000, 'a'))},
        {"ChunkExtensionEndless", with(chunked, "5;" + std::string(9000, 'a'))},
        {"TrailersEndless", with(chunked, "0\r\n" + std::string(9000, 'a'))},
        {"LengthInTrailer", with(chunked, "0\r\nContent-Length: 3\r\n\r\nabc")},
    };
}

class BadRequests : public testing::TestWithParam<BadRequest> {};

TEST_P(BadRequests, AreRefusedWholeOrDribbled) {
    for (const std::size_t piece : {std::string::npos, std::size_t{1}, std::size_t{7}}) {
        const Parsed parsed = parse(GetParam().text, piece);
        EXPECT_EQ(parsed.progress, Progress::failed) << "in pieces of " << piece;
        EXPECT_EQ(to_string(parsed.code), to_string(GetParam().code)) << parsed.error;
        EXPECT_FALSE(parsed.error.empty());
    }
}

INSTANTIATE_TEST_SUITE_P(RequestParser, BadRequests, testing::ValuesIn(bad_requests()),
                         [](const auto& each) { return std::string(each.param.name); });

TEST(RequestParser, WantsVisibleAsciiAnywhereInATarget) {
    for (std::size_t at = 1; at < 20; ++at) {
        for (int byte = 0x21; byte < 0x100; ++byte) {
            std::string target = "/abcdefghijklmnopqrs";
            target[at] = static_cast<char>(byte);
            const Parsed parsed = parse("GET " + target + " HTTP/1.1\r\nHost: x\r\n\r\n");
            EXPECT_EQ(parsed.progress, byte < 0x7f ? Progress::done : Progress::failed) << byte << " at " << at;
        }
    }
}

TEST(RequestParser, CanBeUsedAgain) {
    RequestParser parser(limits);
    const std::string first = "GET /1 HTTP/1.1\r\nHost: x\r\n\r\n";
    const std::string second = "GET /2 HTTP/1.1\r\nHost: y\r\nX: 1\r\n\r\n";
    ASSERT_EQ(parser.parse_head(first), Progress::done);
    parser.reset();
    EXPECT_FALSE(parser.started());
    ASSERT_EQ(parser.parse_head(second), Progress::done);
    EXPECT_EQ(parser.target(), "/2");
    EXPECT_EQ(parser.headers().size(), 2U);
}

// One parser that reads request after request, as a connection's does, must say of each what a new one says: it takes
// a short cut where headers are the same as before, and must take none where they are not.
TEST(RequestParser, SaysTheSameOfARequestWhateverCameBefore) {
    const std::vector<std::string> lines = {
        "GET /1 HTTP/1.1\r\n",     "GET /2?a=b HTTP/1.1\r\n",
        "GET /a\x7f HTTP/1.1\r\n", "GET  /1 HTTP/1.1\r\n",
        "GET /1 HTTP/1.0\r\n",     "HEAD /1 HTTP/1.1\r\n",
        "POST /1 HTTP/1.1\r\n",    "GET /" + std::string(1100, 'x') + " HTTP/1.1\r\n",
        "GET /1 HTTP/1.1\n"};
    const std::vector<std::string> fields = {"Host: x\r\n\r\n",
                                             "Host: x\r\nX-Empty:\r\nX-API-Key:  k \r\n\r\n",
                                             "Host: x\r\nX-Empty:\r\nX-API-Key:  j \r\n\r\n",
                                             "Host: x\r\nConnection: close\r\n\r\n",
                                             "Host: x\r\nContent-Length: 0\r\n\r\n",
                                             "Host: x\r\nContent-Length: 3\r\n\r\n",
                                             "Host: x\r\nTransfer-Encoding: chunked\r\n\r\n",
                                             "Host: x\r\nExpect: 100-continue\r\n\r\n",
                                             "Host: x\r\nHost: y\r\n\r\n",
                                             "X-Big: " + std::string(3000, 'b') + "\r\nHost: x\r\n\r\n",
                                             "\r\n"};
    const auto describe = [](RequestParser& parser, const std::string& text) -> std::string {
        const Progress progress = parser.parse_head(text);
        if (progress == Progress::need_more) return "incomplete";
        if (progress == Progress::failed) return "failed: " + parser.failure().message;
        std::string said = std::string(parser.method()) + " " + std::string(parser.target());
        for (const HeaderView& header : parser.headers()) {
            EXPECT_TRUE(header.name.data() >= text.data() && header.name.data() < text.data() + text.size());
            said += "|" + std::string(header.name) + "=" + std::string(header.value);
        }
        return said + " size " + std::to_string(parser.head_size()) + (parser.started() ? " started" : "") +
               (parser.keep_alive() ? " keep" : "") + (parser.body_done() ? " done" : "") +
               (parser.chunked() ? " chunked" : "") + (parser.expects_continue() ? " expects" : "") +
               (parser.is_http_1_0() ? " 1.0" : "") + " length " +
               std::to_string(parser.content_length().value_or(UINT64_MAX));
    };
    RequestParser reused(limits);
    std::uint32_t state = 1;
    const auto any = [&](std::size_t count) {
        state = state * 1664525 + 1013904223;
        return (state >> 16) % count;
    };
    for (int i = 0; i < 20'000; ++i) {
        std::string text = lines[any(3) != 0 ? any(2) : any(lines.size())];
        text += fields[any(3) != 0 ? any(3) : any(fields.size())];
        if (any(4) == 0) text += "GET /behind HTTP/1.1\r\nHost: x\r\n\r\n";
        if (any(8) == 0) text.resize(any(text.size() + 1));
        RequestParser fresh(limits);
        reused.reset();
        ASSERT_FALSE(reused.started());
        ASSERT_EQ(describe(reused, text), describe(fresh, text)) << text;
    }
}

TEST(RequestParser, AsksForNoBodyOfARepeatedHead) {
    RequestParser parser(limits);
    std::string text = "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2";
    for (int i = 0; i < 3; ++i) {
        parser.reset();
        ASSERT_EQ(parser.parse_head(text), Progress::done);
        EXPECT_TRUE(parser.body_done());
        EXPECT_FALSE(parser.body_remaining());
        std::vector<std::uint8_t> next = {'G', 'E', 'T'};
        const auto step = parser.parse_body(next);
        EXPECT_EQ(step.progress, Progress::done);
        EXPECT_EQ(step.consumed, 0U);
        EXPECT_TRUE(step.data.empty());
    }
}

}  // namespace
}  // namespace tessera::http
