// tessera doctor
#pragma once

namespace CLI {
class App;
}

namespace tessera::app {

struct CommonOptions;

void add_doctor_command(CLI::App& app, CommonOptions& options, int& exit_code);

}  // namespace tessera::app
