#include "blobs/s3/remote_blob.hpp"

namespace tessera::blobs {

namespace {

// The same bytes that were sent in other parts have another ETag.
bool is_same(const S3Object& got, const RemoteObject& expected) {
    if (got.size != expected.size) return false;
    return got.etag == expected.etag || (!expected.sha256.empty() && got.sha256 == expected.sha256);
}

class RemoteBlob final : public Blob {
  public:
    RemoteBlob(std::shared_ptr<Remote> remote, BlobKey key, ObjectPtr object)
        : remote_(std::move(remote)), key_(std::move(key)), object_(std::move(object)) {}

    [[nodiscard]] std::uint64_t size() const override { return object_->size; }
    [[nodiscard]] int descriptor() const override { return -1; }
    Result<void> read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        return remote_->ranges.read(*object_, offset, out, [this](std::uint64_t at, std::span<std::uint8_t> part) {
            return remote_->fetch(key_, *object_, at, part);
        });
    }
    bool try_read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        return remote_->ranges.try_read(*object_, offset, out);
    }
    [[nodiscard]] std::optional<HeldBytes> hold(std::uint64_t offset, std::size_t length) const override {
        return remote_->ranges.hold(*object_, offset, length);
    }

  private:
    const std::shared_ptr<Remote> remote_;
    const BlobKey key_;
    const ObjectPtr object_;
};

}  // namespace

Result<void> Remote::fetch(const BlobKey& key, const RemoteObject& object, std::uint64_t offset,
                           std::span<std::uint8_t> out) {
    auto got = client.read(key, offset, out);
    if (!got) {
        if (got.error().code == ErrorCode::not_found) known.forget(key);
        return std::move(got).error();
    }
    if (is_same(got->object, object) && got->received == out.size()) return {};
    known.forget(key);
    return storage_unavailable("s3: " + key.text() + " is not what it was");
}

Result<ObjectPtr> Remote::look_at(const BlobKey& key) {
    Block first(block_bytes);
    auto got = client.read(key, 0, first);
    if (!got) return got.error();
    const auto object = std::make_shared<const RemoteObject>(
        RemoteObject{known.id_for(key, got->object.etag), got->object.size, got->object.etag, got->object.sha256});
    known.insert(key, object);
    first.resize(got->received);
    if (!first.empty()) blocks.insert({object->id, 0}, std::make_shared<const Block>(std::move(first)));
    return ObjectPtr(object);
}

std::shared_ptr<const Blob> open_remote_blob(std::shared_ptr<Remote> remote, const BlobKey& key, ObjectPtr object) {
    return std::make_shared<RemoteBlob>(std::move(remote), key, std::move(object));
}

}  // namespace tessera::blobs
