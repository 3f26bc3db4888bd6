// The S3 operations that a blob store needs, each tried again where that may help. Errors tell `not_found` from all
// that makes the store unavailable.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/blob_key.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/request_meters.hpp"
#include "blobs/s3/http_exchange.hpp"
#include "blobs/s3/s3_config.hpp"
#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

struct S3Object {
    std::uint64_t size = 0;
    std::string etag;
    std::string sha256;  // in hex, as it was when it was stored; empty for objects that others put there
};

struct S3Range {
    S3Object object;
    std::size_t received = 0;
};

struct S3Listing {
    struct Entry {
        std::string key;  // without the configured prefix
        std::uint64_t size = 0;
        Timestamp modified_at;
    };
    std::vector<Entry> entries;
    bool truncated = false;
};

// One in parts that was begun and not completed.
struct S3Upload {
    std::string key;  // without the configured prefix
    std::string id;
    Timestamp begun_at;
};

class S3Client {
  public:
    explicit S3Client(const S3Config& config);

    Result<S3Object> head(const BlobKey& key);
    // Reads up to out.size() bytes from `offset`. With an etag, only of that very object.
    Result<S3Range> read(const BlobKey& key, std::uint64_t offset, std::span<std::uint8_t> out,
                         const std::string& etag = "");
    // The store checks the payload against the digest; it is kept with the object, too.
    Result<void> put(const BlobKey& key, const FileSlice& file, const Digest& sha256);
    // In parts, for large files; nothing is left when it fails.
    Result<void> put_in_parts(const BlobKey& key, const FileSlice& file, const Digest& sha256);
    // The first step of that; its upload id.
    Result<std::string> begin_upload(const BlobKey& key, const std::string& sha256);
    // Uploads in parts that were begun before that instant and never completed. One page: what is left over is seen by
    // the next call, when the first thousand are gone. Goes on after an error of `use`, and gives back the last one.
    Result<void> each_upload(Timestamp before, const std::function<Result<void>(const S3Upload&)>& use);
    // Ends them; how many.
    Result<std::int64_t> abort_uploads(Timestamp before);
    Result<void> remove(const BlobKey& key);
    // The same object once more, under a name that need not be a blob's: copied by the store itself up to 5 GiB, which
    // is as much as S3 copies in one step.
    static constexpr std::uint64_t largest_copy = std::uint64_t{5} << 30;
    Result<void> copy(const BlobKey& key, const std::string& target, std::uint64_t in_one_step = largest_copy);
    Result<void> put_text(const std::string& target, std::string_view text);
    [[nodiscard]] bool is_there(const std::string& target);
    Result<S3Listing> list(std::string_view prefix, std::string_view start_after, std::size_t limit);

    // One try to list the bucket. The error's message is for people; its code is invalid_request where the store
    // answered and refused, so that waiting will not help.
    Result<void> look();
    // Likewise one try to write and remove a small object.
    Result<void> try_writing(const BlobKey& key);

    [[nodiscard]] const S3Config& config() const { return config_; }
    [[nodiscard]] const RequestMeters& meters() const { return meters_; }

  private:
    struct Upload;
    Result<HttpResponse> send(const HttpRequest& request, int attempts) const;
    Result<HttpResponse> send(const HttpRequest& request) const { return send(request, config_.attempts); }
    [[nodiscard]] HttpRequest request(std::string method, std::string_view key, std::string_view query,
                                      std::string_view payload_sha256) const;
    [[nodiscard]] HttpRequest request(std::string method, const BlobKey& key, std::string_view query = "") const;
    Result<std::string> send_part(const Upload& upload, const FileSlice& slice, std::size_t number) const;
    Result<void> copy_in_parts(const BlobKey& key, const S3Object& object, const std::string& target);
    Result<void> complete(const Upload& upload, std::uint64_t size, const std::string& sha256);

    const S3Config config_;
    mutable HttpExchanger http_;
    mutable RequestMeters meters_;
    const std::string base_;  // of every address: endpoint and, with path style, bucket
};

// Where a node tries at its start whether it may write.
inline constexpr std::string_view probe_prefix = "tessera-probe/";

// The objects that are blobs, as BlobStore::list gives them.
Result<BlobPage> list_blobs(S3Client& client, std::string_view prefix, const std::optional<std::string>& from,
                            std::size_t limit);

}  // namespace tessera::blobs
