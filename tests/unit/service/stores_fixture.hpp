// Real stores in a temporary folder, with one account on a plan: the ground for tests of use cases.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "blobs/blob_store.hpp"
#include "core/clock.hpp"
#include "metadata/queue.hpp"
#include "metadata/store.hpp"
#include "service/access/principal.hpp"
#include "service/delivery/signing.hpp"
#include "support/temporary_folder.hpp"

namespace tessera::service {

class StoresTest : public testing::Test {
  protected:
    void SetUp() override;
    void TearDown() override;

    [[nodiscard]] Principal principal_of(const std::string& slug);
    std::string publish(const std::string& key, const std::string& bytes);
    [[nodiscard]] bool has_blob(const std::string& key);
    // Runs a job of the account to its end with what it made.
    Job complete_job(const metadata::Completion& completion, std::optional<Uuid> tileset_id = {});
    // An artifact of a new job, with its bytes stored.
    Artifact make_artifact(const std::string& bytes, std::optional<Timestamp> expires_at = {});

    const test::TemporaryFolder folder_;
    ManualClock clock_{*from_iso8601("2026-03-01T12:00:00Z")};
    std::unique_ptr<metadata::Store> store_;
    std::unique_ptr<blobs::BlobStore> blobs_;
    Plan plan_;
    Principal principal_;
    Principal other_;
    Signer signer_{{"secret"}, {}};
};

}  // namespace tessera::service
