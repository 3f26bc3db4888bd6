#include "blobs/s3/s3_config.hpp"

#include <gtest/gtest.h>

#include <map>

namespace tessera::blobs {

namespace {

Result<S3Config> parse(std::string_view url, const std::map<std::string, std::string>& variables = {}) {
    return parse_s3_url(url, [&](const std::string& name) -> std::optional<std::string> {
        const auto found = variables.find(name);
        if (found == variables.end()) return std::nullopt;
        return found->second;
    });
}

}  // namespace

TEST(S3Url, ABucketAloneIsOneOfAmazons) {
    const auto config = parse("s3://my-bucket", {{"AWS_REGION", "eu-central-1"},
                                                 {"AWS_ACCESS_KEY_ID", "id"},
                                                 {"AWS_SECRET_ACCESS_KEY", "secret"},
                                                 {"AWS_SESSION_TOKEN", "token"}});
    ASSERT_TRUE(config);
    EXPECT_EQ(config->bucket, "my-bucket");
    EXPECT_EQ(config->prefix, "");
    EXPECT_EQ(config->region, "eu-central-1");
    EXPECT_EQ(config->endpoint, "https://s3.eu-central-1.amazonaws.com");
    EXPECT_FALSE(config->path_style);
    EXPECT_EQ(config->access_key_id, "id");
    EXPECT_EQ(config->secret_access_key, "secret");
    EXPECT_EQ(config->session_token, "token");
}

TEST(S3Url, AnEndpointOfOnesOwnIsAddressedByPathUnlessToldOtherwise) {
    const auto config = parse("s3://bucket/some/prefix?endpoint=http%3A%2F%2Flocalhost%3A9000/&region=here");
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->prefix, "some/prefix/");
    EXPECT_EQ(config->endpoint, "http://localhost:9000");
    EXPECT_EQ(config->region, "here");
    EXPECT_TRUE(config->path_style);
    EXPECT_FALSE(parse("s3://bucket?endpoint=https://host&style=virtual")->path_style);
    EXPECT_TRUE(parse("s3://bucket?style=path")->path_style);
    EXPECT_EQ(parse("s3://bucket", {{"AWS_ENDPOINT_URL", "http://here:1"}})->endpoint, "http://here:1");
}

TEST(S3Url, WhatIsWrongIsSaid) {
    for (const auto* url :
         {"", "http://bucket", "s3://", "s3://B", "s3://Bucket", "s3://bucket?endpoint=host",
          "s3://bucket?endpoint=ftp://x", "s3://bucket?endpoint=", "s3://bucket?endpoint=http://host/path",
          "s3://bucket?endpoint=http://user@host", "s3://bucket?style=other", "s3://bucket?typo=1", "s3://bucket//x",
          "s3://bucket/a b", "s3://bucket?region=%zz"}) {
        const auto config = parse(url);
        ASSERT_FALSE(config) << url;
        EXPECT_TRUE(config.error().message.starts_with("blobs.url: ")) << config.error().message;
    }
}

}  // namespace tessera::blobs
