// One blob that rows name, compared with what they say of it.
#include <algorithm>

#include "app/check/check.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/accounts.hpp"
#include "metadata/maintenance.hpp"
#include "metadata/store.hpp"
#include "tiles/archive/archive.hpp"

namespace tessera::app {
namespace {

using metadata::BlobOwner;
using metadata::OwnedBlob;

std::string text_of(const BlobOwner& owner) {
    switch (owner.kind) {
        case BlobOwner::Kind::asset: return "asset " + owner.id.to_string();
        case BlobOwner::Kind::artifact: return "artifact " + owner.id.to_string();
        case BlobOwner::Kind::tileset:
            return "tileset " + owner.id.to_string() + " version " + std::to_string(owner.version);
    }
    return {};
}

bool is_layer(const OwnedBlob& blob) {
    return std::ranges::any_of(blob.owners, [](const BlobOwner& o) { return o.kind == BlobOwner::Kind::tileset; });
}

}  // namespace

Result<std::optional<Finding>> Check::compare(const OwnedBlob& blob) {
    const auto key = blobs::BlobKey::parse(blob.key);
    if (!key) {
        return std::optional(about(FindingKind::database, blob, "the rows name a blob by a key that can't be"));
    }
    // Looked at twice: it may have been deleted, with its rows, and stored again in between.
    for (int look = 1;; ++look) {
        const auto stored = stores_.blobs.look_at(*key);
        if (!stored) return stored.error();
        std::optional<Finding> finding;
        if (*stored) {
            auto looked = look_into(blob, *key, **stored);
            if (!looked) return looked;
            finding = *std::move(looked);
        } else {
            finding = about(FindingKind::missing, blob, "it is not there");
        }
        if (!finding) return finding;
        const auto wanted = is_still_wanted(blob);
        if (!wanted) return wanted.error();
        if (!*wanted) return std::optional<Finding>();
        if (look == 2 || *stored) return finding;
    }
}

Result<std::optional<Finding>> Check::look_into(const OwnedBlob& blob, const blobs::BlobKey& key,
                                                const blobs::StoredBlob& stored) {
    if (stored.size != blob.size) {
        return std::optional(about(FindingKind::wrong_size, blob,
                                   std::to_string(stored.size) + " bytes instead of " + std::to_string(blob.size)));
    }
    const bool checksums = journal_.run().checksums;
    const std::string& expected = blob.sha256.empty() ? stored.sha256 : blob.sha256;
    // What may be wrong with it, in words; an error where it could not be read.
    Result<std::string> fault = std::string();
    FindingKind kind = FindingKind::bad_archive;
    if (is_layer(blob)) fault = fault_of_archive(key, stored.size, checksums && expected.empty());
    if (fault && fault->empty() && checksums && !(is_layer(blob) && expected.empty())) {
        kind = FindingKind::damaged;
        fault = fault_of_bytes(key, expected);
    }
    if (fault) {
        if (fault->empty()) return std::optional<Finding>();
        return std::optional(about(kind, blob, *fault));
    }
    if (fault.error().code == ErrorCode::not_found) {
        return std::optional(about(FindingKind::missing, blob, "it is not there"));
    }
    // The whole store, or this one blob?
    if (const auto alive = stores_.blobs.list(std::nullopt, 1); !alive) return alive.error();
    return std::optional(about(FindingKind::unreadable, blob, fault.error().detail));
}

Result<std::string> Check::fault_of_archive(const blobs::BlobKey& key, std::uint64_t size, bool all_tiles) {
    auto read = stores_.blobs.open(key);
    if (!read) return read.error();
    const auto archive = tiles::Archive::open(*std::move(read), size);
    const auto fault_in = [](const Error& error) -> Result<std::string> {
        if (error.code == ErrorCode::storage_unavailable || error.code == ErrorCode::not_found) return error;
        return error.detail;
    };
    if (!archive) return fault_in(archive.error());
    if (!all_tiles) return std::string();
    std::uint64_t verified_to = 0;  // equal tiles are stored once, and entries that come back to one lie before it
    const auto sound = (*archive)->for_each([&](const tiles::Archive::Run& run) -> Result<void> {
        if (run.location.offset < verified_to) return {};
        verified_to = run.location.offset + run.location.length;
        count_read(run.location.length);
        if (const auto tile = (*archive)->read(run.location); !tile) return tile.error();
        return {};
    });
    if (!sound) return fault_in(sound.error());
    return std::string();
}

Result<std::string> Check::fault_of_bytes(const blobs::BlobKey& key, const std::string& sha256) {
    Sha256 hash;
    const auto read = stores_.blobs.read(key, [&](std::span<const std::uint8_t> bytes) {
        count_read(bytes.size());
        hash.update(bytes);
    });
    if (!read) return read.error();
    const std::string found = to_hex(hash.finish());
    if (sha256.empty() || found == sha256) return std::string();
    return "its SHA-256 is " + found + " instead of " + sha256;
}

void Check::count_read(std::uint64_t bytes) {
    bytes_ += bytes;
    pace_.read(bytes);
}

Result<bool> Check::is_still_wanted(const OwnedBlob& blob) {
    const std::vector<std::string> keys{blob.key};
    const auto unnamed = stores_.store.maintenance().unnamed(keys);
    if (!unnamed) return unnamed.error();
    if (!unnamed->empty()) return false;
    const auto account = stores_.store.accounts().find(blob.owners.front().account_id);
    if (!account) return account.error();
    return !*account || !(*account)->erasure_begun_at;
}

Finding Check::about(FindingKind kind, const OwnedBlob& blob, std::string detail) const {
    Finding finding{.kind = kind, .key = blob.key, .detail = std::move(detail), .of_tileset = is_layer(blob)};
    const auto key = blobs::BlobKey::parse(blob.key);
    finding.where = key ? stores_.blobs.place_of(*key) : blob.key;
    finding.account_id = blob.owners.front().account_id;
    for (const BlobOwner& owner : blob.owners) finding.owner += (finding.owner.empty() ? "" : ", ") + text_of(owner);
    const auto named = static_cast<std::int64_t>(blob.owners.size());
    if (blob.rows > named) finding.owner += " and " + std::to_string(blob.rows - named) + " more rows";
    return finding;
}

}  // namespace tessera::app
