#include "blobs/inspector.hpp"

#include <algorithm>

#include "blobs/s3/s3_client.hpp"

namespace tessera::blobs {

namespace {

constexpr std::size_t step = std::size_t{8} << 20;
constexpr std::string_view quarantine = ".quarantine/";

class S3Inspector final : public Inspector {
  public:
    explicit S3Inspector(const S3Config& config) : client_(config) {}

    Result<std::string> look() override {
        if (auto looked = client_.look(); !looked) return looked.error();
        return "bucket \"" + client_.config().bucket + "\" at " + client_.config().endpoint + " answers";
    }

    Result<BlobPage> list(const std::optional<std::string>& from, std::size_t limit) override {
        return list_blobs(client_, "", from, limit);
    }

    Result<std::optional<StoredBlob>> look_at(const BlobKey& key) override {
        const auto object = client_.head(key);
        if (object) return std::optional(StoredBlob{object->size, object->sha256});
        if (object.error().code == ErrorCode::not_found) return std::optional<StoredBlob>();
        return object.error();
    }

    Result<ReadAt> open(const BlobKey& key) override {
        const auto object = client_.head(key);
        if (!object) return object.error();
        return ReadAt(
            [this, key, etag = object->etag](std::uint64_t offset, std::span<std::uint8_t> out) -> Result<void> {
                const auto got = client_.read(key, offset, out, etag);
                if (!got) return got.error();
                if (got->received == out.size()) return {};
                return storage_unavailable("s3: " + key.text() + " ends early");
            });
    }

    Result<void> read(const BlobKey& key, const UseBytes& use) override {
        const auto object = client_.head(key);
        if (!object) return object.error();
        std::vector<std::uint8_t> buffer(std::min<std::uint64_t>(step, object->size));
        for (std::uint64_t offset = 0; offset < object->size;) {
            const auto part = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), object->size - offset));
            const auto got = client_.read(key, offset, part, object->etag);
            if (!got) return got.error();
            use(part.first(got->received));
            offset += part.size();
        }
        return {};
    }

    [[nodiscard]] std::string place_of(const BlobKey& key) const override { return address(key.text()); }

    Result<void> leftovers(Timestamp before, const std::function<void(const Leftover&)>& use) override {
        return client_.each_upload(before, [&](const S3Upload& upload) -> Result<void> {
            use({Leftover::Kind::upload, address(upload.key) + ", begun " + to_iso8601(upload.begun_at), 0});
            return {};
        });
    }

    Result<std::optional<std::string>> set_aside(const BlobKey& key, std::string_view run, std::string_view note,
                                                 const MayGo& may_go) override {
        const std::string target = std::string(quarantine) + std::string(run) + "/" + key.text();
        if (auto noted = client_.put_text(target + ".json", note); !noted) return noted.error();
        const auto copied = client_.copy(key, target);
        // Not there any more: an earlier run, which was interrupted, may have come as far as this.
        const bool was_moved = !copied && copied.error().code == ErrorCode::not_found && client_.is_there(target);
        if (was_moved) return std::optional(address(target));
        if (!copied) return copied.error();
        const auto goes = may_go();
        if (!goes) return goes.error();
        if (!*goes) return std::optional<std::string>();
        if (auto removed = client_.remove(key); !removed) return removed.error();
        return std::optional(address(target));
    }

    Result<std::string> set_stray_aside(const std::string& where, std::string_view, std::string_view) override {
        return internal_error("a bucket has no stray files: " + where);
    }

  private:
    [[nodiscard]] std::string address(const std::string& key) const {
        return "s3://" + client_.config().bucket + "/" + client_.config().prefix + key;
    }

    S3Client client_;
};

}  // namespace

std::unique_ptr<Inspector> inspect_s3(const S3Config& config) {
    return std::make_unique<S3Inspector>(config);
}

}  // namespace tessera::blobs
