#include "backend.hpp"
#include "blobs/s3/http_exchange.hpp"
#include "blobs/s3/s3_store.hpp"
#include "blobs/s3/s3_text.hpp"
#include "core/random.hpp"
#include "inspect.hpp"
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
    [[nodiscard]] const S3Config& config() const { return config_; }

  private:
    TemporaryFolder folder_;
    S3Config config_;
};

}  // namespace

std::vector<BackendFactory> all_backends() {
    return {{"S3", [] { return std::make_unique<S3Backend>(); }}};
}

std::unique_ptr<Inspector> inspect(const Backend& backend) {
    return inspect_s3(dynamic_cast<const S3Backend&>(backend).config());
}

std::optional<std::string> quarantined(const Backend& backend, const std::string& name) {
    const S3Config& config = dynamic_cast<const S3Backend&>(backend).config();
    HttpExchanger http({config.region, config.access_key_id, config.secret_access_key}, config.connect_timeout,
                       config.stall_timeout);
    HttpRequest get;
    get.url = config.endpoint + "/" + config.bucket + "/" + config.prefix + ".quarantine/" + name;
    get.headers.push_back("x-amz-content-sha256: " + std::string(sha256_of_nothing));
    auto answer = http.exchange(get);
    return answer && answer->ok() ? std::optional(std::move(answer->body)) : std::nullopt;
}

}  // namespace tessera::blobs::contract
