// `tessera remote`: a client of any Tessera service.
#pragma once

#include <memory>
#include <string>

namespace CLI {
class App;
}
namespace tessera::operations {
class Registry;
}

namespace tessera::app {

// What every command of it takes.
struct RemoteOptions {
    std::string profile;  // empty: $TESSERA_PROFILE, or the default one
};

// `exit_code` becomes that of the command that runs. The operations outlive the commands.
void add_remote_commands(CLI::App& app, const operations::Registry& operations, int& exit_code);

using SharedRemoteOptions = std::shared_ptr<RemoteOptions>;
void add_login_commands(CLI::App& remote, const SharedRemoteOptions& options);
void add_remote_run_command(CLI::App& remote, const operations::Registry& operations,
                            const SharedRemoteOptions& options, int& exit_code);
void add_upload_command(CLI::App& remote, const SharedRemoteOptions& options, int& exit_code);
void add_jobs_commands(CLI::App& remote, const operations::Registry& operations, const SharedRemoteOptions& options);
void add_remote_tilesets_commands(CLI::App& remote, const SharedRemoteOptions& options);
void add_watch_command(CLI::App& remote, const SharedRemoteOptions& options, int& exit_code);
void add_remote_usage_command(CLI::App& remote, const SharedRemoteOptions& options);

}  // namespace tessera::app
