// `tessera completion` and `tessera manual`: the command line tells of itself.
#pragma once

namespace CLI {
class App;
}

namespace tessera::app {

// `app` is the whole command line, which is read when one of them is run.
void add_manual_commands(CLI::App& app);

}  // namespace tessera::app
