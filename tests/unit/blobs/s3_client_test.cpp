// The S3 client against answers that a real store gives only on its bad days.
#include "blobs/s3/s3_client.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "scripted_server.hpp"

namespace tessera::blobs {

namespace {

using Server = ScriptedServer;

constexpr std::string_view busy =
    "<?xml version=\"1.0\"?><Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>";

S3Config config_for(const Server& server) {
    S3Config config;
    config.bucket = "bucket";
    config.endpoint = "http://127.0.0.1:" + std::to_string(server.port());
    config.path_style = true;
    config.access_key_id = "AKID";
    config.secret_access_key = "secret";
    config.attempts = 4;
    return config;
}

BlobKey key(std::string_view text) {
    return *BlobKey::parse(text);
}

std::string range_answer(std::string_view bytes, std::string_view content_range) {
    return Server::answer("206 Partial Content", bytes,
                          "Content-Range: " + std::string(content_range) + "\r\nETag: \"e\"\r\n");
}

UniqueFd file_with(std::string_view content) {
    std::FILE* file = std::tmpfile();
    UniqueFd fd(::dup(::fileno(file)));
    std::fclose(file);
    EXPECT_TRUE(write_all(fd.get(), {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}));
    return fd;
}

}  // namespace

TEST(S3Client, ARequestIsSignedAndNamesItsPayload) {
    Server server({Server::answer("200 OK", "", "ETag: \"x\"\r\n")});
    const auto file = file_with("hello");
    S3Client client(config_for(server));
    ASSERT_TRUE(client.put(key("a/b"), {file.get(), 0, 5}, sha256("hello")));
    const auto seen = server.seen();
    ASSERT_EQ(seen.size(), 1U);
    const auto& head = seen[0].head;
    EXPECT_TRUE(head.starts_with("PUT /bucket/a/b HTTP/1.1\r\n")) << head;
    EXPECT_NE(head.find("x-amz-content-sha256: 2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824"),
              std::string::npos)
        << head;
    EXPECT_NE(head.find("Authorization: AWS4-HMAC-SHA256 Credential=AKID/"), std::string::npos) << head;
    EXPECT_EQ(head.find("secret"), std::string::npos);
    EXPECT_EQ(seen[0].body, "hello");
}

TEST(S3Client, VirtualStylePutsTheBucketIntoTheHost) {
    Server server({Server::answer("404 Not Found")});
    auto config = config_for(server);
    config.endpoint = "http://localhost:" + std::to_string(server.port());
    config.path_style = false;
    config.prefix = "folder/";
    EXPECT_EQ(S3Client(config).head(key("a/b")).error().code, ErrorCode::not_found);
    const auto head = server.seen().at(0).head;
    EXPECT_TRUE(head.starts_with("HEAD /folder/a/b HTTP/1.1\r\n")) << head;
    EXPECT_NE(head.find("Host: bucket.localhost:"), std::string::npos) << head;
}

TEST(S3Client, TemporaryCredentialsSendTheirToken) {
    Server server({Server::answer("204 No Content")});
    auto config = config_for(server);
    config.session_token = "token";
    ASSERT_TRUE(S3Client(config).remove(key("a/b")));
    EXPECT_NE(server.seen().at(0).head.find("x-amz-security-token: token"), std::string::npos);
}

TEST(S3Client, WhatMayPassIsTriedAgain) {
    Server server({Server::answer("503 Slow Down", busy), "", Server::answer("500 Internal Server Error"),
                   range_answer("hello", "bytes 0-4/100")});
    S3Client client(config_for(server));
    std::vector<std::uint8_t> out(5);
    const auto range = client.read(key("a/b"), 0, out);
    ASSERT_TRUE(range) << range.error().detail;
    EXPECT_EQ(std::string(out.begin(), out.end()), "hello");
    EXPECT_EQ(range->object.size, 100U);
    EXPECT_EQ(server.seen().size(), 4U);
}

TEST(S3Client, AnAnswerThatIsCutShortIsTriedAgain) {
    Server server({"HTTP/1.1 206 Partial Content\r\nContent-Length: 5\r\nContent-Range: bytes 0-4/100\r\n\r\nhe",
                   range_answer("hello", "bytes 0-4/100")});
    S3Client client(config_for(server));
    std::vector<std::uint8_t> out(5);
    ASSERT_TRUE(client.read(key("a/b"), 0, out));
    EXPECT_EQ(std::string(out.begin(), out.end()), "hello");
}

TEST(S3Client, ItGivesUpAfterItsAttemptsAndSaysWhy) {
    Server server({Server::answer("503 Slow Down", busy), Server::answer("503 Slow Down", busy),
                   Server::answer("503 Slow Down", busy), Server::answer("503 Slow Down", busy),
                   Server::answer("200 OK")});
    const auto head = S3Client(config_for(server)).remove(key("a/b"));
    ASSERT_FALSE(head);
    EXPECT_EQ(head.error().code, ErrorCode::storage_unavailable);
    EXPECT_NE(head.error().detail.find("503 SlowDown Please reduce"), std::string::npos) << head.error().detail;
    EXPECT_EQ(server.seen().size(), 4U);
}

TEST(S3Client, ARefusalIsNotTriedAgain) {
    Server server({Server::answer("403 Forbidden", "<Error><Code>AccessDenied</Code></Error>")});
    EXPECT_EQ(S3Client(config_for(server)).head(key("a/b")).error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(server.seen().size(), 1U);
}

TEST(S3Client, AMissingBucketIsNotAMissingBlob) {
    Server server({Server::answer("404 Not Found", "<Error><Code>NoSuchBucket</Code></Error>"),
                   Server::answer("404 Not Found", "<Error><Code>NoSuchKey</Code></Error>")});
    S3Client client(config_for(server));
    std::vector<std::uint8_t> out(5);
    EXPECT_EQ(client.read(key("a/b"), 0, out).error().code, ErrorCode::storage_unavailable);
    EXPECT_EQ(client.read(key("a/b"), 0, out).error().code, ErrorCode::not_found);
}

TEST(S3Client, ARangeOfAnotherLengthIsRefused) {
    Server server({range_answer("hel", "bytes 0-2/100"), range_answer("helloo", "bytes 0-5/100"),
                   range_answer("helloo", "bytes 0-5/100"), range_answer("helloo", "bytes 0-5/100"),
                   range_answer("helloo", "bytes 0-5/100"), Server::answer("200 OK", "hello")});
    S3Client client(config_for(server));
    std::vector<std::uint8_t> out(5);
    EXPECT_FALSE(client.read(key("a/b"), 0, out)) << "too short";
    EXPECT_FALSE(client.read(key("a/b"), 0, out)) << "too long";
    EXPECT_FALSE(client.read(key("a/b"), 10, out)) << "the range was ignored";
}

TEST(S3Client, AnUploadInPartsThatFailsIsAborted) {
    const auto failed = Server::answer("400 Bad Request", "<Error><Code>InvalidPart</Code></Error>");
    Server server(
        {Server::answer("200 OK", "<R><UploadId>id+/=</UploadId></R>"), failed, Server::answer("204 No Content")});
    const auto file = file_with("hello");
    EXPECT_FALSE(S3Client(config_for(server)).put_in_parts(key("a/b"), {file.get(), 0, 5}, sha256("hello")));
    const auto seen = server.seen();
    ASSERT_EQ(seen.size(), 3U);
    EXPECT_TRUE(seen[0].head.starts_with("POST /bucket/a/b?uploads= ")) << seen[0].head;
    EXPECT_TRUE(seen[1].head.starts_with("PUT /bucket/a/b?partNumber=1&uploadId=id%2B%2F%3D ")) << seen[1].head;
    EXPECT_TRUE(seen[2].head.starts_with("DELETE /bucket/a/b?uploadId=id%2B%2F%3D ")) << seen[2].head;
}

TEST(S3Client, AFailureInTheBodyOfASuccessIsAFailure) {
    const auto late = Server::answer("200 OK", "<Error><Code>InternalError</Code><Message>oops</Message></Error>");
    Server server({Server::answer("200 OK", "<R><UploadId>id</UploadId></R>"),
                   Server::answer("200 OK", "", "ETag: \"1\"\r\n"), late, Server::answer("404 Not Found"),
                   Server::answer("204 No Content")});
    const auto file = file_with("hello");
    EXPECT_FALSE(S3Client(config_for(server)).put_in_parts(key("a/b"), {file.get(), 0, 5}, sha256("hello")));
    EXPECT_EQ(server.seen().size(), 5U);
}

TEST(S3Client, ACompletionThatWasNotHeardIsFoundOut) {
    const auto unknown = Server::answer("404 Not Found", "<Error><Code>NoSuchUpload</Code></Error>");
    const std::string there =
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: close\r\nx-amz-meta-sha256: "
        "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\r\n\r\n";
    Server server({Server::answer("200 OK", "<R><UploadId>id</UploadId></R>"),
                   Server::answer("200 OK", "", "ETag: \"1\"\r\n"), "", unknown, there});
    const auto file = file_with("hello");
    const auto put = S3Client(config_for(server)).put_in_parts(key("a/b"), {file.get(), 0, 5}, sha256("hello"));
    EXPECT_TRUE(put) << put.error().detail;
}

}  // namespace tessera::blobs
