// tessera admin check
#pragma once

namespace CLI {
class App;
}

namespace tessera::app {

class AdminSession;

void add_check_command(CLI::App& admin, AdminSession& session);

}  // namespace tessera::app
