#include "app/secret_list.hpp"

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/trouble.hpp"
#include "metadata/signing_secrets.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

class SecretFile final : public SecretList {
  public:
    SecretFile(std::filesystem::path file, const Clock& clock) : file_(std::move(file)), clock_(clock) {}

    Result<std::vector<SigningSecret>> read() override { return read_secrets(file_); }
    Result<std::vector<SigningSecret>> read_or_make() override { return read_or_make_secrets(file_, clock_.now()); }
    Result<std::vector<SigningSecret>> rotate(std::size_t keep) override {
        return rotate_secrets(file_, keep, clock_.now());
    }

  private:
    const std::filesystem::path file_;
    const Clock& clock_;
};

// Times are the database's, so that the order is one for all nodes.
class SharedSecrets final : public SecretList {
  public:
    explicit SharedSecrets(metadata::SigningSecrets& stored) : stored_(stored) {}

    Result<std::vector<SigningSecret>> read() override {
        auto secrets = checked(stored_.all());
        if (secrets && secrets->empty()) return trouble("the database holds no signing secrets");
        return secrets;
    }
    Result<std::vector<SigningSecret>> read_or_make() override {
        return checked(stored_.all_or_first(new_secret_text()));
    }
    Result<std::vector<SigningSecret>> rotate(std::size_t keep) override {
        return checked(stored_.rotate(new_secret_text(), keep));
    }

  private:
    static Result<std::vector<SigningSecret>> checked(Result<std::vector<metadata::StoredSecret>> stored) {
        if (!stored) return trouble("can't use the signing secrets in the database: " + told(stored.error()));
        std::vector<SigningSecret> secrets;
        for (metadata::StoredSecret& one : *stored) secrets.push_back({std::move(one.secret), one.created_at});
        return secrets;
    }

    metadata::SigningSecrets& stored_;
};

}  // namespace

std::unique_ptr<SecretList> open_secret_list(const SecretsConfig& config, const DataFolder& folder,
                                             metadata::Store& store, const Clock& clock) {
    if (config.file.empty() && store.signing_secrets() != nullptr) {
        return std::make_unique<SharedSecrets>(*store.signing_secrets());
    }
    return std::make_unique<SecretFile>(secrets_path(config, folder), clock);
}

}  // namespace tessera::app
