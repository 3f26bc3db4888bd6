#include "app/remote_commands/run_request.hpp"

#include <sys/stat.h>

#include <algorithm>

#include "app/command_failed.hpp"
#include "app/process/local_job.hpp"
#include "app/process/output_name.hpp"
#include "core/uuid.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;
using operations::Option;
using operations::OptionRole;
using operations::SourceUse;

remote::ResultKind kind_of(const operations::Operation& operation, const json::object& options) {
    remote::ResultKind kind;
    const operations::OptionTable& table = operation.options();
    kind.is_archive = operation.makes_tileset() && table.find(OptionRole::result_kind) == nullptr;
    const Option* row = table.find(OptionRole::result_format);
    if (row == nullptr || kind.is_archive) return kind;
    for (const std::string_view name : row->names) {
        if (const auto format = image_format_from_string(name)) kind.can_be.push_back(*format);
    }
    kind.format = image_format_from_string(first_format(operation, options));
    return kind;
}

// An error of the plan is one of the command line, but for files that are not there.
remote::Plan planned(const remote::PlanRequest& request) {
    auto plan = remote::plan_of(request);
    if (plan) return std::move(*plan);
    throw CommandFailed(plan.error().code == ErrorCode::not_found ? ExitCode::not_found : ExitCode::usage,
                        plan.error().message);
}

// As the service will judge them, before anything is sent.
void require_good_options(const operations::Operation& operation, const RunRequest& request, bool has_source) {
    const std::string some_id = Uuid::random().to_string();
    const json::object options =
        with_assets(operation, request.options, [&some_id](const std::string&) { return std::string(some_id); });
    const auto source = has_source ? std::optional(Uuid::random()) : std::nullopt;
    if (auto good = operation.normalize(options, source); !good)
        throw CommandFailed(ExitCode::usage, good.error().message);
}

}  // namespace

json::object with_assets(const operations::Operation& operation, json::object options,
                         const std::function<std::string(const std::string&)>& asset_of) {
    const auto name = [&](json::object& object, const Option& row) {
        const std::string local = local_name(row);
        const json::value* file = object.if_contains(local);
        if (local == row.name || file == nullptr || !file->is_string()) return;
        const std::string path(file->get_string());
        object.erase(local);
        object[row.name] = asset_of(path);
    };
    operations::visit_role(operation.options().rows(), options, OptionRole::asset, name);
    return options;
}

SourceFiles::SourceFiles(const remote::Plan& plan) {
    struct stat found {};
    for (const remote::Work& work : plan.works) {
        if (::stat(work.input.c_str(), &found) == 0) files_.emplace(found.st_dev, found.st_ino);
    }
}

void SourceFiles::require_other(const fs::path& target) const {
    struct stat found {};
    if (::stat(target.c_str(), &found) != 0 || !files_.contains({found.st_dev, found.st_ino})) return;
    throw CommandFailed(ExitCode::usage,
                        target.string() + " is one of the pictures that results are made of: give it another name");
}

RunRequest run_request(const operations::Operation& operation, const RunArguments& arguments) {
    RunRequest request;
    request.output = arguments.output;
    if (operation.source_use() == SourceUse::required && !needs_base(operation)) {
        remote::PlanRequest wanted;
        wanted.inputs.assign(arguments.files.begin(), arguments.files.end() - 1);
        request.output = arguments.files.back();
        wanted.output = request.output;
        wanted.recursive = arguments.recursive;
        wanted.kind = kind_of(operation, options_from(operation, arguments.typed, nullptr, [](const std::string&) {}));
        request.plan = planned(wanted);
        if (request.plan.works.empty())
            throw CommandFailed(ExitCode::not_found, "there are no pictures there (--recursive looks below folders)");
    } else {
        request.plan.works.push_back({arguments.source, request.output});
    }
    const auto reads = [&](const std::string& file) { require_other_file(request.output, file); };
    if (request.plan.into_folder || request.output.empty()) {
        request.options = options_from(operation, arguments.typed, nullptr, reads);
    } else {
        const OutputName name(operation, request.output);
        request.options = options_from(operation, arguments.typed, &name, reads);
    }
    if (needs_base(operation)) {
        if (!Uuid::parse(arguments.tileset))
            throw CommandFailed(ExitCode::usage, arguments.tileset + ": not the id of a tileset");
        request.options[operation.options().find(OptionRole::tileset)->name] = arguments.tileset;
    }
    const auto collect = [&request](const std::string& file) {
        if (std::ranges::find(request.named_files, file) == request.named_files.end())
            request.named_files.push_back(file);
        return Uuid::random().to_string();
    };
    static_cast<void>(with_assets(operation, request.options, collect));
    const bool has_source = !request.plan.works.empty() && !request.plan.works.front().input.empty();
    require_good_options(operation, request, has_source || operation.source_use() == SourceUse::required);
    return request;
}

}  // namespace tessera::app
