#include "app/migrate/migration.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <iterator>

#include "app/command_failed.hpp"
#include "app/migrate/blob_copy.hpp"
#include "app/signing_secrets.hpp"
#include "app/stores.hpp"
#include "app/text_table.hpp"
#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/file.hpp"

namespace tessera::app {
namespace {

constexpr std::size_t most_damaged_told = 20;

DataFolder lock_source(const std::filesystem::path& from) {
    std::error_code ignored;
    if (!std::filesystem::exists(from / "tessera.db", ignored)) {
        throw CommandFailed(ExitCode::not_found, from.string() + " is no data folder: it has no tessera.db");
    }
    DataFolder folder = must(DataFolder::open(from));
    must(folder.lock_for_moving());
    return folder;
}

bool is_sqlite(const Config& config) {
    return config.metadata.url.starts_with("sqlite");
}

// Whether the blobs are to live elsewhere than in the source's folder.
bool blobs_move(const Config& config, const DataFolder& source, const DataFolder& target) {
    if (config.blobs.url == "file") return source.path() != target.path();
    constexpr std::string_view file = "file:";
    if (!config.blobs.url.starts_with(file)) return true;
    std::error_code failure;
    return !std::filesystem::equivalent(config.blobs.url.substr(file.size()), source.path(), failure);
}

// One number for all runs from this folder, so that a run that was interrupted knows what it left behind.
Uuid number_of_run(const DataFolder& source) {
    const std::filesystem::path file = source.path() / "migration-run";
    if (const auto text = read_whole_file(file, 64)) {
        if (const auto id = Uuid::parse(std::string_view(*text).substr(0, 36))) return *id;
    }
    const Uuid fresh = Uuid::random();
    must(replace_file(file, fresh.to_string() + "\n", 0600));
    return fresh;
}

std::string human_bytes(std::uint64_t bytes) {
    constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
    std::size_t unit = 0;
    while (bytes >= 10'240 && unit + 1 < std::size(units)) {
        bytes /= 1024;
        ++unit;
    }
    return std::to_string(bytes) + " " + units[unit];
}

}  // namespace

Migration::Migration(const Config& config, MigrationOptions options, MigrationReport& report)
    : config_(config),
      options_(std::move(options)),
      report_(report),
      source_folder_(lock_source(options_.from)),
      target_folder_(must(DataFolder::open(config.data.dir))),
      moves_rows_(!is_sqlite(config)),
      moves_blobs_(blobs_move(config, source_folder_, target_folder_)),
      source_(must(metadata::open_sqlite_source(source_folder_.database().string()))) {
    if (!moves_rows_ && (!moves_blobs_ || source_folder_.path() != target_folder_.path())) {
        throw CommandFailed(ExitCode::usage,
                            "there is nowhere to move to: set metadata.url to a PostgreSQL database, and blobs.url to "
                            "an S3 bucket; to move the blobs alone, give the same folder as --data-dir and --from");
    }
    tables_ = must(source_->sizes());
    for (const metadata::TableSize& table : tables_) sizes_.rows += table.rows;
    must(source_->each_blob([&](const metadata::NamedBlob& blob) -> Result<void> {
        ++sizes_.blobs;
        sizes_.bytes += blob.size;
        return {};
    }));
}

Migration::~Migration() = default;

void Migration::run() {
    tell_plan();
    if (options_.dry_run) return;
    run_ = number_of_run(source_folder_);
    if (moves_rows_) target_ = must(metadata::open_postgres_target(config_.metadata.url, options_.actor));
    if (rows_are_there()) {
        report_.note({{"event", "done"}, {"already", true}},
                     "everything was moved by an earlier run: there is nothing left to do\n");
        return;
    }
    claim_target();
    copy_blobs();
    copy_rows();
    report_.note(
        {{"event", "done"}, {"rows", moves_rows_ ? sizes_.rows : 0}, {"blobs", moves_blobs_ ? sizes_.blobs : 0}},
        "done: everything was moved and compared. Start nodes with this configuration; keep " +
            source_folder_.path().string() + " until you are content, nothing in it was changed\n");
}

void Migration::tell_plan() {
    boost::json::object rows;
    TextTable table({"TABLE", "ROWS"});
    for (const metadata::TableSize& of : tables_) {
        rows.emplace(of.table, of.rows);
        table.add({of.table, std::to_string(of.rows)});
    }
    const std::string blobs = std::to_string(sizes_.blobs) + " blobs, " + human_bytes(sizes_.bytes);
    report_.note({{"event", "plan"},
                  {"dry_run", options_.dry_run},
                  {"moves_rows", moves_rows_},
                  {"moves_blobs", moves_blobs_},
                  {"tables", rows},
                  {"blobs", sizes_.blobs},
                  {"bytes", sizes_.bytes}},
                 (options_.dry_run ? "would move from " : "moving from ") + source_folder_.path().string() + ":\n" +
                     (moves_rows_ ? table.text() : "  the database stays where it is\n") +
                     (moves_blobs_ ? "  " + blobs + "\n" : "  the blobs stay where they are\n"));
}

bool Migration::rows_are_there() {
    if (!target_) return false;
    const metadata::TransferState state = must(target_->state(run_));
    if (state == metadata::TransferState::foreign) {
        throw CommandFailed(ExitCode::conflict,
                            "the database that metadata.url names is not empty, and what it holds is not from an "
                            "earlier run of this move: give an empty one");
    }
    return state == metadata::TransferState::finished;
}

void Migration::claim_target() {
    if (moves_blobs_) {
        Config plain = config_;
        plain.blobs.s3.object_cache_bytes = 0;  // nothing that goes through here is read again
        source_blobs_ = must(blobs::open_filesystem_store(source_folder_.path()));
        target_blobs_ = must(open_blobs(plain, target_folder_));
        claim_blobs();
    }
    if (target_) must(target_->begin(run_));
}

void Migration::claim_blobs() {
    // Nothing names this one, so that a service's sweeper removes it after a while.
    const blobs::BlobKey mark = must(blobs::BlobKey::parse("migrations/" + run_.to_string()));
    if (target_blobs_->open(mark)) return;
    const blobs::BlobPage page = must(target_blobs_->list("", std::nullopt, 10));
    if (!page.entries.empty() || page.next) {
        throw CommandFailed(ExitCode::conflict,
                            "the store that blobs.url names is not empty" +
                                (page.entries.empty() ? "" : " (" + page.entries.front().key.text() + " is there)") +
                                ", and what it holds is not from an earlier run of this move: give an empty bucket, "
                                "or a prefix of its own");
    }
    blobs::StagedFile file = must(target_blobs_->stage());
    constexpr std::string_view text = "A move of an embedded Tessera to this store has begun.\n";
    must(file.write(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size())));
    must(target_blobs_->publish(std::move(file), mark));
}

void Migration::copy_blobs() {
    if (!moves_blobs_) return;
    const auto show = [&](const BlobCopy::Settled& settled) { report_.progress("blobs", settled.bytes, sizes_.bytes); };
    BlobCopy copy(*source_blobs_, *target_blobs_, options_.read_back, show);
    must(source_->each_blob([&](const metadata::NamedBlob& blob) -> Result<void> {
        const auto added = copy.add(blob);
        return added ? Result<void>() : added.error();
    }));
    must(copy.finish());
    report_.finished("blobs", sizes_.bytes);
    if (copy.damaged().empty()) return;
    std::string text;
    boost::json::array list;
    for (const std::string& one : copy.damaged()) {
        if (list.size() == most_damaged_told) break;
        list.push_back(boost::json::string(one));
        text += "  " + one + "\n";
    }
    report_.note({{"event", "damaged"}, {"count", copy.damaged().size()}, {"blobs", list}},
                 std::to_string(copy.damaged().size()) + " blobs are missing or damaged in the source:\n" + text);
    if (options_.allow_damaged) return;
    throw CommandFailed(ExitCode::failed,
                        "not all blobs can be moved. All others were copied; restore these from a backup and run this "
                        "again, or add --allow-damaged to move their rows as they are");
}

void Migration::copy_rows() {
    if (!target_) return;
    std::int64_t before = 0;  // of tables that are done
    std::int64_t last = 0;
    must(target_->take(*source_, run_, secrets(), [&](std::int64_t rows) {
        if (rows < last) before += last;
        last = rows;
        report_.progress("rows", static_cast<std::uint64_t>(before + rows), static_cast<std::uint64_t>(sizes_.rows));
    }));
    report_.finished("rows", static_cast<std::uint64_t>(sizes_.rows));
}

std::vector<metadata::StoredSecret> Migration::secrets() {
    std::vector<metadata::StoredSecret> all;
    std::error_code ignored;
    if (!std::filesystem::exists(source_folder_.signing_secrets(), ignored)) return all;
    for (SigningSecret& one : must(read_secrets(source_folder_.signing_secrets()))) {
        all.push_back({std::move(one.secret), one.created_at});
    }
    return all;
}

}  // namespace tessera::app
