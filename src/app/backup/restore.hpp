// Brings a backup back into an empty data folder: blobs and secrets first and the database last, so that a folder with
// a database is whole. One that was interrupted is marked, no server starts on it, and running the restore again goes
// on.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/backup/backup_folder.hpp"
#include "app/backup/manifest.hpp"
#include "app/config/config.hpp"
#include "app/data_folder.hpp"

namespace tessera::app {

struct RestoreOptions {
    std::string backup;          // its name; empty: the newest
    bool force = false;          // put what is there aside
    bool allow_damaged = false;  // bring back the rows of blobs that the backup lacks, too
};

struct RestoreReport {
    std::string name;
    Manifest manifest;
    std::vector<std::string> damaged;  // what and why
    std::string put_aside;             // the folder that holds what was there; empty where nothing was
};

// Throws CommandFailed. `folder` must be locked for moving.
RestoreReport restore(const BackupFolder& backups, const Config& config, const DataFolder& folder,
                      const RestoreOptions& options,
                      const std::function<void(std::uint64_t done, std::uint64_t total)>& show);

}  // namespace tessera::app
