// tessera admin backup: the embedded database, copied while the server works.
#include <CLI/App.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

void back_up(AdminSession& session, const std::string& path) {
    if (std::filesystem::exists(path)) throw CommandFailed(ExitCode::conflict, path + " is there already");
    must(session.store().audit().record({"backup", {}, {}, metadata::act_details({{"file", path}})}));
    must(session.store().back_up_to(path));
    session.print(
        boost::json::object{{"database", path}},
        "the database is in " + path + "; copy blobs/ and signing-secrets of the data folder now, not before\n");
}

}  // namespace

void add_backup_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command =
        admin.add_subcommand("backup", "Copy the embedded database to a new file, while the server runs");
    auto path = std::make_shared<std::string>();
    command->add_option("FILE", *path, "Where to")->required();
    command->callback([&session, path] { back_up(session, *path); });
}

}  // namespace tessera::app
