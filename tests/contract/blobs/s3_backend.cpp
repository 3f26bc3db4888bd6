#include "backend.hpp"
#include "blobs/s3/s3_store.hpp"
#include "core/random.hpp"
#include "s3_server.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

namespace {

class S3Backend final : public Backend {
  public:
    S3Backend() : config_(S3Server::instance().config("test-" + random_token(12) + "/")) {}

    std::unique_ptr<BlobStore> open() override {
        auto store = open_s3_store(config_, folder_.path());
        if (store) return *std::move(store);
        ADD_FAILURE() << store.error().message << ": " << store.error().detail;
        return nullptr;
    }
    [[nodiscard]] const std::filesystem::path& local_folder() const override { return folder_.path(); }

  private:
    TemporaryFolder folder_;
    S3Config config_;
};

}  // namespace

std::vector<BackendFactory> all_backends() {
    return {{"S3", [] { return std::make_unique<S3Backend>(); }}};
}

}  // namespace tessera::blobs::contract
