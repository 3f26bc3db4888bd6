// tessera admin backup: database, blobs and secrets of an embedded service into a folder, while the service works.
#include "app/backup/backup.hpp"

#include <unistd.h>

#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/examples.hpp"
#include "app/hints.hpp"
#include "app/process/progress_bar.hpp"
#include "app/signing_secrets.hpp"
#include "app/stores.hpp"
#include "app/text_table.hpp"
#include "blobs/blob_store.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    std::string folder;
    std::size_t keep = 0;
    bool list = false;
    bool verify = false;
};

constexpr std::size_t most_told = 20;

ShowProgress shown_on(ProgressBar& bar) {
    return [&bar](std::uint64_t done, std::uint64_t total) {
        bar.show(total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total));
    };
}

ProgressBar bar_for(const AdminSession& session) {
    return ProgressBar(!session.json && ::isatty(STDERR_FILENO) == 1);
}

boost::json::object as_json(const std::string& name, const Manifest& manifest) {
    return {{"backup", name},
            {"made_at", manifest.made_at},
            {"blobs", manifest.blobs},
            {"bytes", manifest.bytes},
            {"damaged", manifest.damaged}};
}

// The first few, a line each.
std::string lines_of(const std::vector<std::string>& problems) {
    std::string text;
    for (std::size_t i = 0; i < problems.size() && i < most_told; ++i) text += "\n  " + problems[i];
    if (problems.size() > most_told) text += "\n  … and " + std::to_string(problems.size() - most_told) + " more";
    return text;
}

BackupReport take(AdminSession& session, const BackupFolder& folder) {
    const auto blobs = must(open_blobs(session.config(), session.folder()));
    ProgressBar bar = bar_for(session);
    BackupReport report = make_backup({.store = session.store(),
                                       .blobs = *blobs,
                                       .secrets = secrets_path(session.config().secrets, session.folder()),
                                       .clock = session.clock()},
                                      folder, shown_on(bar));
    bar.clear();
    return report;
}

void back_up(AdminSession& session, const Wanted& wanted) {
    metadata::Store& store = session.store();
    if (!database_file(session.config(), DataFolder::at(session.config().data.dir))) {
        throw CommandFailed(
            ExitCode::failed,
            "metadata.url names a PostgreSQL database: back it up with pg_dump, and the blobs after it, "
            "as docs/cluster.md says");
    }
    const BackupFolder folder = must(BackupFolder::open(wanted.folder, BackupFolder::Use::write));
    must(store.audit().record({"backup", {}, {}, metadata::act_details({{"folder", folder.path().string()}})}));
    const BackupReport report = take(session, folder);
    if (!report.damaged.empty()) {
        throw CommandFailed(ExitCode::failed,
                            "the backup " + report.name + " is made, but " + std::to_string(report.damaged.size()) +
                                " blobs are missing or damaged in the service itself; no older backup "
                                "was removed:" +
                                lines_of(report.damaged));
    }
    const PruneReport pruned = prune(folder, wanted.keep);
    boost::json::object told = as_json(report.name, report.manifest);
    told["folder"] = folder.path().string();
    told["new_blobs"] = report.new_blobs;
    told["new_bytes"] = report.new_bytes;
    told["removed"] = boost::json::value_from(pruned.backups);
    session.print(
        told, "backup " + report.name + " is in " + folder.path().string() + ": the database and " +
                  std::to_string(report.manifest.blobs) + " blobs, " + std::to_string(report.new_blobs) +
                  " of them new (" + std::to_string(report.new_bytes) + " bytes)" +
                  (pruned.backups.empty() ? "" : "; removed " + std::to_string(pruned.backups.size()) + " older ones") +
                  "\nto bring it back: " + shell_word(name_of_this_program()) + " admin restore " +
                  shell_word(folder.path().string()) + " --data-dir NEW\n");
}

void list(AdminSession& session, const std::string& path) {
    const BackupFolder folder = must(BackupFolder::open(path, BackupFolder::Use::read));
    boost::json::array all;
    TextTable table({"BACKUP", "BLOBS", "BYTES", "STATE"});
    for (const BackupFiles& backup : must(folder.backups())) {
        const auto manifest = read_manifest(backup);
        if (!manifest) {
            all.push_back({{"backup", backup.name()}, {"error", manifest.error().message}});
            table.add({backup.name(), "-", "-", "damaged"});
            continue;
        }
        all.push_back(as_json(backup.name(), *manifest));
        table.add({backup.name(), std::to_string(manifest->blobs), std::to_string(manifest->bytes),
                   manifest->damaged == 0 ? "whole" : "lacks " + std::to_string(manifest->damaged) + " blobs"});
    }
    session.print(all, all.empty() ? "there are no backups in " + folder.path().string() + " yet\n" : table.text());
}

void check(AdminSession& session, const std::string& path) {
    const BackupFolder folder = must(BackupFolder::open(path, BackupFolder::Use::read));
    const std::size_t count = must(folder.backups()).size();
    ProgressBar bar = bar_for(session);
    const std::vector<std::string> problems = verify(folder, shown_on(bar));
    bar.clear();
    if (!problems.empty()) {
        throw CommandFailed(ExitCode::failed, "the backups in " + folder.path().string() +
                                                  " are not whole:" + lines_of(problems) +
                                                  "\nthe next backup copies again what it finds missing");
    }
    session.print(boost::json::object{{"folder", folder.path().string()}, {"backups", count}, {"whole", true}},
                  "all " + std::to_string(count) + " backups in " + folder.path().string() + " are whole\n");
}

}  // namespace

void add_backup_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand(
        "backup", "Back up the database, the blobs and the signing secrets into a folder, while the server works");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("FOLDER", wanted->folder, "A folder for backups alone; what it has already is not copied again")
        ->required();
    CLI::Option* keep =
        command
            ->add_option("--keep", wanted->keep, "Keep the newest N backups and remove older ones; else all are kept")
            ->check(CLI::Range(1, 100'000));
    CLI::Option* listing = command->add_flag("--list", wanted->list, "Show the backups that are there")->excludes(keep);
    command->add_flag("--verify", wanted->verify, "Read all backups and compare them with what was written")
        ->excludes(keep)
        ->excludes(listing);
    command->callback([&session, wanted] {
        if (wanted->list) return list(session, wanted->folder);
        if (wanted->verify) return check(session, wanted->folder);
        back_up(session, *wanted);
    });
    add_examples(
        command,
        {"tessera admin backup backups --keep 14       # every night", "tessera admin backup --list backups",
         "tessera admin backup --verify backups        # once in a while"},
        "Killed anywhere, it leaves earlier backups as they were. `tessera admin restore` is its counterpart. For "
        "PostgreSQL see docs/cluster.md.");
}

}  // namespace tessera::app
