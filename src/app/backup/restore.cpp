#include "app/backup/restore.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>

#include "app/backup/blob_list.hpp"
#include "app/backup/restore_mark.hpp"
#include "app/command_failed.hpp"
#include "app/migrate/blob_copy.hpp"
#include "app/signing_secrets.hpp"
#include "app/stores.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/file.hpp"

namespace tessera::app {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_secrets = 1 << 20;

BackupFiles chosen(const BackupFolder& folder, const std::string& name) {
    const std::vector<BackupFiles> all = must(folder.backups());
    if (all.empty()) throw CommandFailed(ExitCode::not_found, folder.path().string() + " holds no whole backup yet");
    if (name.empty()) return all.back();
    const auto found = std::ranges::find(all, name, &BackupFiles::name);
    if (found != all.end()) return *found;
    throw CommandFailed(ExitCode::not_found, folder.path().string() + " holds no backup " + name +
                                                 "; those there are: tessera admin backup --list " +
                                                 folder.path().string());
}

// What a restore would mix with: all that lies there but locks, and what only the file system put there.
bool holds_something(const fs::path& folder) {
    std::error_code failure;
    fs::directory_iterator it(folder, failure);
    for (const fs::directory_iterator end; !failure && it != end; it.increment(failure)) {
        const std::string name = it->path().filename().string();
        if (name != "tessera.lock" && name != "tessera.workers.lock" && name != "lost+found" && name != "staging" &&
            name != "scratch" && name != "cache") {
            return true;
        }
    }
    return false;
}

// The places that a restore writes to.
struct Places {
    fs::path database;
    fs::path blobs;  // the folder that has or gets blobs/; empty where they are in S3
    fs::path secrets;

    [[nodiscard]] bool are_free(const DataFolder& folder) const {
        std::error_code ignored;
        return !holds_something(folder.path()) && !fs::exists(database, ignored) && !fs::exists(secrets, ignored) &&
               (blobs.empty() || !fs::exists(blobs / "blobs", ignored) || fs::is_empty(blobs / "blobs", ignored));
    }
};

Places places_of(const Config& config, const DataFolder& folder) {
    const auto database = database_file(config, folder);
    if (!database) {
        throw CommandFailed(ExitCode::usage,
                            "metadata.url names a PostgreSQL database: bring its dump back with pg_restore, and the "
                            "blobs with a copy of the bucket (docs/cluster.md)");
    }
    return {*database, blobs_folder(config, folder).value_or(fs::path()), secrets_path(config.secrets, folder)};
}

// Renamed, the database first: without it nothing that is left looks whole.
std::string put_aside(const Places& places, const DataFolder& folder) {
    const fs::path aside = folder.path() / ("before-restore-" + to_iso8601(SystemClock().now()));
    std::error_code failure;
    fs::create_directories(aside, failure);
    const auto move = [&](const fs::path& from) {
        std::error_code ignored;
        if (failure || !fs::exists(from, ignored)) return;
        // Elsewhere it stays beside its place, where a rename is possible.
        const bool inside = from.parent_path() == folder.path();
        fs::rename(from, inside ? aside / from.filename() : fs::path(from.string() + "." + aside.filename().string()),
                   failure);
    };
    for (const char* suffix : {"", "-wal", "-shm"}) move(places.database.string() + suffix);
    move(places.secrets);
    if (!places.blobs.empty()) move(places.blobs / "blobs");
    if (failure) throw CommandFailed(ExitCode::failed, "can't put aside what is there: " + failure.message());
    must(sync_folder(folder.path()));
    return aside.string();
}

std::vector<std::string> bring_blobs(const BackupFolder& backups, const BackupFiles& from, blobs::BlobStore& to,
                                     std::uint64_t total,
                                     const std::function<void(std::uint64_t, std::uint64_t)>& show) {
    const auto pool = must(blobs::open_filesystem_store(backups.path()));
    BlobCopy copy(*pool, to, false, [](const BlobCopy::Settled&) {});
    BlobListReader list(from.blobs());
    std::uint64_t done = 0;
    while (const auto blob = must(list.next())) {
        must(copy.add(*blob));
        done += blob->size;
        show(done, total);
    }
    must(copy.finish());
    return copy.damaged();
}

void bring_database(const fs::path& from, const fs::path& to) {
    const fs::path beside = to.string() + ".restoring";
    std::error_code failure;
    fs::create_directories(to.parent_path(), failure);
    if (failure) throw CommandFailed(ExitCode::failed, to.parent_path().string() + ": " + failure.message());
    if (const auto copied = tessera::copy_file(from, beside); !copied) {
        throw CommandFailed(ExitCode::failed, beside.string() + ": " + copied.error().detail);
    }
    const UniqueFd file(::open(beside.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::fsync(file.get()) != 0) throw CommandFailed(from_errno("sync " + beside.string()));
    fs::rename(beside, to, failure);
    if (failure) throw CommandFailed(ExitCode::failed, to.string() + ": " + failure.message());
    must(sync_folder(to.parent_path()));
}

}  // namespace

RestoreReport restore(const BackupFolder& backups, const Config& config, const DataFolder& folder,
                      const RestoreOptions& options,
                      const std::function<void(std::uint64_t done, std::uint64_t total)>& show) {
    const Places places = places_of(config, folder);
    const BackupFiles from = chosen(backups, options.backup);
    RestoreReport report;
    report.name = from.name();
    report.manifest = must(read_manifest(from));
    must(check_files(from, report.manifest));
    if (!restore_is_unfinished(folder) && !places.are_free(folder)) {
        if (!options.force) {
            throw CommandFailed(ExitCode::conflict,
                                "the data folder " + folder.path().string() +
                                    " is not empty: name an empty one with --data-dir, or add --force to put what is "
                                    "there aside");
        }
        report.put_aside = put_aside(places, folder);
    }
    must(mark_restore(folder));
    const auto store = must(open_blobs(config, folder));
    report.damaged = bring_blobs(backups, from, *store, report.manifest.bytes, show);
    if (!report.damaged.empty() && !options.allow_damaged) return report;
    if (report.manifest.has_secrets) {
        must(replace_file(places.secrets, must(read_whole_file(from.secrets(), largest_secrets)), 0600));
    }
    bring_database(from.database(), places.database);
    must(clear_restore_mark(folder));
    return report;
}

}  // namespace tessera::app
