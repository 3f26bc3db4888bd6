#include "backend.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/file.hpp"
#include "inspect.hpp"
#include "support.hpp"

namespace tessera::blobs::contract {

namespace {

class FilesystemBackend final : public Backend {
  public:
    std::unique_ptr<BlobStore> open() override {
        auto store = open_filesystem_store(folder_.path());
        if (store) return *std::move(store);
        ADD_FAILURE() << store.error().detail;
        return nullptr;
    }
    [[nodiscard]] const std::filesystem::path& local_folder() const override { return folder_.path(); }

  private:
    TemporaryFolder folder_;
};

}  // namespace

std::vector<BackendFactory> all_backends() {
    return {{"Filesystem", [] { return std::make_unique<FilesystemBackend>(); }}};
}

std::unique_ptr<Inspector> inspect(const Backend& backend) {
    return inspect_files(backend.local_folder());
}

std::optional<std::string> quarantined(const Backend& backend, const std::string& name) {
    auto text = read_whole_file(backend.local_folder() / "quarantine" / name, 1 << 20);
    return text ? std::optional(*std::move(text)) : std::nullopt;
}

}  // namespace tessera::blobs::contract
