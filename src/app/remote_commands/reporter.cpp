#include "app/remote_commands/reporter.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <boost/json/serialize.hpp>
#include <iostream>
#include <utility>

#include "app/remote_commands/session.hpp"
#include "core/plain_numbers.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using remote::Ending;

bool is_terminal(int fd) {
    return ::isatty(fd) != 0;
}

std::size_t columns() {
    winsize size{};
    if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col < 20) return 79;
    return std::size_t{size.ws_col} - 1;
}

std::string name_of(const remote::FileReport& report) {
    if (!report.input.empty()) return report.input.string();
    return report.output.empty() ? "the job" : report.output.string();
}

json::object object_of(const remote::FileReport& report) {
    constexpr std::string_view endings[] = {"done", "skipped", "failed", "left"};
    json::object line;
    if (!report.input.empty()) line["input"] = report.input.string();
    if (!report.output.empty() && report.ending != Ending::failed) line["output"] = report.output.string();
    line["status"] = endings[static_cast<std::size_t>(report.ending)];
    if (!report.asset_id.empty()) line["asset_id"] = report.asset_id;
    if (!report.job_id.empty()) line["job_id"] = report.job_id;
    if (report.ending == Ending::done) {
        line["artifact"] = report.artifact;
        if (!report.further.empty()) line["further"].emplace_array();
        for (const auto& [output, artifact] : report.further)
            line["further"].get_array().push_back({{"output", output.string()}, {"artifact", artifact}});
        line["result"] = report.result;
    }
    return line;
}

std::string text_of(const remote::FileReport& report) {
    const std::string from = report.input.empty() ? "" : report.input.string() + " -> ";
    if (report.ending == Ending::skipped) return from + report.output.string() + ": done before";
    const json::object& artifact = report.artifact;
    std::string text = from + report.output.string();
    if (report.output.empty()) {
        const json::value* metadata = artifact.if_contains("metadata");
        const json::object none;
        const json::object& told = metadata != nullptr && metadata->is_object() ? metadata->get_object() : none;
        return "tileset " + remote::text_at(told, "tileset_id") + " is at version " +
               std::to_string(remote::number_at(told, "version"));
    }
    text += ": " + std::to_string(remote::number_at(artifact, "width")) + " x " +
            std::to_string(remote::number_at(artifact, "height")) + " pixels, " +
            remote::text_at(artifact, "content_type") + ", " +
            remote::bytes_text(static_cast<std::uint64_t>(remote::number_at(artifact, "byte_size")));
    if (report.source_bytes > 0) text += " (from " + remote::bytes_text(report.source_bytes) + ")";
    std::string before = "; beside it ";
    for (const remote::FileReport::Further& each : report.further) {
        text += std::exchange(before, ", ") + each.output.filename().string();
    }
    return text;
}

}  // namespace

Reporter::Reporter(Showing showing, std::size_t files)
    : showing_(showing),
      has_bar_(!showing.quiet && is_terminal(STDERR_FILENO) && !(showing.as_json && is_terminal(STDOUT_FILENO))),
      one_line_each_(files == 1 || !is_terminal(STDOUT_FILENO)) {}

void Reporter::clear() {
    if (drawn_ > 0) std::cerr << "\r\x1b[K" << std::flush;
    drawn_ = 0;
}

void Reporter::line(const std::string& for_people, const json::object& for_programs) {
    if (showing_.as_json) {
        clear();
        std::cout << with_plain_numbers(json::serialize(for_programs)) << std::endl;
    } else if (one_line_each_ && !showing_.quiet) {
        clear();
        std::cout << for_people << std::endl;
    }
}

void Reporter::failure(const std::string& subject, const remote::Refusal& refusal, json::object for_programs) {
    clear();
    if (showing_.as_json) {
        for_programs["error"] = refusal.error;
        if (!refusal.code.empty()) for_programs["code"] = refusal.code;
        if (!refusal.hint.empty()) for_programs["hint"] = refusal.hint;
        if (!refusal.request_id.empty()) for_programs["request_id"] = refusal.request_id;
        std::cout << with_plain_numbers(json::serialize(for_programs)) << std::endl;
    } else {
        std::cerr << "tessera: " << subject << ": " << refusal.text() << std::endl;
    }
}

void Reporter::ended(const remote::FileReport& report) {
    if (report.ending != Ending::failed) return line(text_of(report), object_of(report));
    remote::Refusal refusal = report.refusal;
    if (report.failed_before) refusal.hint = "failed before; --retry-failed tries it again";
    failure(name_of(report), refusal, object_of(report));
}

void Reporter::moved(const remote::Totals& totals) {
    if (!has_bar_) return;
    const std::string line = remote::bar_line(totals, columns());
    std::cerr << '\r' << line << "\x1b[K" << std::flush;
    drawn_ = line.size();
}

int Reporter::finish(const remote::Batch::Outcome& outcome) {
    clear();
    const remote::Totals& totals = outcome.totals;
    const std::size_t left = totals.files - totals.done - totals.skipped - totals.failed;
    if (showing_.as_json) {
        json::object summary{{"files", totals.files},
                             {"done", totals.done},
                             {"skipped", totals.skipped},
                             {"failed", totals.failed},
                             {"left", left},
                             {"seconds", static_cast<double>(totals.elapsed.count()) / 1000},
                             {"sent_bytes", totals.sent_bytes},
                             {"received_bytes", totals.received_bytes}};
        if (outcome.stopped_by) {
            summary["stopped_by"] = outcome.stopped_by->error;
            if (!outcome.stopped_by->code.empty()) summary["code"] = outcome.stopped_by->code;
        }
        summary["interrupted"] = outcome.interrupted;
        std::cout << with_plain_numbers(json::serialize(json::object{{"summary", summary}})) << std::endl;
    } else if (!showing_.quiet && totals.files != 1) {
        std::cout << remote::end_line(totals) << std::endl;
    }
    const std::string go_on = std::to_string(left) + " of " + std::to_string(totals.files) +
                              (totals.files == 1 ? " file is left" : " files are left") +
                              "; the same command goes on from here";
    if (outcome.interrupted) {
        std::cerr << "tessera: interrupted: " << go_on << std::endl;
        return static_cast<int>(exit_interrupted);
    }
    if (outcome.stopped_by) {
        std::cerr << "tessera: stopped: " << outcome.stopped_by->text() << "\ntessera: " << go_on << std::endl;
        return static_cast<int>(exit_stopped);
    }
    return static_cast<int>(totals.failed > 0 ? ExitCode::failed : ExitCode::ok);
}

}  // namespace tessera::app
