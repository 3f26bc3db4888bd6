#include "blobs/filesystem/filesystem_store.hpp"

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>

#include "blobs/filesystem/layout.hpp"
#include "blobs/filesystem/listing.hpp"
#include "blobs/filesystem/publisher.hpp"
#include "blobs/staging_area.hpp"

namespace tessera::blobs {

namespace fs = std::filesystem;

namespace {

Error blob_not_found(const BlobKey& key) {
    return {ErrorCode::not_found, "not found", "no blob " + key.text()};
}

class FileBlob final : public Blob {
  public:
    FileBlob(UniqueFd fd, std::uint64_t size) : fd_(std::move(fd)), size_(size) {}

    [[nodiscard]] std::uint64_t size() const override { return size_; }
    [[nodiscard]] int descriptor() const override { return fd_.get(); }

    Result<void> read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        return read_exactly_at(fd_.get(), offset, out);
    }

    bool try_read_at(std::uint64_t offset, std::span<std::uint8_t> out) const override {
        const iovec part{out.data(), out.size()};
        const ssize_t got = ::preadv2(fd_.get(), &part, 1, static_cast<off_t>(offset), RWF_NOWAIT);
        return got >= 0 && static_cast<std::size_t>(got) == out.size();
    }

  private:
    UniqueFd fd_;
    std::uint64_t size_;
};

class FilesystemStore final : public BlobStore {
  public:
    FilesystemStore(Layout layout, StagingArea staging, UniqueFd root)
        : layout_(layout), staging_(std::move(staging)), publisher_(std::move(layout), std::move(root)) {}

    using BlobStore::publish;

    Result<StagedFile> stage() override { return staging_.create(); }

    Result<void> publish(std::vector<Publication> publications) override {
        std::vector<Publisher::Item> items;
        items.reserve(publications.size());
        for (auto& publication : publications) {
            auto staged = staging_.bring_in(std::move(publication.file));
            if (!staged) return staged.error();
            items.push_back({*std::move(staged), std::move(publication.key), publication.if_there});
        }
        publisher_.publish(items);
        for (auto& item : items) {
            if (item.error) return *std::move(item.error);
        }
        return {};
    }

    Result<std::shared_ptr<const Blob>> open(const BlobKey& key) override {
        auto fd = open_local(key);
        if (!fd) return fd.error();
        const auto size = size_of(fd->get());
        if (!size) return size.error();
        return std::shared_ptr<const Blob>(std::make_shared<FileBlob>(*std::move(fd), *size));
    }

    Result<UniqueFd> open_local(const BlobKey& key) override {
        const fs::path path = layout_.path_of(key);
        UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        if (fd) return fd;
        if (errno == ENOENT) return blob_not_found(key);
        return from_errno("open " + path.string());
    }

    Result<void> remove(const BlobKey& key) override {
        const fs::path path = layout_.path_of(key);
        if (::unlink(path.c_str()) != 0 && errno != ENOENT) return from_errno("remove " + path.string());
        return {};
    }

    Result<BlobPage> list(std::string_view prefix, const std::optional<std::string>& from, std::size_t limit) override {
        return list_files(layout_, prefix, from, limit);
    }

    Result<void> check() override {
        auto probe = staging_.create();
        if (!probe) return probe.error();
        static constexpr std::uint8_t block[4096] = {};
        return probe->write(block);
    }

  private:
    const Layout layout_;
    StagingArea staging_;
    Publisher publisher_;
};

}  // namespace

Result<std::unique_ptr<BlobStore>> open_filesystem_store(const fs::path& data_dir) {
    Layout layout(data_dir / "blobs");
    std::error_code error;
    fs::create_directories(layout.root(), error);
    if (error) return storage_unavailable("create " + layout.root().string() + ": " + error.message());
    const auto synced = sync_folder(data_dir);
    if (!synced) return synced.error();

    auto staging = StagingArea::open(data_dir / "staging");
    if (!staging) return staging.error();
    UniqueFd root(::open(layout.root().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!root) return from_errno("open " + layout.root().string());
    return std::unique_ptr<BlobStore>(
        std::make_unique<FilesystemStore>(std::move(layout), *std::move(staging), std::move(root)));
}

}  // namespace tessera::blobs
