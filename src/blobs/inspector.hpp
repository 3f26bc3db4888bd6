// How a check looks into a blob store: past all caches, at what others left lying about, too, and without making
// anything in it. What should not be where it is can be set aside. Nothing is ever deleted here: its bytes are in the
// quarantine before its name goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "blobs/blob_key.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/s3/s3_config.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

// A thing in the store that is no blob.
struct Leftover {
    enum class Kind {
        stray,   // a file among the blobs that no key leads to
        staged,  // half-written files of a process that died; the next start on the folder sweeps them
        upload,  // an upload in parts that was never completed; the service ends it when it is old enough
    };
    Kind kind = Kind::stray;
    std::string where;
    std::uint64_t bytes = 0;  // 0 where the store does not tell
};

struct StoredBlob {
    std::uint64_t size = 0;
    std::string sha256{};  // in hex, as the store noted it when it was written; empty where it keeps no notes
};

class Inspector {
  public:
    virtual ~Inspector() = default;

    // Whether the store answers and lets us read, in words for people, as is what is wrong with it.
    virtual Result<std::string> look() = 0;
    // As BlobStore::list, of all blobs.
    virtual Result<BlobPage> list(const std::optional<std::string>& from, std::size_t limit) = 0;
    // Nothing where there is no such blob.
    virtual Result<std::optional<StoredBlob>> look_at(const BlobKey& key) = 0;
    // All bytes, piece by piece. `not_found` where there is no such blob.
    using UseBytes = std::function<void(std::span<const std::uint8_t>)>;
    virtual Result<void> read(const BlobKey& key, const UseBytes& use) = 0;
    // Reads anywhere in it: fills all of `out` or fails.
    using ReadAt = std::function<Result<void>(std::uint64_t offset, std::span<std::uint8_t> out)>;
    virtual Result<ReadAt> open(const BlobKey& key) = 0;
    // Where it lies, for people.
    [[nodiscard]] virtual std::string place_of(const BlobKey& key) const = 0;

    // Told one by one, since there may be many. Uploads only if they were begun before that instant.
    virtual Result<void> leftovers(Timestamp before, const std::function<void(const Leftover&)>& use) = 0;

    // Moves a blob into the quarantine of this run, with a small file beside it that holds `note`; where it lies now.
    // May be repeated when it was interrupted. `may_go` is asked when its bytes are safe there and before its name
    // goes: false leaves it where it was as well, and gives nothing.
    using MayGo = std::function<Result<bool>()>;
    virtual Result<std::optional<std::string>> set_aside(const BlobKey& key, std::string_view run,
                                                         std::string_view note, const MayGo& may_go) = 0;
    // The same for a stray file.
    virtual Result<std::string> set_stray_aside(const std::string& where, std::string_view run,
                                                std::string_view note) = 0;
};

// The quarantine is the folder quarantine/ beside blobs/. Makes nothing before something is set aside.
std::unique_ptr<Inspector> inspect_files(const std::filesystem::path& data_dir);
// The quarantine is below .quarantine/ in the bucket: no key of a blob begins with a dot, so that no node takes what
// lies there for a blob.
std::unique_ptr<Inspector> inspect_s3(const S3Config& config);

}  // namespace tessera::blobs
