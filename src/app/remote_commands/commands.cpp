#include "app/remote_commands/commands.hpp"

#include <CLI/App.hpp>

#include "app/examples.hpp"

namespace tessera::app {

void add_remote_commands(CLI::App& app, const operations::Registry& operations, int& exit_code) {
    CLI::App* remote =
        app.add_subcommand("remote", "Use a service from the command line: upload, run, watch")->require_subcommand(1);
    auto options = std::make_shared<RemoteOptions>();
    remote->add_option("--profile", options->profile, "Which login to use (default: $TESSERA_PROFILE, or \"default\")");
    add_login_commands(*remote, options);
    add_remote_run_command(*remote, operations, options, exit_code);
    add_upload_command(*remote, options, exit_code);
    add_jobs_commands(*remote, operations, options);
    add_remote_tilesets_commands(*remote, options);
    add_watch_command(*remote, options, exit_code);
    add_remote_usage_command(*remote, options);
    add_examples(
        remote,
        {"tessera remote login http://127.0.0.1:8080 < key.txt   # without <, it asks for the key",
         "tessera remote run resize photo.jpg small.webp --width 800",
         "tessera remote run optimize pictures smaller --recursive   # a folder; the same line goes on with it",
         "tessera remote jobs --status failed", "tessera remote usage"},
        "TESSERA_URL and TESSERA_API_KEY stand for a login. Rate limits are kept to and faults are waited out.\n"
        "Exit codes: 0 all done, 1 something failed, 2 wrong usage, 3 no such thing, 4 there already,\n"
        "5 stopped with files left (credits, key, service away): the same command goes on, 130 interrupted.");
}

}  // namespace tessera::app
