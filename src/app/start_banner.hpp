// What a person sees when the service has started: where it is, what it uses, and what to do next.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/demo_account.hpp"

namespace tessera::app {

struct StartBanner {
    std::string admin = "tessera admin";  // how it is called from a shell
    bool has_console = false;
    std::vector<std::string> addresses;
    std::vector<std::string> admin_addresses;
    std::vector<std::string> operator_addresses;
    std::string data_folder;
    std::string database;
    std::string blobs;
    std::string sandbox;
    int worker_slots = 0;
    std::optional<DemoAccount> demo;
    std::optional<DemoOperator> demo_operator;  // only when it was made just now
    std::string plan_for_first_account;         // empty: there are accounts

    [[nodiscard]] std::string text() const;
};

}  // namespace tessera::app
