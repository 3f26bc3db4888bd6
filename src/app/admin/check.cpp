// tessera admin check: whether everything that the database names is there and whole, and nothing else.
#include "app/admin/check.hpp"

#include <unistd.h>

#include <CLI/App.hpp>
#include <memory>

#include "app/admin/session.hpp"
#include "app/check/check.hpp"
#include "app/checked_stores.hpp"
#include "app/command_failed.hpp"
#include "app/config/config.hpp"
#include "app/config/values.hpp"
#include "app/data_folder.hpp"
#include "app/examples.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "metadata/audit.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

struct Wanted {
    bool checksums = false;
    bool repair = false;
    bool anew = false;
    std::string rate;
    std::string journal;
};

std::uint64_t rate_of(const std::string& text) {
    if (text.empty()) return 0;
    const auto bytes = parse_bytes(text);
    if (bytes && *bytes > 0) return static_cast<std::uint64_t>(*bytes);
    throw CommandFailed(ExitCode::usage, "--rate: \"" + text + "\" is no number of bytes, such as 50MiB");
}

// 2026-11-16T18:15:00.123Z as 20261116T181500Z: a name for a folder.
std::string name_of_run(const std::string& began_at) {
    std::string name;
    for (const char c : began_at.substr(0, began_at.find('.'))) {
        if (c != '-' && c != ':') name += c;
    }
    return name + "Z";
}

CheckRun run_of(AdminSession& session, const Wanted& wanted) {
    const std::string began_at = to_iso8601(session.clock().now());
    const Config& config = session.config();
    const DataFolder folder = DataFolder::at(config.data.dir);
    // Addresses may hold passwords: what is kept of them tells them apart and no more.
    const std::string stores =
        to_hex(sha256(config.metadata.url + "\n" + config.blobs.url + "\n" + folder.path().string()));
    return {name_of_run(began_at), began_at, wanted.checksums, wanted.repair, stores};
}

void check(AdminSession& session, const Wanted& wanted) {
    const Config& config = session.config();
    const std::uint64_t rate = rate_of(wanted.rate);
    metadata::Store& store = session.store();
    // The journal needs a folder, where the database is PostgreSQL, too.
    const DataFolder folder = must(DataFolder::open(config.data.dir));
    const auto inventory = must(open_inventory(config, folder, session.clock()));
    const auto blobs = must(open_inspector(config, folder));
    const std::filesystem::path file =
        wanted.journal.empty() ? folder.path() / "check.journal" : std::filesystem::path(wanted.journal);
    CheckJournal journal(file, run_of(session, wanted), wanted.anew);
    if (wanted.repair && !journal.goes_on()) must(store.audit().record({"check.repair", {}, journal.run().id}));
    CheckReport report(session.json, !session.json && ::isatty(STDERR_FILENO) == 1);
    Check({.store = store,
           .inventory = *inventory,
           .blobs = *blobs,
           .clock = session.clock(),
           .orphan_age = config.retention.orphan_age},
          journal, report, rate)
        .run();
    if (report.findings() == 0) return;
    throw CommandFailed(ExitCode::failed,
                        std::to_string(report.findings()) + " findings" +
                            (report.moved() > 0 ? ", " + std::to_string(report.moved()) + " moved" : ""));
}

}  // namespace

void add_check_command(CLI::App& admin, AdminSession& session) {
    CLI::App* command = admin.add_subcommand(
        "check", "Compare the database with the blobs: what is missing, damaged, or named by nothing");
    auto wanted = std::make_shared<Wanted>();
    command->add_flag("--checksums", wanted->checksums, "Read every byte and compare it with what was stored");
    command->add_option("--rate", wanted->rate, "Read no more than so much a second, such as 50MiB");
    command->add_flag("--repair", wanted->repair,
                      "Move orphans, strays and damaged files into the quarantine; nothing is deleted");
    command->add_flag("--restart", wanted->anew, "Begin anew where an earlier check was interrupted");
    command->add_option("--journal", wanted->journal,
                        "Where it notes how far it is (default: check.journal in the data folder)");
    command->callback([&session, wanted] { check(session, *wanted); });
    add_examples(
        command,
        {"tessera admin check                              # while the server works; 1 when something is wrong",
         "tessera admin check --checksums --rate 50MiB     # reads everything, and leaves room for others",
         "tessera admin check --repair"},
        "Killed anywhere, it goes on when it is run again with the same options. With --json, one object a "
        "line, the last of them the summary.");
}

}  // namespace tessera::app
