// tessera admin migrate
#include <CLI/App.hpp>
#include <memory>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/examples.hpp"
#include "app/migrate/migration.hpp"
#include "core/log.hpp"

namespace tessera::app {

void add_migrate_command(CLI::App& admin, AdminSession& session) {
    CLI::App* migrate = admin.add_subcommand(
        "migrate", "Move a data folder (SQLite and files) to the PostgreSQL and the S3 store of the configuration");
    auto options = std::make_shared<MigrationOptions>();
    migrate->add_option("--from", options->from, "The data folder; no service may run on it")->required();
    migrate->add_flag("--dry-run", options->dry_run, "Say what would be moved");
    migrate->add_flag("--read-back", options->read_back, "Fetch every copied blob again and compare it");
    migrate->add_flag("--allow-damaged", options->allow_damaged,
                      "Move rows whose blob is missing or damaged in the source");
    add_examples(migrate,
                 {"tessera admin migrate --config cluster.toml --from tessera-data --dry-run",
                  "tessera admin migrate --config cluster.toml --from tessera-data"},
                 "Run it again when it was interrupted: it goes on where it was. Nothing in the source is changed. "
                 "With --json, one object a line.");
    migrate->callback([&session, options] {
        log::set_sink({}, log::Level::warning);
        options->actor = session.who();
        MigrationReport report(session.json);
        Migration(session.config(), *options, report).run();
    });
}

}  // namespace tessera::app
