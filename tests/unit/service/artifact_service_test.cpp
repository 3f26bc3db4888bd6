#include "service/delivery/artifact_service.hpp"

#include "stores_fixture.hpp"

namespace tessera::service {
namespace {

using namespace std::chrono_literals;

class ArtifactServiceTest : public StoresTest {
  protected:
    void SetUp() override {
        StoresTest::SetUp();
        service_ = std::make_unique<ArtifactService>(*store_, *blobs_, signer_, links_, clock_);
    }
    void TearDown() override {
        service_.reset();
        StoresTest::TearDown();
    }
    Result<SignedArtifact> find(const Artifact& artifact, std::int64_t expires) {
        return service_->find_signed(artifact.id.to_string(), std::to_string(expires),
                                     signer_.sign_artifact(artifact.id, expires));
    }
    std::string read(const Artifact& artifact, std::uint64_t offset, std::uint64_t length) {
        const auto part = service_->read(artifact, offset, length);
        if (!part) return part.error().message;
        std::string bytes(part->length, '\0');
        EXPECT_TRUE(read_exactly_at(part->file->get(), part->offset,
                                    {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()}));
        return bytes;
    }

    Links links_{{"https://img.example.org/", ""}, signer_};
    std::unique_ptr<ArtifactService> service_;
};

TEST_F(ArtifactServiceTest, DescribesToTheOwnerAlone) {
    const Artifact artifact = make_artifact("0123456789");
    const std::string id = artifact.id.to_string();
    const auto view = service_->describe(principal_, id, "http://host");
    ASSERT_TRUE(view);
    EXPECT_EQ(view->link.url.substr(0, 24 + 14), "https://img.example.org/v1/artifacts/" + id.substr(0, 1));
    EXPECT_EQ(service_->describe(other_, id, "http://host").error().message, "artifact not found");
    EXPECT_EQ(service_->describe(principal_, "x", "http://host").error().message, "invalid artifact id");
}

TEST_F(ArtifactServiceTest, ServesWhatWasSignedForAsLongAsItIsThere) {
    const Artifact artifact = make_artifact("0123456789", clock_.now() + 1h);
    const std::int64_t expires = to_unix_seconds(clock_.now()) + 7200;
    const auto found = find(artifact, expires);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->seconds_left, 7200);
    EXPECT_EQ(read(found->artifact, 0, 10), "0123456789");
    EXPECT_EQ(read(found->artifact, 3, 4), "3456");
    clock_.advance(1h);
    EXPECT_EQ(find(artifact, expires).error().message, "artifact not found");
    clock_.advance(1h);
    EXPECT_EQ(find(artifact, expires).error().message, "invalid or expired download signature");
}

TEST_F(ArtifactServiceTest, ABlobThatIsGoneOrCutShortIsUnavailable) {
    const Artifact artifact = make_artifact("0123456789");
    Artifact longer = artifact;
    longer.byte_size = 11;
    EXPECT_EQ(read(longer, 0, 11), "artifact is unavailable");
    ASSERT_TRUE(blobs_->remove(*blobs::BlobKey::parse(artifact.storage_key)));
    EXPECT_EQ(read(artifact, 0, 10), "artifact is unavailable");
}

TEST_F(ArtifactServiceTest, BadSignaturesAndBadShapesAreToldApart) {
    const Artifact artifact = make_artifact("0123456789");
    const std::string id = artifact.id.to_string();
    const std::string expires = std::to_string(to_unix_seconds(clock_.now()) + 60);
    const auto code = [&](std::string_view i, std::optional<std::string_view> e, std::optional<std::string_view> s) {
        return service_->find_signed(i, e, s).error().code;
    };
    EXPECT_EQ(code(id, expires, std::string(64, '0')), ErrorCode::invalid_signature);
    EXPECT_EQ(code(id, expires, std::nullopt), ErrorCode::invalid_signature);
    EXPECT_EQ(code(id, std::nullopt, std::string(64, '0')), ErrorCode::invalid_signature);
    EXPECT_EQ(code(id, "soon", std::string(64, '0')), ErrorCode::invalid_request);
    EXPECT_EQ(code("nonsense", expires, std::string(64, '0')), ErrorCode::invalid_id);
}

}  // namespace
}  // namespace tessera::service
