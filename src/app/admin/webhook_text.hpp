// Endpoints and deliveries as `tessera admin webhook` shows and finds them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/command_failed.hpp"
#include "metadata/webhooks.hpp"

namespace tessera::app {

class AdminSession;

std::string listed(const std::vector<std::string>& names);
std::string explained(const std::string& disabled_reason);
std::string slug_of(AdminSession& session, const Uuid& account_id);

// The id, or the end of the command.
Uuid endpoint_id(const AdminSession& session, const std::string& text);

template <typename T>
T found(Result<std::optional<T>> result, const std::string& id) {
    std::optional<T> value = must(std::move(result));
    if (!value) throw CommandFailed(ExitCode::not_found, "there is no endpoint or delivery " + id);
    return *std::move(value);
}

}  // namespace tessera::app
