#include "service/delivery/artifact_service.hpp"

#include <fcntl.h>

#include "blobs/blob_store.hpp"
#include "core/log.hpp"
#include "metadata/artifacts.hpp"
#include "metadata/store.hpp"

namespace tessera::service {
namespace {

// A part of a remote blob up to this size is read straight into memory; a larger one goes through a local file.
constexpr std::uint64_t max_bytes_in_memory = 8 << 20;

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
Error artifact_unavailable(const Artifact& artifact, std::string_view cause) {
    return artifact_unavailable(artifact.id, internal_error(std::string(cause)));
}

Result<UniqueFd> duplicate(int fd) {
    UniqueFd copy(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
    if (!copy) return from_errno("duplicate a descriptor");
    return copy;
}

Result<ArtifactPart> part_of_file(UniqueFd file, std::uint64_t offset, std::uint64_t length) {
    return ArtifactPart{std::make_shared<const UniqueFd>(std::move(file)), nullptr, offset, length};
}

Result<ArtifactPart> part_in_memory(const blobs::Blob& blob, std::uint64_t offset, std::uint64_t length) {
    auto bytes = std::make_shared<std::string>(length, '\0');
    auto ok = blob.read_at(offset, {reinterpret_cast<std::uint8_t*>(bytes->data()), bytes->size()});
    if (!ok) return std::move(ok).error();
    return ArtifactPart{nullptr, std::move(bytes), 0, length};
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

Result<ArtifactPart> ArtifactService::read(const Artifact& artifact, std::uint64_t offset, std::uint64_t length) {
    auto key = blobs::BlobKey::parse(artifact.storage_key);
    if (!key) return artifact_unavailable(artifact.id, key.error());
    auto blob = blobs_.open(*key);
    if (!blob) {
        if (blob.error().code == ErrorCode::not_found) return artifact_unavailable(artifact, "the blob is gone");
        return artifact_unavailable(artifact.id, blob.error());
    }
    if ((*blob)->size() != static_cast<std::uint64_t>(artifact.byte_size)) {
        return artifact_unavailable(artifact, "the blob is not as long as it was");
    }
    const int descriptor = (*blob)->descriptor();
    auto file = descriptor >= 0                ? duplicate(descriptor)
                : length > max_bytes_in_memory ? blobs_.open_local(*key)
                                               : Result<UniqueFd>(UniqueFd());
    if (!file) return artifact_unavailable(artifact.id, file.error());
    if (*file) return part_of_file(std::move(*file), offset, length);
    auto part = part_in_memory(**blob, offset, length);
    if (!part) return artifact_unavailable(artifact.id, part.error());
    return part;
}

}  // namespace tessera::service
