#include "service/delivery/artifact_service.hpp"

#include "metadata/artifacts.hpp"
#include "metadata/store.hpp"

namespace tessera::service {
namespace {

Error invalid_artifact_id() {
    return {ErrorCode::invalid_id, "invalid artifact id", {}};
}
Error artifact_not_found() {
    return {ErrorCode::artifact_not_found, "artifact not found", {}};
}
Error invalid_signature() {
    return {ErrorCode::invalid_signature, "invalid or expired download signature", {}};
}
Error artifact_unavailable(const Uuid& id, const Error& cause) {
    return reworded(cause, ErrorCode::artifact_unavailable, "artifact is unavailable",
                    "artifact " + id.to_string() + ": ");
}

}  // namespace

ArtifactService::ArtifactService(metadata::Store& store, blobs::BlobStore& blobs, const Signer& signer,
                                 const Links& links, const Clock& clock)
    : store_(store), blobs_(blobs), signer_(signer), links_(links), clock_(clock) {}

Result<ArtifactView> ArtifactService::describe(const Principal& principal, std::string_view id,
                                               std::string_view origin) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return invalid_artifact_id();
    auto artifact = store_.artifacts().find(principal.account.id, *parsed);
    if (!artifact) return artifact_unavailable(*parsed, artifact.error());
    if (!*artifact) return artifact_not_found();
    DownloadLink link = links_.download(**artifact, origin, clock_.now());
    return ArtifactView{std::move(**artifact), std::move(link)};
}

Result<SignedArtifact> ArtifactService::find_signed(std::string_view id, std::optional<std::string_view> expires,
                                                    std::optional<std::string_view> signature) {
    const auto parsed = Uuid::parse(id);
    if (!parsed) return invalid_artifact_id();
    if (!expires || !signature) return invalid_signature();
    const auto expires_at = parse_expires(*expires);
    if (!expires_at) return expires_is_no_time();
    const Timestamp now = clock_.now();
    if (!signer_.verify_artifact(*parsed, *expires_at, *signature, now)) return invalid_signature();

    auto artifact = store_.artifacts().find_signed(*parsed);
    if (!artifact) return artifact_unavailable(*parsed, artifact.error());
    if (!*artifact) return artifact_not_found();
    return SignedArtifact{std::move(**artifact), *expires_at - to_unix_seconds(now)};
}

Result<BlobRange> ArtifactService::read(const Artifact& artifact, std::uint64_t offset, std::uint64_t length) {
    auto range = read_range(blobs_, artifact.storage_key, artifact.byte_size, offset, length);
    if (!range) return artifact_unavailable(artifact.id, range.error());
    return range;
}

}  // namespace tessera::service
