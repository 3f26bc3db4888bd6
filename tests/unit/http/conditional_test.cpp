#include "http/message/conditional.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "http/message/problems.hpp"

namespace tessera::http {
namespace {

const std::string etag = strong_etag("abc");

struct Conditions {
    std::vector<HeaderView> headers;
    Method method = Method::get;
    Response apply(bool ranges = true) const {
        Request request;
        request.method = method;
        request.headers = headers;
        return apply_conditions(request, Response::bytes("image/png", std::string("0123456789")), etag, ranges);
    }
};

TEST(ChooseRange, KnowsTheThreeForms) {
    EXPECT_EQ(choose_range("bytes=0-4", 10), RangeChoice(ByteRange{0, 5}));
    EXPECT_EQ(choose_range("bytes=4-", 10), RangeChoice(ByteRange{4, 6}));
    EXPECT_EQ(choose_range("bytes=-3", 10), RangeChoice(ByteRange{7, 3}));
    EXPECT_EQ(choose_range("Bytes=0-0", 10), RangeChoice(ByteRange{0, 1}));
}

TEST(ChooseRange, ClampsToTheBody) {
    EXPECT_EQ(choose_range("bytes=5-100", 10), RangeChoice(ByteRange{5, 5}));
    EXPECT_EQ(choose_range("bytes=-100", 10), RangeChoice(ByteRange{0, 10}));
    EXPECT_EQ(choose_range("bytes=5-99999999999999999999999", 10), RangeChoice(ByteRange{5, 5}));
}

TEST(ChooseRange, TellsWhatCannotBeSatisfied) {
    for (const char* header : {"bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"}) {
        EXPECT_EQ(choose_range(header, 10), RangeChoice(Unsatisfiable{})) << header;
    }
    EXPECT_EQ(choose_range("bytes=0-", 0), RangeChoice(Unsatisfiable{}));
}

TEST(ChooseRange, TakesNonsenseForTheWholeBody) {
    for (const char* header : {"", "bytes", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "lines=0-1", "bytes=0-1,3-4",
                               "bytes=+1-2", "bytes=1--2", "bytes=0x1-2"}) {
        EXPECT_EQ(choose_range(header, 10), RangeChoice(WholeBody{})) << header;
    }
}

TEST(IfNoneMatch, SeveralLinesAreOneList) {
    const std::vector<HeaderView> headers{{"If-None-Match", "\"x\""}, {"if-none-match", "\"y\", \"abc\""}};
    Request request;
    request.headers = headers;
    EXPECT_TRUE(is_known_to(request, etag));
    EXPECT_FALSE(is_known_to(request, "\"z\""));
}

TEST(IfNoneMatch, ComparesListsWeakly) {
    EXPECT_TRUE(if_none_match_names("\"abc\"", etag));
    EXPECT_TRUE(if_none_match_names("W/\"abc\"", etag));
    EXPECT_TRUE(if_none_match_names("\"x\", \"abc\" , \"y\"", etag));
    EXPECT_TRUE(if_none_match_names("*", etag));
    EXPECT_TRUE(if_none_match_names("\"a,b\"", "\"a,b\""));
    EXPECT_FALSE(if_none_match_names("\"ab\"", etag));
    EXPECT_FALSE(if_none_match_names("abc", etag));
    EXPECT_FALSE(if_none_match_names("\"x, abc", etag));
    EXPECT_FALSE(if_none_match_names("", etag));
}

TEST(ApplyConditions, LeavesAPlainRequestWhole) {
    const Response response = Conditions{}.apply();
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.headers, "ETag: \"abc\"\r\nAccept-Ranges: bytes\r\n");
    EXPECT_EQ(std::get<std::string>(response.body), "0123456789");
}

TEST(ApplyConditions, AnswersAKnownTagWithNothing) {
    const Response response = Conditions{.headers = {{"If-None-Match", etag}, {"Range", "bytes=0-1"}}}.apply();
    EXPECT_EQ(response.status, 304);
    EXPECT_EQ(size_of(response.body), 0U);
    EXPECT_NE(response.headers.find("ETag"), std::string::npos);
}

TEST(ApplyConditions, SendsAPart) {
    const Response response = Conditions{.headers = {{"Range", "bytes=2-4"}}}.apply();
    EXPECT_EQ(response.status, 206);
    EXPECT_EQ(std::get<std::string>(response.body), "234");
    EXPECT_NE(response.headers.find("Content-Range: bytes 2-4/10\r\n"), std::string::npos);
}

TEST(ApplyConditions, RefusesAPartBeyondTheEnd) {
    const Response response = Conditions{.headers = {{"Range", "bytes=10-"}}}.apply();
    ASSERT_TRUE(response.error);
    EXPECT_EQ(response.error->code, ProtocolError::range_not_satisfiable);
    EXPECT_NE(response.headers.find("Content-Range: bytes */10\r\n"), std::string::npos);
}

TEST(ApplyConditions, SendsAllWhenThePartIsOfOtherBytes) {
    EXPECT_EQ((Conditions{.headers = {{"Range", "bytes=2-4"}, {"If-Range", "\"old\""}}}.apply().status), 200);
    EXPECT_EQ((Conditions{.headers = {{"Range", "bytes=2-4"}, {"If-Range", etag}}}.apply().status), 206);
}

TEST(ApplyConditions, IgnoresRangesWhereTheyAreNotOffered) {
    EXPECT_EQ((Conditions{.headers = {{"Range", "bytes=2-4"}}}.apply(false).status), 200);
    EXPECT_EQ((Conditions{.headers = {{"Range", "bytes=2-4"}}, .method = Method::head}.apply().status), 200);
}

TEST(ApplyConditions, TakesPartsOfFilesAndSharedBytes) {
    Request request;
    request.method = Method::get;
    const std::vector<HeaderView> headers = {{"Range", "bytes=-4"}};
    request.headers = headers;
    const Response shared =
        apply_conditions(request, Response::bytes("a/b", SharedBytes{nullptr, "0123456789"}), etag, true);
    EXPECT_EQ(std::get<SharedBytes>(shared.body).bytes, "6789");
    const Response file = apply_conditions(request, Response::bytes("a/b", FileSlice{nullptr, 100, 10}), etag, true);
    EXPECT_EQ(std::get<FileSlice>(file.body).offset, 106U);
    EXPECT_EQ(std::get<FileSlice>(file.body).length, 4U);
}

}  // namespace
}  // namespace tessera::http
