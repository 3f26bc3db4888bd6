// What a person sees when the service has started: where it is, what it uses, and what to do next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/demo_account.hpp"

namespace tessera::app {

struct StartBanner {
    std::string program = "tessera";  // how it is called from a shell
    std::vector<std::string> addresses;
    std::vector<std::string> admin_addresses;
    std::string data_folder;
    std::string database;
    std::string blobs;
    std::string sandbox;
    int worker_slots = 0;
    std::optional<DemoAccount> demo;

    [[nodiscard]] std::string text() const;
};

// What to type to run this program again: its name where the PATH finds it, else where it lies.
std::string name_of_this_program();

}  // namespace tessera::app
