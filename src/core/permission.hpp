// What a key may do. A role is a fixed set of permissions; `runtime` is the role that applications get.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace tessera {

enum class Permission {
    account_read,
    assets_write,
    assets_read,
    jobs_write,
    jobs_read,
    artifacts_read,
    tiles_read,
    data_delete,
};

std::string_view to_string(Permission permission);  // account:read

struct Role {
    std::string_view code;
    std::string_view description;
    std::span<const Permission> permissions;

    [[nodiscard]] bool allows(Permission permission) const;
};

std::span<const Role> all_roles();
const Role* find_role(std::string_view code);

}  // namespace tessera
