// tessera admin init: makes the database before the first start.
#include <CLI/App.hpp>
#include <boost/json.hpp>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/backup/restore_mark.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "app/examples.hpp"
#include "app/secret_list.hpp"
#include "app/stores.hpp"
#include "core/log.hpp"
#include "metadata/accounts.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

bool is_there(AdminSession& session) {
    const DataFolder folder = DataFolder::at(session.config().data.dir);
    const auto opened = open_metadata(session.config(), folder, session.clock(), {.create = false});
    if (!opened && opened.error().code != ErrorCode::not_found) throw CommandFailed(opened.error());
    return opened.ok();
}

// What a first start makes, but no blobs: the folder, the database, plans and a signing secret.
void make(AdminSession& session) {
    const Config& config = session.config();
    DataFolder folder = must(DataFolder::open(config.data.dir));
    must(folder.lock_for_serving());
    must(require_whole(folder));
    const auto store = must(open_metadata(config, folder, session.clock(), {.actor = session.who()}));
    must(apply_configured_plans(*store, config.plans));
    must(open_secret_list(config.secrets, folder, *store, session.clock())->read_or_make());
}

void init(AdminSession& session) {
    log::set_sink({}, log::Level::warning);
    const bool made = !is_there(session);
    if (made) make(session);
    const DataFolder folder = DataFolder::at(session.config().data.dir);
    const auto file = database_file(session.config(), folder);
    const std::string where = file ? file->string() : "PostgreSQL";
    std::string told = made ? "the database is made: " : "there is a database already: ";
    told += where + "\n";
    if (!must(session.store().accounts().any())) told += "next: " + session.first_account_command() + "\n";
    session.print(boost::json::object{{"database", where}, {"made", made}}, told);
}

}  // namespace

void add_init_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand(
        "init", "Make the database, so that accounts can be made before the first start; changes nothing where it is");
    command->callback([&session] { init(session); });
    add_examples(command, {"tessera admin init --data-dir new-data",
                           "tessera admin account create --data-dir new-data --slug me --name Me --plan unlimited"});
}

}  // namespace tessera::app
