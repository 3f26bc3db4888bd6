// tessera remote watch: the account's jobs as they change, for as long as one likes to look.
#include <sys/ioctl.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>
#include <utility>
#include <vector>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/remote/events.hpp"
#include "app/remote_commands/listing.hpp"
#include "app/remote_commands/session.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using remote::text_at;

bool has_ended(std::string_view status) {
    return status == "succeeded" || status == "failed";
}

std::string line_of(const json::object& job) {
    const std::string status = text_at(job, "status");
    std::string line = text_at(job, "id") + "  " + text_at(job, "operation") + "  " + status;
    const json::value* progress = job.if_contains("progress");
    if (status == "running" && progress != nullptr && progress->is_number()) {
        const auto share = std::clamp(progress->to_number<double>(), 0.0, 1.0);
        constexpr std::size_t width = 20;
        const auto filled = static_cast<std::size_t>(share * width);
        line += "  [" + std::string(filled, '#') + std::string(width - filled, '.') + "] " +
                std::to_string(static_cast<int>(share * 100)) + " %";
    }
    if (status == "failed") line += "  " + text_at(job, "error_message") + " (" + text_at(job, "error_code") + ")";
    return line;
}

// On a terminal the jobs that have not ended stay at the bottom, one line each, and change in place.
class Screen {
  public:
    Screen(bool as_json, bool live) : as_json_(as_json), live_(live) {}

    void show(const remote::Event& event, const json::object& data) {
        if (as_json_) {
            std::cout << with_plain_numbers(
                             json::serialize(json::object{{"event", event.name}, {"id", event.id}, {"data", data}}))
                      << std::endl;
        } else if (event.name == "gap") {
            clear();
            std::cout << "Some changes were missed: " << text_at(data, "message") << std::endl;
        } else if (live_) {
            show_live(data);
        } else {
            std::cout << line_of(data) << std::endl;
        }
    }

  private:
    struct Job {
        std::string id;
        std::string line;
    };

    void clear() {
        if (drawn_ > 0) std::cout << "\x1b[" << drawn_ << "A\x1b[J";
        drawn_ = 0;
    }

    void show_live(const json::object& job) {
        clear();
        const std::string id = text_at(job, "id");
        const auto known = std::ranges::find(running_, id, &Job::id);
        if (has_ended(text_at(job, "status"))) {
            if (known != running_.end()) running_.erase(known);
            std::cout << line_of(job) << '\n';
        } else if (known != running_.end()) {
            known->line = line_of(job);
        } else {
            running_.push_back({id, line_of(job)});
        }
        winsize size{};
        const bool known_size = ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2;
        const std::size_t rows = known_size ? std::size_t{size.ws_row} - 2 : 20;
        for (; drawn_ < std::min(rows, running_.size()); ++drawn_) {
            const std::string& line = running_[drawn_].line;
            std::cout << (known_size ? line.substr(0, size.ws_col) : line) << '\n';
        }
        std::cout << std::flush;
    }

    const bool as_json_;
    const bool live_;
    std::vector<Job> running_;
    std::size_t drawn_ = 0;
};

class Watch {
  public:
    Watch(RemoteSession& session, std::string job_id, Screen screen)
        : session_(session), job_id_(std::move(job_id)), screen_(std::move(screen)) {}

    int run() {
        if (!job_id_.empty() && look_first()) return exit_code_;
        while (!was_interrupted() && !over_ && std::cout.good()) {
            follow();
            if (!over_ && !was_interrupted()) pause();
        }
        return exit_code_;
    }

  private:
    // A job that ended before somebody looked has no more news.
    bool look_first() {
        const json::object job = session_.object(session_.service().get("/v1/jobs/" + job_id_), "job " + job_id_);
        take({text_at(job, "status"), with_plain_numbers(json::serialize(job)), {}});
        return over_;
    }

    void take(const remote::Event& event) {
        boost::system::error_code failed;
        const json::value data = json::parse(event.data, failed);
        if (failed || !data.is_object()) return;
        screen_.show(event, data.get_object());
        if (job_id_.empty() || event.name == "gap" || text_at(data.get_object(), "id") != job_id_) return;
        if (!has_ended(text_at(data.get_object(), "status"))) return;
        over_ = true;
        if (text_at(data.get_object(), "status") == "failed") exit_code_ = static_cast<int>(ExitCode::failed);
    }

    // One stream, until it ends: after an hour, when its node stops, or when the line breaks.
    void follow() {
        parser_.start_over();
        remote::Request request =
            session_.service().get(job_id_.empty() ? "/v1/events" : "/v1/events?job_id=" + job_id_);
        request.headers.front() = "Accept: text/event-stream";
        if (!parser_.last_id().empty()) request.headers.push_back("Last-Event-ID: " + parser_.last_id());
        request.sink = [this](std::string_view bytes) {
            say_once_that_it_watches();
            for (const remote::Event& event : parser_.feed(bytes)) take(event);
            return !over_ && std::cout.good();
        };
        std::optional<remote::Answer> ended;
        session_.transfers().start(std::move(request), [&ended](remote::Answer answer) { ended = std::move(answer); });
        while (!ended && !was_interrupted()) session_.transfers().wait(remote::Millis(200));
        if (!ended) return session_.transfers().drop_all();
        const bool refused = ended->failure.empty() && !ended->ok();
        const bool waits = refused && (remote::asks_to_wait(*ended) || remote::is_passing_fault(*ended));
        if ((refused && !waits) || (!ended->failure.empty() && !ended->may_pass && !over_ && std::cout.good()))
            end_command(remote::refusal_of(*ended), session_.service().address().text());
        fruitless_ = ended->ok() ? 0 : fruitless_ + 1;
    }

    // From the first bytes on nothing is missed.
    void say_once_that_it_watches() {
        if (std::exchange(told_, true) || !job_id_.empty()) return;
        std::cerr << "Watching the jobs of " << session_.service().address().text() << "; Ctrl-C ends it." << std::endl;
    }

    void pause() {
        const remote::Millis told = parser_.retry().value_or(remote::Millis(2'000));
        const remote::Millis longer = remote::backoff({.first_pause = told}, fruitless_, 0);
        const auto until = std::chrono::steady_clock::now() + longer;
        while (!was_interrupted() && std::chrono::steady_clock::now() < until)
            session_.transfers().wait(remote::Millis(100));
    }

    RemoteSession& session_;
    const std::string job_id_;
    Screen screen_;
    remote::EventParser parser_;
    bool told_ = false;
    bool over_ = false;
    int exit_code_ = 0;
    int fruitless_ = 0;  // tries in a row
};

int watch(const RemoteOptions& options, const std::string& job, bool as_json) {
    const std::string id = job.empty() ? std::string() : id_of(job, "job");
    listen_for_interrupts();
    RemoteSession session(options);
    const bool live = ::isatty(STDOUT_FILENO) != 0;
    return Watch(session, id, Screen(as_json, live)).run();
}

}  // namespace

void add_watch_command(CLI::App& remote, const SharedRemoteOptions& options, int& exit_code) {
    CLI::App* command = remote.add_subcommand("watch", "Jobs as they change; of one job, until it ends");
    auto job = std::make_shared<std::string>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("JOB", *job, "Only this one; the exit code is 1 if it fails");
    command->add_flag("--json", *as_json, "One line of JSON an event");
    command->callback([options, job, as_json, &exit_code] { exit_code = watch(*options, *job, *as_json); });
    add_examples(command,
                 {"tessera remote watch", "tessera remote watch --json",
                  "tessera remote watch 01a1dd2e-c26e-7506-ab6a-956cc5fd96e9"},
                 "It comes back by itself when the connection breaks, and misses nothing.");
}

}  // namespace tessera::app
