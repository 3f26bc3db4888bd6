// POST /v1/assets against a stub of the use case: no server, no store, no engine.
#include "http/api/asset_routes.hpp"

#include <gtest/gtest.h>

#include "http/message/multipart.hpp"
#include "service/access/principal.hpp"
#include "service/access/rate_limiter.hpp"
#include "service/uploads/upload.hpp"

namespace tessera::http {

namespace {

class StubUploads final : public service::Uploads {
  public:
    [[nodiscard]] std::int64_t max_bytes(const service::Principal&) const override { return 1'000'000; }
    Result<std::unique_ptr<service::Upload>> begin(service::PrincipalPtr, std::string_view filename,
                                                   std::int64_t least_bytes, service::UploadRequest) override {
        least = least_bytes;
        filenames.emplace_back(filename);
        return std::unique_ptr<service::Upload>(std::make_unique<One>(*this));
    }

    std::string content;
    std::vector<std::string> filenames;
    std::int64_t least = -1;
    int dropped = 0;
    Result<void> write_answer;
    Result<Asset> finish_answer = Asset{};

  private:
    struct One final : service::Upload {
        explicit One(StubUploads& o) : owner(o) {}
        ~One() override { owner.dropped += finished ? 0 : 1; }
        Result<void> write(std::span<const std::uint8_t> bytes) override {
            owner.content.append(bytes.begin(), bytes.end());
            return owner.write_answer;
        }
        void finish(Finished answer) override {
            finished = true;
            answer(owner.finish_answer);
        }
        StubUploads& owner;
        bool finished = false;
    };
};

class AssetRoutes : public testing::Test {
  protected:
    Result<std::unique_ptr<BodySink>> open(std::string_view content_type, std::string_view length = "100") {
        headers = {{"content-type", content_type}, {"content-length", length}};
        request.headers = headers;
        request.principal = std::make_shared<service::Principal>();
        return route.handler.open_sink(request);
    }
    Response post(std::string_view body) {
        auto sink = open("multipart/form-data; boundary=XX");
        if (!sink) return Response::from(sink.error());
        const auto written = (*sink)->write({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()});
        if (!written) return Response::from(written.error());
        Response response;
        (*sink)->finish([&](Response made) { response = std::move(made); });
        return response;
    }

    StubUploads uploads;
    std::vector<HeaderView> headers;
    Request request;
    Route route = asset_routes(uploads).at(0);
};

const std::string head = "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n";

std::string error_text(const Response& response) {
    return response.error ? response.error->message : "no error";
}

}  // namespace

TEST_F(AssetRoutes, TheRouteIsTheInterfacesOne) {
    EXPECT_EQ(route.method, Method::post);
    EXPECT_EQ(route.pattern, "/v1/assets");
    EXPECT_EQ(route.auth, Auth::api_key);
    EXPECT_EQ(route.permission, Permission::assets_write);
    EXPECT_EQ(route.limit->rate_class, service::RateClass::uploads);
    EXPECT_EQ(route.limit->scope, LimitScope::account);
}

TEST_F(AssetRoutes, AFileBecomesAnAsset) {
    Asset asset;
    asset.id = *Uuid::parse("0190b0a0-0000-7000-8000-000000000001");
    asset.account_id = *Uuid::parse("0190b0a0-0000-7000-8000-000000000002");
    asset.original_filename = "a\"b.png";
    asset.image = {ImageFormat::webp, 30, 20, 1, false, 8, "srgb"};
    asset.checksum_sha256 = "abc";
    asset.byte_size = 5;
    asset.storage_key = "assets/x/abc";
    asset.created_at = *from_iso8601("2026-01-02T03:04:05.678Z");
    uploads.finish_answer = asset;
    const auto response = post(head + "hello\r\n--XX--\r\n");
    EXPECT_EQ(response.status, 201);
    EXPECT_EQ(std::get<std::string>(response.body),
              R"({"id":"0190b0a0-0000-7000-8000-000000000001","account_id":"0190b0a0-0000-7000-8000-000000000002",)"
              R"("source_type":"upload","status":"ready","original_filename":"a\"b.png","content_type":"image/webp",)"
              R"("checksum_sha256":"abc","byte_size":5,"width":30,"height":20,"storage_key":"assets/x/abc",)"
              R"("created_at":"2026-01-02T03:04:05.678Z"})");
    EXPECT_EQ(uploads.content, "hello");
    EXPECT_EQ(uploads.filenames, std::vector<std::string>{"a.png"});
    EXPECT_EQ(uploads.dropped, 0);
}

TEST_F(AssetRoutes, AFormWithoutTheFileIsToldSo) {
    EXPECT_EQ(error_text(post("--XX--\r\n")), "file is required");
    EXPECT_EQ(error_text(post("--XX\r\nContent-Disposition: form-data; name=\"other\"\r\n\r\nx\r\n--XX--\r\n")),
              "file is required");
    EXPECT_EQ(
        error_text(post("--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--XX--\r\n")),
        "file is required");
    EXPECT_EQ(uploads.content, "");
}

TEST_F(AssetRoutes, TwoFilesAreOneTooMany) {
    EXPECT_EQ(error_text(post(head + "a\r\n" + head + "b\r\n--XX--\r\n")), "invalid multipart upload");
    EXPECT_EQ(uploads.dropped, 1);
}

TEST_F(AssetRoutes, ABodyThatEndsEarlyIsInvalidAndDropped) {
    EXPECT_EQ(error_text(post(head + "hel")), "invalid multipart upload");
    EXPECT_EQ(uploads.dropped, 1);
}

TEST_F(AssetRoutes, ARefusalInTheMiddleIsTheAnswer) {
    uploads.write_answer = Error{ErrorCode::unsupported_media_type, "not an image", ""};
    EXPECT_EQ(error_text(post(head + "hello")), "not an image");
    EXPECT_EQ(uploads.dropped, 1);
}

TEST_F(AssetRoutes, OtherBodiesAreInvalidBeforeTheyAreRead) {
    for (const auto* type :
         {"", "application/json", "image/png", "multipart/form-data", "multipart/mixed; boundary=XX"}) {
        const auto sink = open(type);
        ASSERT_FALSE(sink) << type;
        EXPECT_EQ(sink.error().message, "invalid multipart upload");
    }
}

TEST_F(AssetRoutes, ADeclaredLengthFarBeyondTheCapIsRefusedAtOnce) {
    EXPECT_TRUE(open("multipart/form-data; boundary=XX", "1000500"));
    const auto sink = open("multipart/form-data; boundary=XX", "50000000");
    ASSERT_FALSE(sink);
    EXPECT_EQ(sink.error().code, ErrorCode::upload_too_large);
}

TEST_F(AssetRoutes, TellHowLargeTheFileIsAtLeast) {
    const auto least = [&](std::string_view length) {
        auto sink = open("multipart/form-data; boundary=XX", length);
        const std::string body = head + "x";
        EXPECT_TRUE((*sink)->write({reinterpret_cast<const std::uint8_t*>(body.data()), body.size()}));
        return uploads.least;
    };
    EXPECT_EQ(least("100"), 0);
    EXPECT_GT(least("900000"), 500'000);
    EXPECT_LT(least("900000"), 900'000);
}

}  // namespace tessera::http
