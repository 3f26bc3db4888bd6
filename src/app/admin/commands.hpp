// The groups of `tessera admin`, one file each. Each adds its commands to the command line.
#pragma once

namespace CLI {
class App;
}

namespace tessera::app {

class AdminSession;

void add_init_command(CLI::App& admin, AdminSession& session);
void add_account_commands(CLI::App& admin, AdminSession& session);
void add_key_commands(CLI::App& admin, AdminSession& session);
void add_plan_commands(CLI::App& admin, AdminSession& session);
void add_entitlement_commands(CLI::App& admin, AdminSession& session);
void add_tileset_commands(CLI::App& admin, AdminSession& session);
void add_tileset_export(CLI::App& group, AdminSession& session);
void add_usage_command(CLI::App& admin, AdminSession& session);
void add_secret_commands(CLI::App& admin, AdminSession& session);
void add_migrate_command(CLI::App& admin, AdminSession& session);
void add_backup_command(CLI::App& admin, AdminSession& session);
void add_restore_command(CLI::App& admin, AdminSession& session);
void add_keep_blobs_command(CLI::App& admin, AdminSession& session);
void add_webhook_commands(CLI::App& admin, AdminSession& session);
void add_webhook_delivery_commands(CLI::App& group, AdminSession& session);
void add_operator_commands(CLI::App& admin, AdminSession& session);
void add_audit_command(CLI::App& admin, AdminSession& session);

}  // namespace tessera::app
