// Manual pages: one for each command, and tessera.toml(5).
#pragma once

#include <string>
#include <vector>

#include "app/manual/command.hpp"

namespace tessera::app {

struct ManPage {
    std::string file;  // tessera-admin-key.1
    std::string text;
};

// Groups of commands that are three words deep share a page: tessera-admin-key(1) has create, revoke and list.
std::vector<ManPage> command_pages(const Command& program);
ManPage settings_page();

}  // namespace tessera::app
