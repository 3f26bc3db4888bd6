// The use cases of artifacts: describe one to its owner, and serve its bytes to whoever holds a signed address.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/file.hpp"
#include "core/job.hpp"
#include "core/result.hpp"
#include "service/access/principal.hpp"
#include "service/delivery/blob_range.hpp"
#include "service/delivery/links.hpp"

namespace tessera::service {

struct ArtifactView {
    Artifact artifact;
    DownloadLink link;
};

struct SignedArtifact {
    Artifact artifact;
    std::int64_t seconds_left = 0;  // until the address expires
};

class Artifacts {
  public:
    virtual ~Artifacts() = default;

    [[nodiscard]] virtual Result<ArtifactView> describe(const Principal& principal, std::string_view id,
                                                        std::string_view origin) = 0;
    // `expires` and `signature` as they stand in the address, undecoded: each has one spelling only.
    [[nodiscard]] virtual Result<SignedArtifact> find_signed(std::string_view id,
                                                             std::optional<std::string_view> expires,
                                                             std::optional<std::string_view> signature) = 0;
    // `artifact is unavailable` when the blob is gone or not what was stored.
    [[nodiscard]] virtual Result<BlobRange> read(const Artifact& artifact, std::uint64_t offset,
                                                 std::uint64_t length) = 0;
};

}  // namespace tessera::service
