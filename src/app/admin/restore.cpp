// tessera admin restore: the counterpart of `backup`.
#include "app/backup/restore.hpp"

#include <unistd.h>

#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/hints.hpp"
#include "app/process/progress_bar.hpp"
#include "core/log.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    std::string folder;
    RestoreOptions options;
};

constexpr std::size_t most_told = 20;

void refuse_damaged(const RestoreReport& report) {
    std::string text = std::to_string(report.damaged.size()) + " blobs of the backup " + report.name +
                       " are missing or damaged, and the database was not brought back:";
    for (std::size_t i = 0; i < report.damaged.size() && i < most_told; ++i) text += "\n  " + report.damaged[i];
    throw CommandFailed(ExitCode::failed, text +
                                              "\nname another backup with --backup, or add --allow-damaged to bring "
                                              "back all the rest");
}

void bring_back(AdminSession& session, const Wanted& wanted) {
    log::set_sink({}, log::Level::warning);
    const BackupFolder backups = must(BackupFolder::open(wanted.folder, BackupFolder::Use::read));
    RestoreReport report;
    std::string target;
    {
        DataFolder folder = must(DataFolder::open(session.config().data.dir));
        must(folder.lock_for_moving());
        target = folder.path().string();
        ProgressBar bar(!session.json && ::isatty(STDERR_FILENO) == 1);
        report =
            restore(backups, session.config(), folder, wanted.options, [&](std::uint64_t done, std::uint64_t total) {
                bar.show(total == 0 ? 1.0 : static_cast<double>(done) / static_cast<double>(total));
            });
        bar.clear();
    }
    if (!report.damaged.empty() && !wanted.options.allow_damaged) refuse_damaged(report);
    must(session.store().audit().record({"restore", {}, {}, metadata::act_details({{"backup", report.name}})}));
    session.print(boost::json::object{{"backup", report.name},
                                      {"data_dir", target},
                                      {"blobs", report.manifest.blobs},
                                      {"bytes", report.manifest.bytes},
                                      {"damaged", report.damaged.size()},
                                      {"put_aside", report.put_aside}},
                  "backup " + report.name + " is in " + target +
                      (report.put_aside.empty() ? "" : "; what was there is in " + report.put_aside) + "\nnext: " +
                      shell_word(name_of_this_program()) + " serve --data-dir " + shell_word(target) + "\n");
}

}  // namespace

void add_restore_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command =
        admin.add_subcommand("restore", "Bring a backup back into an empty data folder; no service may run on it");
    auto wanted = std::make_shared<Wanted>();
    command->add_option("FOLDER", wanted->folder, "The folder of `admin backup`")->required();
    command->add_option("--backup", wanted->options.backup, "The one to bring back; else the newest");
    command->add_flag("--force", wanted->options.force, "Put aside what the data folder holds");
    command->add_flag("--allow-damaged", wanted->options.allow_damaged,
                      "Go on where blobs of the backup are missing or damaged");
    command->callback([&session, wanted] { bring_back(session, *wanted); });
    add_examples(command,
                 {"tessera admin backup backups", "tessera admin restore backups --data-dir restored",
                  "tessera admin restore backups --data-dir tessera-data --force"},
                 "Every byte is compared with what was written. Run it again when it was interrupted: it goes on.");
}

}  // namespace tessera::app
