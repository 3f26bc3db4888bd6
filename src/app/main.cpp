#include <string_view>

#include "app/command_line.hpp"
#include "engine/child/child.hpp"

int main(int argc, char** argv) {
    // The sandboxed child, started by the pool: it must not even parse a command line, let alone read a configuration.
    if (argc == 2 && std::string_view(argv[1]) == "engine") return tessera::engine::child_main();
    return tessera::app::run_command_line(argc, argv);
}
