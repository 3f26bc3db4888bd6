#include "app/migrate/blob_copy.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <utility>

#include "app/file_digest.hpp"
#include "app/trouble.hpp"
#include "core/hex.hpp"

namespace tessera::app {
namespace {

// Sent together; they wait on the local disk meanwhile.
constexpr std::size_t most_waiting = 64;
constexpr std::uint64_t most_waiting_bytes = std::uint64_t{256} << 20;

}  // namespace

std::optional<BlobCopy::Waiting> BlobCopy::give_up(const metadata::NamedBlob& blob, const std::string& why) {
    damaged_.push_back(blob.key + ": " + why);
    ++settled_.blobs;
    settled_.bytes += blob.size;
    return std::nullopt;
}

Result<std::optional<BlobCopy::Waiting>> BlobCopy::stage(const metadata::NamedBlob& blob) {
    const auto key = blobs::BlobKey::parse(blob.key);
    if (!key) return give_up(blob, told(key.error()));
    const auto source = from_.open_local(*key);
    if (!source && source.error().code == ErrorCode::not_found) return give_up(blob, "is missing");
    if (!source) return give_up(blob, told(source.error()));
    struct stat status {};
    if (fstat(source->get(), &status) != 0) return from_errno("fstat");
    if (static_cast<std::uint64_t>(status.st_size) != blob.size) {
        return give_up(blob,
                       "has " + std::to_string(status.st_size) + " bytes instead of " + std::to_string(blob.size));
    }
    auto staged = to_.stage();
    if (!staged) return staged.error();
    if (auto copied = staged->append(source->get(), blob.size); !copied) return copied.error();
    const auto digest = staged->sha256();
    if (!digest) return digest.error();
    if (!blob.sha256.empty() && to_hex(*digest) != blob.sha256) return give_up(blob, "its SHA-256 differs");
    return std::optional(Waiting{{*std::move(staged), *key, blobs::IfThere::keep}, *digest});
}

Result<std::optional<Digest>> BlobCopy::add(const metadata::NamedBlob& blob) {
    auto staged = stage(blob);
    if (!staged) return staged.error();
    if (!*staged) return std::optional<Digest>();
    const Digest digest = (*staged)->sha256;
    waiting_.push_back(*std::move(*staged));
    waiting_bytes_ += blob.size;
    if (waiting_.size() < most_waiting && waiting_bytes_ < most_waiting_bytes) return std::optional(digest);
    if (auto sent = finish(); !sent) return sent.error();
    return std::optional(digest);
}

Result<void> BlobCopy::finish() {
    std::vector<blobs::Publication> publications;
    std::vector<std::pair<blobs::BlobKey, Digest>> sent;
    for (Waiting& one : waiting_) {
        sent.emplace_back(one.publication.key, one.sha256);
        publications.push_back(std::move(one.publication));
    }
    waiting_.clear();
    if (auto published = to_.publish(std::move(publications)); !published) return published;
    if (read_back_) {
        for (const auto& [key, digest] : sent) {
            if (auto same = compare(key, digest); !same) return same;
        }
    }
    settled_.blobs += static_cast<std::int64_t>(sent.size());
    settled_.bytes += waiting_bytes_;
    waiting_bytes_ = 0;
    report_(settled_);
    return {};
}

Result<void> BlobCopy::compare(const blobs::BlobKey& key, const Digest& sha256) {
    const auto copy = to_.open_local(key);
    if (!copy) return copy.error();
    const auto digest = sha256_of_file(copy->get());
    if (!digest) return digest.error();
    if (*digest != sha256) return storage_unavailable(key.text() + " does not read back as it was sent");
    return {};
}

}  // namespace tessera::app
