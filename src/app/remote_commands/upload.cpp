// tessera remote upload FILES…: assets, for whoever submits jobs in another way.
#include <CLI/App.hpp>
#include <memory>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/remote/plan.hpp"
#include "app/remote_commands/client_state.hpp"
#include "app/remote_commands/reporter.hpp"
#include "app/remote_commands/session.hpp"

namespace tessera::app {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

constexpr std::size_t most_active = 32;

struct UploadArguments {
    std::vector<std::string> files;
    bool recursive = false;
    bool as_json = false;
    bool quiet = false;
    std::size_t concurrency = 6;
};

std::vector<fs::path> files_of(const UploadArguments& arguments) {
    const auto pictures =
        must(remote::pictures_in({arguments.files.begin(), arguments.files.end()}, arguments.recursive));
    std::vector<fs::path> files;
    for (const remote::Picture& picture : pictures.found) files.push_back(picture.file);
    return files;
}

// Uploads as a batch is told of: totals, and why it stopped.
class UploadRun {
  public:
    UploadRun(RemoteSession& session, ClientState& state, Reporter& reporter)
        : session_(session), reporter_(reporter), uploads_(session.calls(), session.service(), state.assets()) {}

    remote::Batch::Outcome run(const std::vector<fs::path>& files) {
        outcome_.totals.files = files.size();
        const remote::Instant begun = std::chrono::steady_clock::now();
        std::size_t next = 0;
        while (true) {
            while (next < files.size() && active_ < most_active && !outcome_.stopped_by) begin(files[next++]);
            remote::Totals& totals = outcome_.totals;
            totals.sent_bytes = session_.transfers().sent_bytes();
            totals.elapsed = std::chrono::duration_cast<remote::Millis>(std::chrono::steady_clock::now() - begun);
            outcome_.interrupted = was_interrupted();
            if (outcome_.interrupted) session_.calls().abandon();
            if (outcome_.interrupted || active_ == 0) return outcome_;
            remote::tell_what_is_waited_for(session_.calls(), totals);
            reporter_.moved(totals);
            session_.calls().step(remote::Millis(200));
        }
    }

  private:
    void begin(const fs::path& file) {
        auto mark = remote::mark_of(file);
        auto content = mark ? remote::content_of(file) : Result<std::string>(std::string());
        if (!mark || !content) return fail(file, remote::own_trouble("can't be read"));
        mark->sha256 = std::move(*content);
        ++active_;
        uploads_.want(file, *mark, remote::Uploads::Trust::service,
                      [this, file](const Result<remote::Uploaded, remote::Refusal>& uploaded) {
                          --active_;
                          if (uploaded) return done(file, *uploaded);
                          refuse(file, uploaded.error());
                      });
    }

    void done(const fs::path& file, const remote::Uploaded& uploaded) {
        ++(uploaded.was_there ? outcome_.totals.skipped : outcome_.totals.done);
        json::object line{{"input", file.string()},
                          {"status", uploaded.was_there ? "skipped" : "done"},
                          {"asset_id", uploaded.asset_id},
                          {"asset", uploaded.asset}};
        reporter_.line(uploaded.asset_id + "  " + file.string() + (uploaded.was_there ? "  (there already)" : ""),
                       line);
    }

    void refuse(const fs::path& file, const remote::Refusal& refusal) {
        if (outcome_.stopped_by) return;
        if (!remote::meets_every_file(refusal)) return fail(file, refusal);
        outcome_.stopped_by = refusal;
        session_.calls().close(remote::Lane::uploads);
    }

    void fail(const fs::path& file, const remote::Refusal& refusal) {
        ++outcome_.totals.failed;
        reporter_.failure(file.string(), refusal, {{"input", file.string()}, {"status", "failed"}});
    }

    RemoteSession& session_;
    Reporter& reporter_;
    remote::Uploads uploads_;
    remote::Batch::Outcome outcome_;
    std::size_t active_ = 0;
};

int upload(const UploadArguments& arguments, const RemoteOptions& options) {
    const std::vector<fs::path> files = files_of(arguments);
    if (files.empty()) throw CommandFailed(ExitCode::not_found, "there are no pictures in these folders");
    listen_for_interrupts();
    RemoteSession session(options, {.at_once = arguments.concurrency});
    ClientState state(session);
    Reporter reporter({arguments.as_json, arguments.quiet}, 1);
    UploadRun run(session, state, reporter);
    return reporter.finish(run.run(files));
}

}  // namespace

void add_upload_command(CLI::App& remote, const SharedRemoteOptions& options, int& exit_code) {
    CLI::App* command = remote.add_subcommand(
        "upload", "Upload pictures; each is told with its asset id. The same bytes are sent once");
    auto arguments = std::make_shared<UploadArguments>();
    command->add_option("FILES", arguments->files, "Pictures or folders")->required();
    command->add_flag("--recursive,-r", arguments->recursive, "Folders with all that is below them");
    command->add_option("--concurrency", arguments->concurrency, "Uploads at once")
        ->check(CLI::Range(1, 64))
        ->capture_default_str();
    command->add_flag("--json", arguments->as_json, "One line of JSON a file, and a summary");
    command->add_flag("--quiet", arguments->quiet, "Tell of failures only");
    command->callback([arguments, options, &exit_code] { exit_code = upload(*arguments, *options); });
    add_examples(command,
                 {"tessera remote upload photo.jpg map.png", "tessera remote upload pictures --recursive --json"});
}

}  // namespace tessera::app
