#include "app/process/commands.hpp"
#include "app/examples.hpp"

namespace tessera::app {

void add_process_commands(CLI::App& app, int& exit_code) {
    CLI::App* process =
        app.add_subcommand("process", "Work on local files, without the service")->require_subcommand(1);
    add_operation_commands(*process, exit_code);
    add_probe_command(*process, exit_code);
    add_examples(process, {"tessera process resize photo.jpg small.webp --width 800",
                           "tessera process optimize photo.jpg smaller.avif",
                           "tessera process tile map.png city.pmtiles", "tessera process probe photo.jpg"});
}

}  // namespace tessera::app
