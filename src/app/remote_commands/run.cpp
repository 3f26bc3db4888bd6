// tessera remote run OPERATION IN… OUT: upload, submit, wait and download, of one file or many.
#include <CLI/App.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <set>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/process/local_job.hpp"
#include "app/remote/profiles.hpp"
#include "app/remote_commands/client_state.hpp"
#include "app/remote_commands/reporter.hpp"
#include "app/remote_commands/run_request.hpp"
#include "app/remote_commands/session.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using operations::Operation;
using operations::OptionRole;
using operations::SourceUse;

// The assets of pictures that options name.
std::map<std::string, std::string> upload_named(RemoteSession& session, remote::Uploads& uploads,
                                                const std::vector<std::string>& files, std::string& identity) {
    std::map<std::string, std::string> assets;
    for (const std::string& file : files) {
        remote::FileMark mark = must(remote::mark_of(file));
        mark.sha256 = must(remote::content_of(file));
        identity += "\n" + file + " " + mark.sha256;
        uploads.want(file, mark, remote::Uploads::Trust::service,
                     [&assets, file](const Result<remote::Uploaded, remote::Refusal>& uploaded) {
                         if (!uploaded) end_command(uploaded.error(), file);
                         assets[file] = uploaded->asset_id;
                     });
    }
    while (assets.size() < files.size()) {
        end_if_interrupted();
        session.calls().step(remote::Millis(200));
    }
    return assets;
}

// Results that are there and that no earlier run has made of the same files.
void require_free_targets(const remote::Plan& plan, const SourceFiles& sources, const RunArguments& arguments,
                          const remote::Journal& journal, const remote::Order& order, const remote::Service& service) {
    std::size_t taken = 0;
    fs::path first;
    for (const remote::Work& work : plan.works) {
        const auto target = work.target();
        if (!target) continue;
        sources.require_other(*target);
        std::error_code absent;
        if (arguments.force || !fs::exists(*target, absent)) continue;
        if (remote::FileJob::made_before(journal, order, service, work)) continue;
        if (taken++ == 0) first = *target;
    }
    if (taken == 0) return;
    const std::string more = taken == 1 ? "" : " and " + std::to_string(taken - 1) + " more";
    throw CommandFailed(ExitCode::conflict, first.string() + more + (taken == 1 ? " is" : " are") +
                                                " there already; --force replaces what is there");
}

int run(const Operation& operation, const RunArguments& arguments, const RemoteOptions& options) {
    RunRequest request = run_request(operation, arguments);
    const SourceFiles sources(request.plan);
    listen_for_interrupts();
    RemoteSession session(options, {arguments.concurrency, std::chrono::seconds(arguments.patience_s)});
    ClientState state(session);
    const std::string about = request.output.empty() ? "tileset " + arguments.tileset
                                                     : fs::absolute(request.output).lexically_normal().string();
    remote::Journal journal = state.journal(about);
    remote::Uploads uploads(session.calls(), session.service(), state.assets());

    remote::Order order;
    order.operation = operation.name();
    order.account_id = state.account_id();
    order.identity = json::serialize(request.options);
    const auto assets = upload_named(session, uploads, request.named_files, order.identity);
    order.options =
        with_assets(operation, request.options, [&assets](const std::string& file) { return assets.at(file); });
    order.retry_failed = arguments.retry_failed;
    order.most_jobs = state.most_jobs();
    std::set<fs::path> placed;
    order.place = [&](const fs::path& made, const fs::path& to, bool own) {
        sources.require_other(to);
        if (!placed.insert(fs::absolute(to).lexically_normal()).second && !own)
            throw CommandFailed(ExitCode::conflict,
                                to.string() + " is the name of another result, too: give its picture another name");
        put_in_place(made, to, arguments.force || own ? Existing::replace : Existing::keep);
        must(sync_folder(to.parent_path()));
    };
    require_free_targets(request.plan, sources, arguments, journal, order, session.service());

    Reporter reporter({arguments.as_json, arguments.quiet}, request.plan.into_folder ? 2 : 1);
    remote::Batch batch(session.calls(), session.transfers(), session.service(), journal, uploads, order,
                        {[&](const remote::FileReport& report) { reporter.ended(report); },
                         [&](const remote::Totals& totals) { reporter.moved(totals); }, was_interrupted});
    const auto outcome = batch.run(request.plan.works);
    if (request.plan.not_pictures > 0 && !arguments.quiet && !arguments.as_json)
        std::cerr << "tessera: passed over " << request.plan.not_pictures << " files whose names say no picture\n";
    return reporter.finish(outcome);
}

// The pictures first, then the result, in the order that data flows.
void add_files(CLI::App& command, const Operation& operation, RunArguments& arguments) {
    if (needs_base(operation)) {
        command.add_option("TILESET", arguments.tileset, "The id of the tileset to change")->required();
        command.add_option("OUT", arguments.output,
                           "Where to download the job's archive to, if it is wanted: what the job changed, .pmtiles");
    } else if (operation.source_use() == SourceUse::required) {
        command
            .add_option("IN_OUT", arguments.files,
                        "Pictures or folders, and last the result: a file for one picture, a folder for many. " +
                            result_description(operation))
            ->required()
            ->expected(2, 1 << 20);
    } else {
        command.add_option("OUT", arguments.output, result_description(operation))->required();
    }
    if (operation.source_use() == SourceUse::optional)
        command.add_option("--source", arguments.source, std::string(operation.source_description()));
}

void add_run_flags(CLI::App& command, RunArguments& arguments) {
    command.add_flag("--recursive,-r", arguments.recursive, "Folders with all that is below them");
    command.add_flag("--force", arguments.force,
                     "Replace results that are there; never a source. What this command has made is still skipped");
    command.add_flag("--retry-failed", arguments.retry_failed,
                     "Try files again whose jobs failed before; otherwise they are only named");
    command.add_option("--concurrency", arguments.concurrency, "Uploads, and downloads, at once")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command.add_option("--patience", arguments.patience_s, "Seconds of a service that is away, before it is given up")
        ->check(CLI::Range(0, 86'400))
        ->capture_default_str();
    command.add_flag("--json", arguments.as_json, "One line of JSON a file, and a summary");
    command.add_flag("--quiet", arguments.quiet, "Tell of failures only");
}

// Those of `tessera process`, where a tileset is named by its id instead of an archive.
std::vector<std::string> remote_examples(const Operation& operation) {
    constexpr std::string_view some_tileset = "01a1dd2e-c250-768d-a4a8-21aaf6c9e74d";
    std::vector<std::string> lines;
    for (const operations::CommandExample& example : operation.examples().commands) {
        std::string_view words = example.arguments;
        std::string line = "tessera remote run " + std::string(operation.name()) + " ";
        if (needs_base(operation)) {
            words.remove_prefix(words.find(' ') + 1);
            words.remove_prefix(words.find(' ') + 1);
            line += std::string(some_tileset) + " ";
        }
        lines.push_back(line + std::string(words));
    }
    return lines;
}

}  // namespace

void add_remote_run_command(CLI::App& remote, const operations::Registry& operations,
                            const SharedRemoteOptions& options, int& exit_code) {
    CLI::App* group = remote.add_subcommand("run", "Upload, run one operation, wait, download; of one file or many")
                          ->require_subcommand(1);
    for (const auto& operation : operations.all()) {
        CLI::App* command =
            group->add_subcommand(std::string(operation->name()), std::string(operation->description()));
        auto arguments = std::make_shared<RunArguments>();
        add_files(*command, *operation, *arguments);
        for (const operations::Option& option : operation->options().rows()) {
            const bool is_argument = option.role == OptionRole::tileset && option.is_required;
            if (!is_argument) add_option_flag(*command, option, arguments->typed);
        }
        add_run_flags(*command, *arguments);
        command->callback(
            [arguments, options, &exit_code, &found = *operation] { exit_code = run(found, *arguments, *options); });
        if (auto lines = remote_examples(*operation); !lines.empty()) add_examples(command, lines);
    }
    add_examples(
        group,
        {"tessera remote run resize photo.jpg small.webp --width 800",
         "tessera remote run optimize pictures smaller --recursive --format webp",
         "tessera remote run tile map.png city.pmtiles"},
        "The same command goes on where it was interrupted or killed: what is done is skipped, uploads and jobs\n"
        "that were accepted are picked up again, nothing is submitted twice. Where it is written down:\n"
        "$XDG_STATE_HOME/tessera/remote. Exit codes are those of `tessera remote`.");
}

}  // namespace tessera::app
