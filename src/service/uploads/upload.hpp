// Uploading a source image: the use case behind POST /v1/assets, as its callers see it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/asset.hpp"
#include "core/result.hpp"
#include "service/access/principal.hpp"
#include "service/access/storage_limits.hpp"

namespace tessera::service {

// One file on its way in. Dropping it before finish() was called leaves nothing behind.
class Upload {
  public:
    virtual ~Upload() = default;
    // May refuse at any piece: unsupported_media_type as soon as the first bytes tell, upload_too_large at the first
    // byte beyond the cap, storage_limit_exceeded at the first that an account known to be short of room can't keep.
    virtual Result<void> write(std::span<const std::uint8_t> bytes) = 0;
    // The file is complete: it is scanned where that is enabled, probed and stored, each when it is its account's turn.
    // `finished` is called once, from any thread, and the asset is durable then; the upload itself may be gone.
    using Finished = std::function<void(Result<Asset>)>;
    virtual void finish(Finished finished) = 0;
};

// The request that brings a file, for the log.
struct UploadRequest {
    std::string request_id;
    std::string trace_id;
};

class Uploads {
  public:
    virtual ~Uploads() = default;
    // The most bytes that a file of this caller may have.
    [[nodiscard]] virtual std::int64_t max_bytes(const Principal& principal) const = 0;
    // `filename` is as the client sent it; the file has `least_bytes` or more, as far as the request tells.
    virtual Result<std::unique_ptr<Upload>> begin(PrincipalPtr principal, std::string_view filename,
                                                  std::int64_t least_bytes, UploadRequest request) = 0;
};

Error upload_too_large(std::int64_t max_bytes);
Error storage_limit_exceeded(const StorageConfig& storage, const PlanLimits& plan,
                             const std::optional<Room>& left = std::nullopt);

// What is kept of a client's file name: no folders, no control or direction-changing characters, valid UTF-8, at most
// 255 bytes with its extension kept; "upload" when nothing is left.
std::string safe_filename(std::string_view filename);

}  // namespace tessera::service
