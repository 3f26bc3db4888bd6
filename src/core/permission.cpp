#include "core/permission.hpp"

#include <algorithm>

namespace tessera {
namespace {

constexpr Permission runtime_permissions[] = {
    Permission::account_read,   Permission::assets_write, Permission::jobs_write,  Permission::jobs_read,
    Permission::artifacts_read, Permission::tiles_read,   Permission::assets_read, Permission::data_delete};
constexpr Permission reader_permissions[] = {Permission::account_read, Permission::jobs_read,
                                             Permission::artifacts_read, Permission::tiles_read,
                                             Permission::assets_read};
constexpr Permission tile_reader_permissions[] = {Permission::tiles_read};
constexpr Permission uploader_permissions[] = {Permission::assets_write};
constexpr Permission submitter_permissions[] = {Permission::jobs_write, Permission::jobs_read};
constexpr Permission artifact_reader_permissions[] = {Permission::jobs_read, Permission::artifacts_read};
constexpr Permission account_reader_permissions[] = {Permission::account_read};

constexpr Role roles[] = {
    {"runtime", "everything an application does: upload, run jobs, read results, delete", runtime_permissions},
    {"reader", "reads the account, assets, jobs, artifacts and tiles; changes nothing", reader_permissions},
    {"tile_reader", "reads tiles only: for a tile proxy", tile_reader_permissions},
    {"uploader", "uploads and nothing else: for what takes files in", uploader_permissions},
    {"submitter", "submits jobs and follows them; neither uploads nor fetches results", submitter_permissions},
    {"artifact_reader", "reads jobs and their artifacts: for what fetches results", artifact_reader_permissions},
    {"account_reader", "reads the account and its usage: for a dashboard", account_reader_permissions},
};

}  // namespace

std::string_view to_string(Permission permission) {
    switch (permission) {
        case Permission::account_read: return "account:read";
        case Permission::assets_write: return "assets:write";
        case Permission::assets_read: return "assets:read";
        case Permission::jobs_write: return "jobs:write";
        case Permission::jobs_read: return "jobs:read";
        case Permission::artifacts_read: return "artifacts:read";
        case Permission::tiles_read: return "tiles:read";
        case Permission::data_delete: return "data:delete";
    }
    return "";
}

bool Role::allows(Permission permission) const {
    return std::find(permissions.begin(), permissions.end(), permission) != permissions.end();
}

std::span<const Role> all_roles() {
    return roles;
}

const Role* find_role(std::string_view code) {
    const auto* found = std::find_if(std::begin(roles), std::end(roles), [&](const Role& r) { return r.code == code; });
    return found == std::end(roles) ? nullptr : found;
}

}  // namespace tessera
