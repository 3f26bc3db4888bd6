// What a backup says of itself, and whether its files are what was written.
#pragma once

#include <cstdint>
#include <string>

#include "app/backup/backup_folder.hpp"
#include "core/result.hpp"

namespace tessera::app {

struct Manifest {
    std::string made_at;
    std::string version;  // of Tessera
    std::int64_t blobs = 0;
    std::uint64_t bytes = 0;      // of the blobs
    std::int64_t damaged = 0;     // blobs that the source could not give whole
    bool has_secrets = true;      // not where the database holds them
    std::string database_sha256;  // in hex, as those below
    std::string list_sha256;
    std::string secrets_sha256;
};

// Digests are taken of the files in `backup`, which are on the disk before the manifest is.
Result<Manifest> write_manifest(const BackupFiles& backup, Manifest manifest);
Result<Manifest> read_manifest(const BackupFiles& backup);
// Whether database, secrets and list are those of the manifest; the blobs are not looked at.
Result<void> check_files(const BackupFiles& backup, const Manifest& manifest);

}  // namespace tessera::app
