// tessera remote jobs: what the account has submitted, one of them in full, and an end to one.
#include <CLI/App.hpp>
#include <array>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <iostream>
#include <memory>

#include "app/examples.hpp"
#include "app/fixed_values.hpp"
#include "app/remote/bar.hpp"
#include "app/remote_commands/listing.hpp"
#include "app/remote_commands/session.hpp"
#include "app/text_table.hpp"
#include "core/plain_numbers.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using remote::number_at;
using remote::text_at;

constexpr std::string_view some_job = "01a1dd2e-c26e-7506-ab6a-956cc5fd96e9";

struct JobsArguments {
    std::string status;
    std::string operation;
    std::string asset_id;
    std::string tileset_id;
    std::string id;
    std::size_t most = 20;
    bool as_json = false;
};

std::string query_of(const JobsArguments& arguments) {
    std::string query;
    const auto add = [&query](const char* name, const std::string& value) {
        if (!value.empty()) query += std::string("&") + name + "=" + remote::in_query(value);
    };
    add("status", arguments.status);
    add("operation", arguments.operation);
    add("asset_id", arguments.asset_id);
    add("tileset_id", arguments.tileset_id);
    return query;
}

const json::object* first_artifact(const json::object& job) {
    const json::value* all = job.if_contains("artifacts");
    if (all == nullptr || !all->is_array() || all->get_array().empty()) return nullptr;
    return all->get_array().front().if_object();
}

// What came of it, or how far it is.
std::string outcome_of(const json::object& job) {
    const std::string status = text_at(job, "status");
    if (status == "failed") return text_at(job, "error_code");
    if (const json::object* artifact = first_artifact(job)) {
        return std::to_string(number_at(*artifact, "width")) + " x " + std::to_string(number_at(*artifact, "height")) +
               " " + text_at(*artifact, "content_type") + ", " +
               remote::bytes_text(static_cast<std::uint64_t>(number_at(*artifact, "byte_size")));
    }
    if (status == "running") {
        const json::value* progress = job.if_contains("progress");
        if (progress != nullptr && progress->is_number())
            return std::to_string(static_cast<int>(progress->to_number<double>() * 100)) + " %";
    }
    return {};
}

void print_lines(const json::array& all) {
    for (const json::value& each : all) std::cout << with_plain_numbers(json::serialize(each)) << '\n';
}

void list(const JobsArguments& arguments, const RemoteOptions& options) {
    RemoteSession session(options);
    const json::array jobs = listed(session, "/v1/jobs", "jobs", query_of(arguments), arguments.most);
    if (arguments.as_json) return print_lines(jobs);
    if (jobs.empty()) {
        std::cout << (query_of(arguments).empty() ? "There are no jobs yet.\n" : "No job is like that.\n");
        return;
    }
    TextTable table({"JOB", "OPERATION", "STATUS", "CREDITS", "QUEUED (UTC)", "RESULT"});
    for (const json::value& each : jobs) {
        const json::object& job = each.get_object();
        table.add({text_at(job, "id"), text_at(job, "operation"), text_at(job, "status"),
                   std::to_string(number_at(job, "credits")), when(job, "queued_at"), outcome_of(job)});
    }
    std::cout << table.text();
}

void print_job(const json::object& job) {
    TextTable table({"job", text_at(job, "id")});
    const auto add = [&table](const char* name, const std::string& value) {
        if (!value.empty()) table.add({name, value});
    };
    add("operation", text_at(job, "operation"));
    add("status", text_at(job, "status"));
    add("asset", text_at(job, "asset_id"));
    if (const json::value* given = job.if_contains("options"))
        add("options", with_plain_numbers(json::serialize(*given)));
    add("queued", when(job, "queued_at"));
    add("started", when(job, "started_at"));
    add("completed", when(job, "completed_at"));
    add("attempts",
        std::to_string(number_at(job, "attempt_count")) + " of " + std::to_string(number_at(job, "max_attempts")));
    if (text_at(job, "status") == "failed")
        add("error", text_at(job, "error_message") + " (" + text_at(job, "error_code") + ")");
    add("result", text_at(job, "status") == "failed" ? "" : outcome_of(job));
    if (const json::object* artifact = first_artifact(job)) {
        add("artifact", text_at(*artifact, "id"));
        if (const json::value* metadata = artifact->if_contains("metadata"))
            add("metadata", with_plain_numbers(json::serialize(*metadata)));
    }
    if (const json::value* result = job.if_contains("result"); result != nullptr && result->is_object())
        add("tiles", text_at(result->get_object(), "tile_url_template"));
    std::cout << table.text();
}

void show(const JobsArguments& arguments, const RemoteOptions& options) {
    const std::string id = id_of(arguments.id, "job");
    RemoteSession session(options);
    const json::object job = session.object(session.service().get("/v1/jobs/" + id), "job " + id);
    if (arguments.as_json) {
        std::cout << with_plain_numbers(json::serialize(job)) << '\n';
    } else {
        print_job(job);
    }
}

void cancel(const JobsArguments& arguments, const RemoteOptions& options) {
    const std::string id = id_of(arguments.id, "job");
    RemoteSession session(options);
    const json::object job = session.object(session.service().post("/v1/jobs/" + id + "/cancel", {}), "job " + id);
    if (arguments.as_json) {
        std::cout << with_plain_numbers(json::serialize(job)) << '\n';
    } else if (text_at(job, "error_code") == "cancelled") {
        std::cout << "The job is cancelled.\n";
    } else {
        std::cout << "The job has ended before: " << text_at(job, "status") << ".\n";
    }
}

std::vector<std::string> names_of(const operations::Registry& operations) {
    std::vector<std::string> names;
    for (const auto& operation : operations.all()) names.emplace_back(operation->name());
    return names;
}

}  // namespace

void add_jobs_commands(CLI::App& remote, const operations::Registry& operations, const SharedRemoteOptions& options) {
    CLI::App* group = remote.add_subcommand("jobs", "The account's jobs, newest first")->require_subcommand(0, 1);
    auto arguments = std::make_shared<JobsArguments>();
    takes_one_of(group->add_option("--status", arguments->status, "Of this state"),
                 std::array{"queued", "running", "succeeded", "failed"});
    takes_one_of(group->add_option("--operation", arguments->operation, "Of this operation"), names_of(operations));
    group->add_option("--asset", arguments->asset_id, "Of this asset");
    group->add_option("--tileset", arguments->tileset_id, "Of this tileset");
    group->add_option("--limit", arguments->most, "How many")->check(CLI::Range(1, 1'000'000))->capture_default_str();
    group->add_flag("--json", arguments->as_json, "Print JSON for programs");
    group->callback([arguments, options, group] {
        if (group->get_subcommands().empty()) list(*arguments, *options);
    });
    add_examples(group, {"tessera remote jobs", "tessera remote jobs --status failed --operation resize --limit 100",
                         "tessera remote jobs --json"});
    const std::string id(some_job);
    CLI::App* one = group->add_subcommand("show", "One job, all of it");
    one->add_option("JOB", arguments->id, "Its id")->required();
    one->callback([arguments, options] { show(*arguments, *options); });
    add_examples(one, {"tessera remote jobs show " + id, "tessera remote jobs show " + id + " --json"});
    CLI::App* stop = group->add_subcommand("cancel", "End a job that has not ended");
    stop->add_option("JOB", arguments->id, "Its id")->required();
    stop->callback([arguments, options] { cancel(*arguments, *options); });
    add_examples(stop, {"tessera remote jobs cancel " + id});
}

}  // namespace tessera::app
