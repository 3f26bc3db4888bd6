#include "app/backup/backup.hpp"

#include <fcntl.h>
#include <unistd.h>

#include "app/backup/blob_list.hpp"
#include "app/backup/keep_blobs.hpp"
#include "app/command_failed.hpp"
#include "app/file_digest.hpp"
#include "app/migrate/blob_copy.hpp"
#include "app/version.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/hex.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

constexpr std::uint64_t largest_secrets = 1 << 20;

// Removed when the backup was not finished; what is left of one that was killed the next run clears away.
class Draft {
  public:
    explicit Draft(BackupFiles draft) : files(std::move(draft)) {}
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() {
        std::error_code ignored;
        // Without its list nobody would know which blobs it has brought.
        if (!std::filesystem::exists(files.wanted(), ignored)) std::filesystem::remove_all(files.folder, ignored);
    }
    const BackupFiles files;
};

void sync_file(const std::filesystem::path& path) {
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file || ::fsync(file.get()) != 0) throw CommandFailed(from_errno("sync " + path.string()));
}

// The digests that the newest backup knows, asked for in the order of the keys.
class KnownDigests {
  public:
    explicit KnownDigests(const std::vector<BackupFiles>& backups) {
        if (backups.empty()) return;
        list_.emplace(backups.back().blobs());
        advance();
    }
    // Empty where it is not known.
    std::string of(const metadata::NamedBlob& blob) {
        while (head_ && head_->key < blob.key) advance();
        return head_ && head_->key == blob.key && head_->size == blob.size ? head_->sha256 : "";
    }

  private:
    // A list that can't be read is told by `verify`; here it only costs time.
    void advance() {
        auto next = list_->next();
        head_ = next ? *std::move(next) : std::nullopt;
    }

    std::optional<BlobListReader> list_;
    std::optional<metadata::NamedBlob> head_;
};

// A blob that an earlier backup brought is not read again. Its digest is known, or is taken of what is there.
std::string digest_there(blobs::BlobStore& pool, const metadata::NamedBlob& blob, KnownDigests& known) {
    std::string expected = known.of(blob);
    const auto key = blobs::BlobKey::parse(blob.key);
    if (!key) return "";
    const auto there = pool.open(*key);
    if (!there) return "";
    if ((*there)->size() == blob.size) {
        if (!expected.empty() && (blob.sha256.empty() || blob.sha256 == expected)) return expected;
        std::string digest = to_hex(must(sha256_of_file((*there)->descriptor())));
        if (blob.sha256.empty() || blob.sha256 == digest) return digest;
    }
    must(pool.remove(*key));  // damaged: it is to be copied again
    return "";
}

// Whose account is erased meanwhile, with all its blobs, lacks nothing.
bool is_of_erased_account(metadata::Store& store, const std::string& key) {
    const std::size_t begin = key.find('/') + 1;
    const auto id = Uuid::parse(key.substr(begin, key.find('/', begin) - begin));
    if (!id) return false;
    const auto account = must(store.accounts().find(*id));
    return account && account->erasure_begun_at;
}

void copy_blobs(const BackupSource& source, const BackupFolder& folder, const BackupFiles& draft, BackupReport& report,
                const ShowProgress& show) {
    std::uint64_t total = 0;
    BlobListWriter wanted(draft.wanted());
    const auto rows = must(metadata::open_sqlite_source(draft.database().string()));
    must(rows->each_blob([&](const metadata::NamedBlob& blob) -> Result<void> {
        wanted.add(blob);
        total += blob.size;
        return {};
    }));
    must(wanted.finish());

    const auto pool = must(blobs::open_filesystem_store(folder.path()));
    KnownDigests known(must(folder.backups()));
    BlobListWriter list(draft.blobs());
    BlobCopy copy(source.blobs, *pool, false, [](const BlobCopy::Settled&) {});
    std::uint64_t done = 0;
    must(rows->each_blob([&](metadata::NamedBlob blob) -> Result<void> {
        std::string digest = digest_there(*pool, blob, known);
        if (digest.empty()) {
            const auto added = copy.add(blob);
            if (!added) return added.error();
            if (*added) {
                digest = to_hex(**added);
                ++report.new_blobs;
                report.new_bytes += blob.size;
            } else if (is_of_erased_account(source.store, blob.key)) {
                copy.forgive_last();
            }
        }
        done += blob.size;
        show(done, total);
        if (digest.empty()) return {};
        blob.sha256 = digest;
        list.add(blob);
        ++report.manifest.blobs;
        report.manifest.bytes += blob.size;
        return {};
    }));
    must(copy.finish());
    must(list.finish());
    report.damaged = copy.damaged();
    report.manifest.damaged = static_cast<std::int64_t>(report.damaged.size());
}

bool copy_secrets(const std::filesystem::path& from, const std::filesystem::path& to) {
    std::error_code ignored;
    if (!std::filesystem::exists(from, ignored)) return false;
    must(replace_file(to, must(read_whole_file(from, largest_secrets)), 0600));
    return true;
}

}  // namespace

BackupReport make_backup(const BackupSource& source, const BackupFolder& folder, const ShowProgress& show) {
    const KeepBlobs kept(source.store.maintenance());
    const Timestamp now = source.clock.now();
    const Draft draft(must(folder.begin(now)));
    BackupReport report;
    report.manifest.made_at = to_iso8601(now);
    report.manifest.version = version;
    must(source.store.back_up_to(draft.files.database().string()));
    copy_blobs(source, folder, draft.files, report, show);
    sync_file(draft.files.database());
    report.manifest.has_secrets = copy_secrets(source.secrets, draft.files.secrets());
    must(kept.held_throughout());
    report.manifest = must(write_manifest(draft.files, report.manifest));
    std::error_code ignored;
    std::filesystem::remove(draft.files.wanted(), ignored);
    report.name = must(folder.finish(draft.files)).name();
    return report;
}

}  // namespace tessera::app
