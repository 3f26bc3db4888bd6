#include "app/command_line.hpp"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <iostream>
#include <iterator>
#include <memory>
#include <span>

#include "app/admin/check.hpp"
#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/api.hpp"
#include "app/command_failed.hpp"
#include "app/common_options.hpp"
#include "app/config/load.hpp"
#include "app/config/print.hpp"
#include "app/doctor/command.hpp"
#include "app/examples.hpp"
#include "app/health.hpp"
#include "app/hints.hpp"
#include "app/manual/commands.hpp"
#include "app/process/commands.hpp"
#include "app/remote_commands/commands.hpp"
#include "app/serve.hpp"
#include "app/tiles/commands.hpp"
#include "app/typing_mistakes.hpp"
#include "app/version.hpp"
#include "app/work.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

// An option that stands for one configuration key.
void add_shorthand(CLI::App& command, CommonOptions& options, const std::string& flag, const std::string& key,
                   const std::string& help) {
    command.add_option_function<std::string>(
        flag,
        [&options, flag, key](const std::string& value) {
            options.shorthands.push_back({key, value, flag});
        },
        help);
}

void add_common_options(CLI::App& app, CommonOptions& options) {
    app.add_option("--config", options.config_file, "A TOML file of settings")->envname("TESSERA_CONFIG");
    app.add_option("--set", options.sets, "One setting as key=value; may be given often")->allow_extra_args(false);
    add_shorthand(app, options, "--data-dir", "data.dir", "The data folder (default: tessera-data)");
}

void add_config_commands(CLI::App& app, const CommonOptions& options) {
    CLI::App* group = app.add_subcommand("config", "Show the configuration")->require_subcommand(1);
    CLI::App* print =
        group->add_subcommand("print", "What is in force, and where each value came from; secrets are hidden");
    auto json = std::make_shared<bool>(false);
    print->add_flag("--json", *json, "For programs");
    print->callback([&options, json] {
        const LoadedConfig loaded = options.load();
        std::cout << (*json ? config_as_json(loaded) + "\n" : config_as_text(loaded));
    });
    CLI::App* reference = group->add_subcommand("reference", "Every key, its default and what it takes, as Markdown");
    reference->callback([] { std::cout << config_reference(); });
    CLI::App* template_command = group->add_subcommand(
        "template",
        "A file to begin with: every key with its default, as a comment; those that are given, as they are");
    template_command->callback([&options] { std::cout << config_template(options.load()); });
    add_examples(group, {"tessera config print --config tessera.toml", "tessera config template > my.toml",
                         "tessera config reference                        # every key that can be set"});
    add_examples(print,
                 {"tessera config print --config tessera.toml", "tessera config print --json --set server.threads=4"});
    add_examples(reference, {"tessera config reference > configuration.md"});
    add_examples(template_command, {"tessera config template > my.toml",
                                    "tessera config template --set server.listen=0.0.0.0:8080 > my.toml"});
}

void add_workers_option(CLI::App& command, CommonOptions& options) {
    command.add_option_function<std::string>(
        "--workers",
        [&options](const std::string& value) {
            if (value == "0") {
                options.shorthands.push_back({"worker.enabled", "false", "--workers"});
            } else {
                options.shorthands.push_back({"worker.slots", value, "--workers"});
            }
        },
        "Jobs that run at once (default: one per core); 0 makes `serve` an API node");
}

void add_serve_command(CLI::App& app, CommonOptions& options, int& exit_code) {
    CLI::App* serve_command = app.add_subcommand("serve", "Run the service: API and workers");
    add_shorthand(*serve_command, options, "--listen", "server.listen",
                  "Where clients connect (default: 127.0.0.1:8080)");
    add_workers_option(*serve_command, options);
    auto serve_options = std::make_shared<ServeOptions>();
    serve_command->add_flag("--demo", serve_options->demo, "Make an account `demo` without limits and show its key");
    serve_command->add_flag("--public-demo", serve_options->public_demo,
                            "Let --demo listen on addresses that other machines reach");
    serve_command->callback([&options, &exit_code, serve_options] {
        const LoadedConfig loaded = options.load();
        serve_options->admin_command = admin_command_from_anywhere(options, loaded);
        exit_code = serve(loaded, *serve_options);
    });
    add_examples(serve_command,
                 {"tessera serve --demo                            # an account and a key are made and shown",
                  "tessera serve --data-dir tessera-data --listen 0.0.0.0:8080",
                  "tessera serve --config tessera.toml --set log.level=warning",
                  "tessera serve --workers 0                       # answers requests; a `tessera worker` runs jobs"});
}

void add_worker_command(CLI::App& app, CommonOptions& options, int& exit_code) {
    CLI::App* command =
        app.add_subcommand("worker", "Run jobs only: no HTTP. Shares the database and the blobs with its service");
    add_workers_option(*command, options);
    command->callback([&options, &exit_code] { exit_code = work(options.load()); });
    add_examples(command,
                 {"tessera worker --data-dir tessera-data", "tessera worker --config tessera.toml --workers 2"});
}

void add_admin_commands(CLI::App& app, AdminSession& session) {
    CLI::App* admin =
        app.add_subcommand(
               "admin",
               "Accounts, keys, plans, entitlements, usage, webhooks, operators, secrets, and the move to a cluster")
            ->require_subcommand(1);
    admin->add_flag("--json", session.json, "Print JSON for programs");
    admin->add_option("--actor", session.actor,
                      "Who the audit trail names (default: the user of the operating system)");
    add_init_command(*admin, session);
    add_account_commands(*admin, session);
    add_key_commands(*admin, session);
    add_plan_commands(*admin, session);
    add_entitlement_commands(*admin, session);
    add_tileset_commands(*admin, session);
    add_usage_command(*admin, session);
    add_webhook_commands(*admin, session);
    add_secret_commands(*admin, session);
    add_migrate_command(*admin, session);
    add_backup_command(*admin, session);
    add_restore_command(*admin, session);
    add_check_command(*admin, session);
    add_keep_blobs_command(*admin, session);
    add_operator_commands(*admin, session);
    add_audit_command(*admin, session);
    add_examples(admin,
                 {"tessera admin account create --slug studio --name \"The Studio\" --plan pro",
                  "tessera admin key create --account studio --name website --json",
                  "tessera admin entitlement set --account studio --feature cdn_delivery --enabled true",
                  "tessera admin secret rotate",
                  "tessera admin account list --data-dir tessera-data   # the folder of `tessera serve --data-dir`"},
                 "These work while the server runs, which sees every change within two seconds.");
}

void add_small_commands(CLI::App& app, const CommonOptions& options) {
    CLI::App* openapi = app.add_subcommand("openapi", "Print the OpenAPI document");
    const auto of_operators = std::make_shared<bool>(false);
    openapi->add_flag("--operators", *of_operators, "The document of the operators' interface, /console/api");
    openapi->callback([&options, of_operators] {
        const OpenApiOf which = *of_operators ? OpenApiOf::operators : OpenApiOf::customers;
        std::cout << openapi_text(options.load().config, which) << '\n';
    });
    add_examples(openapi, {"tessera openapi > openapi.json", "tessera openapi --operators > operators.json"});
    CLI::App* command = app.add_subcommand("version", "Print the version");
    command->callback([] { std::cout << "tessera " << version << '\n'; });
    add_examples(command, {"tessera version"});
}

// Options that a command does not know belong to the command above it, so --data-dir may stand anywhere.
void let_options_stand_anywhere(CLI::App& app) {
    app.fallthrough();
    for (CLI::App* inner : app.get_subcommands([](CLI::App*) { return true; })) let_options_stand_anywhere(*inner);
}

}  // namespace

int run_command_line(int argc, char** argv) {
    CLI::App app("Tessera: a self-hosted image processing service", "tessera");
    app.require_subcommand(1);
    app.set_version_flag("--version", std::string("tessera ") + version);

    int exit_code = 0;
    CommonOptions options;
    AdminSession session(options);
    add_common_options(app, options);
    add_serve_command(app, options, exit_code);
    add_worker_command(app, options, exit_code);
    add_admin_commands(app, session);
    const operations::Registry operations = operations::Registry::built_in();
    add_process_commands(app, operations, exit_code);
    add_tiles_commands(app, exit_code);
    add_remote_commands(app, operations, exit_code);
    add_config_commands(app, options);
    add_doctor_command(app, options, exit_code);
    add_health_command(app, options);
    add_small_commands(app, options);
    add_manual_commands(app);
    std::vector<std::string> examples{
        "tessera serve --demo                            # start here: an account and a key are made and shown",
        "tessera admin account create --slug studio --name Studio --plan pro",
        "tessera admin key create --account studio --name website"};
    std::ranges::move(operation_examples(operations, operations::HelpOf::program), std::back_inserter(examples));
    examples.emplace_back("tessera tiles serve city.pmtiles                # look at it in a browser");
    examples.emplace_back(
        "tessera remote run resize photo.jpg thumbnail.webp --width 200   # by a service, after `remote login`");
    examples.emplace_back("tessera config reference                        # every key that can be set");
    add_examples(
        &app, examples,
        "Exit codes: 0 done, 1 failed, 2 wrong usage or configuration, 3 no such thing, 4 there already, 5 stopped.");
    let_options_stand_anywhere(app);

    try {
        app.parse(argc, argv);
        return exit_code;
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() != 0) {
            const auto mistake = typing_mistake(app, std::span(argv + 1, static_cast<std::size_t>(argc) - 1));
            if (mistake) {
                std::cerr << "tessera: " << *mistake << "\nRun with --help for more information.\n";
                return static_cast<int>(ExitCode::usage);
            }
        }
        return app.exit(error) == 0 ? 0 : static_cast<int>(ExitCode::usage);
    } catch (const CommandFailed& failure) {
        std::cerr << "tessera: " << failure.what() << '\n';
        return static_cast<int>(failure.code());
    } catch (const std::exception& failure) {
        std::cerr << "tessera: unexpected: " << failure.what() << '\n';
        return static_cast<int>(ExitCode::failed);
    }
}

}  // namespace tessera::app
