#include "stores_fixture.hpp"

#include <cstdlib>

#include "blobs/filesystem/filesystem_store.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/accounts.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"

namespace tessera::service {

namespace fs = std::filesystem;

void StoresTest::SetUp() {
    store_ = std::move(*metadata::open_sqlite((folder_ / "test.db").string(), clock_));
    blobs_ = std::move(*blobs::open_filesystem_store(folder_));
    plan_.code = "test";
    plan_.included_processing_credits = 1000;
    ASSERT_TRUE(store_->plans().apply(std::span(&plan_, 1)));
    principal_ = principal_of("tester");
    other_ = principal_of("other");
}

void StoresTest::TearDown() {
    store_.reset();
    blobs_.reset();
}

Principal StoresTest::principal_of(const std::string& slug) {
    Principal principal;
    principal.account = *store_->accounts().create({slug, slug, "test"});
    principal.plan = plan_;
    return principal;
}

std::string StoresTest::publish(const std::string& key, const std::string& bytes) {
    auto staged = *blobs_->stage();
    EXPECT_TRUE(staged.write({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()}));
    EXPECT_TRUE(blobs_->publish(std::move(staged), *blobs::BlobKey::parse(key)));
    return key;
}

bool StoresTest::has_blob(const std::string& key) {
    return blobs_->open(*blobs::BlobKey::parse(key)).ok();
}

Job StoresTest::complete_job(const metadata::Completion& completion, std::optional<Uuid> tileset_id) {
    metadata::Submission submission;
    submission.job.id = Uuid::time_ordered();
    submission.job.account_id = principal_.account.id;
    submission.job.operation = "test";
    submission.job.tileset_id = tileset_id;
    EXPECT_TRUE(store_->jobs().submit(submission));
    const auto claimed = store_->queue().claim({"worker", metadata::Lane::any, 1, Millis(1000)});
    EXPECT_EQ(claimed->size(), 1U);
    EXPECT_EQ(*store_->queue().complete(claimed->front().lease, completion), metadata::CompleteAnswer::done);
    return **store_->jobs().find(principal_.account.id, submission.job.id);
}

Artifact StoresTest::make_artifact(const std::string& bytes, std::optional<Timestamp> expires_at) {
    metadata::Completion completion;
    Artifact artifact;
    artifact.id = Uuid::time_ordered();
    artifact.content_type = "image/png";
    artifact.byte_size = static_cast<std::int64_t>(bytes.size());
    artifact.checksum_sha256 = to_hex(sha256(bytes));
    artifact.storage_key = publish("artifacts/" + artifact.id.to_string(), bytes);
    artifact.filename = "picture.png";
    artifact.expires_at = expires_at;
    completion.artifacts.push_back(artifact);
    complete_job(completion);
    return artifact;
}

}  // namespace tessera::service
