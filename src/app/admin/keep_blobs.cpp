// tessera admin keep-blobs: runs a command while no node deletes a blob. For backups of a cluster, which others' tools
// make.
#include "app/backup/keep_blobs.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

#include "app/admin/commands.hpp"
#include "app/admin/session.hpp"
#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

// What wait() says of it.
int run(std::vector<std::string> words) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (const int failed = ::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ)) {
        throw CommandFailed(ExitCode::failed, words[0] + ": " + std::generic_category().message(failed));
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) throw CommandFailed(from_errno("waitpid"));
    }
    return status;
}

void run_keeping(AdminSession& session, const std::vector<std::string>& words) {
    const KeepBlobs kept(session.store().maintenance());
    const int status = run(words);
    if (WIFSIGNALED(status)) {
        throw CommandFailed(ExitCode::failed, words[0] + " was ended by signal " + std::to_string(WTERMSIG(status)));
    }
    if (WEXITSTATUS(status) != 0) {
        throw CommandFailed(ExitCode::failed, words[0] + " ended with " + std::to_string(WEXITSTATUS(status)));
    }
    must(kept.held_throughout());
}

}  // namespace

void add_keep_blobs_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand(
        "keep-blobs", "Run a command while no node deletes a file of the blob store: for backups of a cluster");
    auto words = std::make_shared<std::vector<std::string>>();
    command->add_option("COMMAND", *words, "What to run, after --: copy the database first, then the blobs")
        ->required();
    command->callback([&session, words] { run_keeping(session, *words); });
    add_examples(command, {"tessera admin keep-blobs -- sh copy-all.sh"},
                 "It fails when the command does. docs/cluster.md shows what to run for PostgreSQL and S3.");
}

}  // namespace tessera::app
