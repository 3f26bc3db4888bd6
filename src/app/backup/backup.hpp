// Makes a backup of an embedded service while it works, and clears away old ones.
//
// Order: from now on nobody deletes a blob; the database is copied, as of one moment; then the blobs that this copy
// names (all of them are there: a row is committed after its blob is stored), as far as earlier backups don't have
// them; the signing secrets; and at last the backup gets its name.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/backup/backup_folder.hpp"
#include "app/backup/manifest.hpp"
#include "core/clock.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct BackupSource {
    metadata::Store& store;
    blobs::BlobStore& blobs;
    std::filesystem::path secrets;  // may not be there
    const Clock& clock;
};

struct BackupReport {
    std::string name;
    Manifest manifest;
    std::int64_t new_blobs = 0;
    std::uint64_t new_bytes = 0;
    std::vector<std::string> damaged;  // what and why
};

using ShowProgress = std::function<void(std::uint64_t done, std::uint64_t total)>;

// Throws CommandFailed; nothing that was there before is harmed then.
BackupReport make_backup(const BackupSource& source, const BackupFolder& folder, const ShowProgress& show);

struct PruneReport {
    std::vector<std::string> backups;  // their names
    std::int64_t blobs = 0;
};

// Leaves the newest `keep` (all of them where it is 0), and of the blobs those that one of them names.
PruneReport prune(const BackupFolder& folder, std::size_t keep);

// Reads all that the backups hold. What is missing or is not what was written is told; empty when all is well.
std::vector<std::string> verify(const BackupFolder& folder, const ShowProgress& show);

}  // namespace tessera::app
