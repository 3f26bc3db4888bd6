// A folder of backups:
//
//   tessera-backup       marks it as ours; its lock lets one backup at a time write there
//   blobs/               the bytes, each once, however many backups name them
//   2027-01-31T02-00-00.000Z/    one backup, whole: tessera.db, signing-secrets, blobs (the list), manifest.json
//   .partial-…, .gone-…  what an interrupted run left: no backup, cleared away by the next run
//
// A backup appears under its name in one step, after all of it and every blob that it names is on the disk.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/file.hpp"
#include "core/result.hpp"

namespace tessera::app {

// The files of one backup.
struct BackupFiles {
    std::filesystem::path folder;

    [[nodiscard]] std::string name() const { return folder.filename().string(); }
    [[nodiscard]] std::filesystem::path database() const { return folder / "tessera.db"; }
    [[nodiscard]] std::filesystem::path secrets() const { return folder / "signing-secrets"; }
    [[nodiscard]] std::filesystem::path blobs() const { return folder / "blobs"; }
    [[nodiscard]] std::filesystem::path wanted() const { return folder / "wanted"; }  // of one in the making
    [[nodiscard]] std::filesystem::path manifest() const { return folder / "manifest.json"; }
    // The list that says which blobs may be there because of it.
    [[nodiscard]] std::filesystem::path list() const;
};

class BackupFolder {
  public:
    enum class Use { write, read };

    // To write: makes the folder, or refuses one that holds other things (`conflict`) or is being written. To read: one
    // that is no folder of backups is `not_found`.
    static Result<BackupFolder> open(const std::filesystem::path& path, Use use);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }
    // Oldest first; whole ones alone.
    [[nodiscard]] Result<std::vector<BackupFiles>> backups() const;
    [[nodiscard]] Result<std::vector<BackupFiles>> leftovers() const;

    // An empty folder for the backup of this moment, later than all there are.
    [[nodiscard]] Result<BackupFiles> begin(Timestamp now) const;
    // From here on it is a backup.
    [[nodiscard]] Result<BackupFiles> finish(const BackupFiles& partial) const;
    // From here on it is none.
    [[nodiscard]] Result<void> drop(const BackupFiles& backup) const;

  private:
    BackupFolder(std::filesystem::path path, UniqueFd lock) : path_(std::move(path)), lock_(std::move(lock)) {}
    [[nodiscard]] Result<std::vector<BackupFiles>> folders(bool whole) const;

    std::filesystem::path path_;
    UniqueFd lock_;
};

}  // namespace tessera::app
