// GET /v1/artifacts/{id} and its download against a stub of the use cases.
#include "http/api/artifact_routes.hpp"

#include <gtest/gtest.h>

#include "asked.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/delivery/artifacts.hpp"

namespace tessera::http::test {
namespace {

class StubArtifacts final : public service::Artifacts {
  public:
    Result<service::ArtifactView> describe(const service::Principal&, std::string_view, std::string_view) override {
        return described;
    }
    Result<service::SignedArtifact> find_signed(std::string_view id, std::optional<std::string_view> expires,
                                                std::optional<std::string_view> signature) override {
        seen = std::string(id) + " " + std::string(expires.value_or("none")) + " " +
               std::string(signature.value_or("none"));
        return found;
    }
    Result<service::BlobRange> read(const Artifact&, std::uint64_t offset, std::uint64_t length) override {
        ++reads;
        return service::BlobRange{nullptr, std::make_shared<const std::string>(content.substr(offset, length)), 0,
                                  length};
    }

    std::string content = "0123456789";
    std::string seen;
    int reads = 0;
    Result<service::ArtifactView> described = service::ArtifactView{};
    Result<service::SignedArtifact> found = service::SignedArtifact{};
};

class ArtifactRoutes : public testing::Test {
  protected:
    ArtifactRoutes() {
        service::SignedArtifact signed_one;
        signed_one.artifact.content_type = "image/png";
        signed_one.artifact.byte_size = 10;
        signed_one.artifact.checksum_sha256 = "abc";
        signed_one.artifact.filename = "ein bild.png";
        signed_one.seconds_left = 90;
        artifacts.found = signed_one;
    }
    Asked asked() {
        Asked one;
        one.parameter("id", "a").query("expires=5&sig=s");
        return one;
    }

    StubArtifacts artifacts;
    std::vector<Route> routes = artifact_routes(artifacts);
    const Route& describe = routes.at(0);
    const Route& download = routes.at(1);
};

}  // namespace

TEST_F(ArtifactRoutes, AreTheInterfacesOnes) {
    EXPECT_EQ(describe.pattern, "/v1/artifacts/{id}");
    EXPECT_EQ(describe.auth, Auth::api_key);
    EXPECT_EQ(describe.permission, Permission::artifacts_read);
    EXPECT_EQ(describe.limit->rate_class, service::RateClass::artifact_reads);
    EXPECT_EQ(download.pattern, "/v1/artifacts/{id}/download");
    EXPECT_EQ(download.auth, Auth::signed_url);
    EXPECT_EQ(download.limit->rate_class, service::RateClass::downloads);
    EXPECT_EQ(download.limit->scope, LimitScope::ip);
    EXPECT_TRUE(download.cors);
}

TEST_F(ArtifactRoutes, ADownloadIsTheBytesUnderTheirName) {
    const Response response = asked().of(download);
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(text_of(response), "0123456789");
    EXPECT_EQ(response.content_type, "image/png");
    EXPECT_TRUE(has_header(response, "Cache-Control: public, max-age=90, immutable")) << response.headers;
    EXPECT_TRUE(has_header(response, "ETag: \"abc\"")) << response.headers;
    EXPECT_TRUE(has_header(response,
                           "Content-Disposition: attachment; filename=\"ein bild.png\"; "
                           "filename*=UTF-8''ein%20bild.png"))
        << response.headers;
    EXPECT_EQ(artifacts.seen, "a 5 s");
}

TEST_F(ArtifactRoutes, ARangeReadsThatPartAlone) {
    const Response response = asked().header("Range", "bytes=2-4").of(download);
    EXPECT_EQ(response.status, 206);
    EXPECT_EQ(text_of(response), "234");
    EXPECT_TRUE(has_header(response, "Content-Range: bytes 2-4/10")) << response.headers;
}

TEST_F(ArtifactRoutes, WhatIsKnownOrOutOfRangeIsNotRead) {
    EXPECT_EQ(asked().header("If-None-Match", "\"abc\"").of(download).status, 304);
    EXPECT_EQ(text_of(asked().header("Range", "bytes=10-").of(download)).substr(0, 6), "error:");
    EXPECT_EQ(artifacts.reads, 0);
}

TEST_F(ArtifactRoutes, ASignatureThatIsSpeltOtherwiseIsNoneAtAll) {
    Asked encoded;
    (void)encoded.parameter("id", "a").query("expires=5&sig=%73").of(download);
    EXPECT_EQ(artifacts.seen, "a 5 none");
    Asked twice;
    (void)twice.parameter("id", "a").query("expires=5&expires=6&sig=s").of(download);
    EXPECT_EQ(artifacts.seen, "a none s");
}

TEST_F(ArtifactRoutes, ARefusalIsTheAnswer) {
    artifacts.found = Error{ErrorCode::invalid_signature, "invalid or expired signature", ""};
    EXPECT_EQ(text_of(asked().of(download)), "error: invalid or expired signature");
    artifacts.described = Error{ErrorCode::artifact_not_found, "artifact not found", ""};
    EXPECT_EQ(text_of(asked().of(describe)), "error: artifact not found");
}

}  // namespace tessera::http::test
