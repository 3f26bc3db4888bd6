// Clears away old backups, and reads through those that are there.
#include <algorithm>

#include "app/backup/backup.hpp"
#include "app/backup/blob_list.hpp"
#include "app/command_failed.hpp"
#include "app/file_digest.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/hex.hpp"

namespace tessera::app {
namespace {

// Removes what the first `gone` lists name and none of those after them does.
std::int64_t remove_unnamed(blobs::BlobStore& pool, const std::vector<std::filesystem::path>& lists, std::size_t gone) {
    std::int64_t removed = 0;
    must(each_key_of(lists, [&](const metadata::NamedBlob& blob, const std::vector<std::size_t>& named_by) {
        const auto key = blobs::BlobKey::parse(blob.key);
        if (named_by.back() >= gone || !key) return Result<void>();
        ++removed;
        return pool.remove(*key);
    }));
    return removed;
}

std::string problem_of(blobs::BlobStore& pool, const metadata::NamedBlob& blob) {
    const auto key = blobs::BlobKey::parse(blob.key);
    if (!key) return blob.key + ": is no key";
    const auto there = pool.open(*key);
    if (!there) return blob.key + ": is missing";
    const auto digest = sha256_of_file((*there)->descriptor());
    if (!digest) return blob.key + ": can't be read";
    return to_hex(*digest) == blob.sha256 ? "" : blob.key + ": is not what was written";
}

}  // namespace

PruneReport prune(const BackupFolder& folder, std::size_t keep) {
    PruneReport report;
    std::vector<BackupFiles> backups = must(folder.backups());
    while (keep > 0 && backups.size() > keep) {
        must(folder.drop(backups.front()));
        report.backups.push_back(backups.front().name());
        backups.erase(backups.begin());
    }
    const std::vector<BackupFiles> leftovers = must(folder.leftovers());
    std::vector<std::filesystem::path> lists;
    std::error_code ignored;
    for (const BackupFiles& one : leftovers) {
        if (std::filesystem::exists(one.list(), ignored)) lists.push_back(one.list());
    }
    const std::size_t gone = lists.size();
    if (gone > 0) {
        for (const BackupFiles& one : backups) lists.push_back(one.blobs());
        const auto pool = must(blobs::open_filesystem_store(folder.path()));
        report.blobs = remove_unnamed(*pool, lists, gone);
    }
    for (const BackupFiles& one : leftovers) std::filesystem::remove_all(one.folder, ignored);
    return report;
}

std::vector<std::string> verify(const BackupFolder& folder, const ShowProgress& show) {
    std::vector<std::string> problems;
    std::vector<std::filesystem::path> lists;
    std::uint64_t total = 0;
    for (const BackupFiles& backup : must(folder.backups())) {
        const auto manifest = read_manifest(backup);
        const auto good = manifest ? check_files(backup, *manifest) : Result<void>(manifest.error());
        if (!good) {
            problems.push_back(good.error().message);
            continue;
        }
        lists.push_back(backup.blobs());
        total = std::max(total, manifest->bytes);
    }
    const auto pool = must(blobs::open_filesystem_store(folder.path()));
    std::uint64_t done = 0;
    must(each_key_of(lists, [&](const metadata::NamedBlob& blob, const std::vector<std::size_t>&) -> Result<void> {
        if (std::string problem = problem_of(*pool, blob); !problem.empty()) problems.push_back(std::move(problem));
        done += blob.size;
        show(std::min(done, total), total);
        return {};
    }));
    return problems;
}

}  // namespace tessera::app
