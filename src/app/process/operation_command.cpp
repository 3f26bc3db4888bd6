// `tessera process resize IN OUT …` and its like: one command for every operation that works on one image, with flags
// made from the operation's own table of options.
#include <sys/stat.h>
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <thread>

#include "app/command_failed.hpp"
#include "app/process/commands.hpp"
#include "app/process/progress_bar.hpp"
#include "app/process/temporary_folder.hpp"
#include "core/file.hpp"
#include "engine/pool.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using operations::Option;
using operations::OptionType;

struct Arguments {
    std::string input;
    std::string output;
    std::map<std::string, std::string, std::less<>> options;  // as typed
    bool as_json = false;
    bool quiet = false;
};

std::string flag_of(std::string_view name) {
    std::string flag = "--" + std::string(name);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

std::string help_of(const Option& option) {
    std::string help(option.description);
    if (!option.default_note.empty()) help += " Default: " + std::string(option.default_note) + ".";
    if (!option.default_value.is_null()) help += " Default: " + json::serialize(option.default_value) + ".";
    return help;
}

void add_flag(CLI::App& command, const Option& option, Arguments& arguments) {
    const std::string name(option.name);
    const std::string flag = flag_of(name);
    if (option.type == OptionType::boolean) {
        const auto set = [name, &arguments](std::int64_t count) {
            arguments.options[name] = count > 0 ? "true" : "false";
        };
        command.add_flag_function(flag + ",!--no-" + flag.substr(2), set, help_of(option));
        return;
    }
    const auto set = [name, &arguments](const std::string& value) { arguments.options[name] = value; };
    command.add_option_function<std::string>(flag, set, help_of(option));
}

// Words as JSON: what looks like a number or an object is one where the option wants it.
json::value value_of(const Option& option, const std::string& typed) {
    const bool text =
        option.type == OptionType::choice || option.type == OptionType::colour || option.type == OptionType::uuid;
    if (text) return json::value(typed);
    boost::system::error_code failed;
    json::value parsed = json::parse(typed, failed);
    return failed ? json::value(typed) : parsed;
}

std::optional<std::string> format_from_name(const std::filesystem::path& path) {
    std::string extension = path.extension().string();
    if (extension.empty()) return std::nullopt;
    extension.erase(0, 1);
    std::ranges::transform(extension, extension.begin(), [](unsigned char c) { return std::tolower(c); });
    if (extension == "jpg") return "jpeg";
    if (image_format_from_string(extension)) return extension;
    return std::nullopt;
}

json::object options_from(const operations::Operation& operation, const Arguments& arguments) {
    json::object options;
    for (const Option& option : operation.options().rows()) {
        const auto typed = arguments.options.find(option.name);
        if (typed != arguments.options.end()) {
            options[option.name] = value_of(option, typed->second);
        } else if (option.name == "format") {
            if (const auto format = format_from_name(arguments.output)) options["format"] = *format;
        }
    }
    return options;
}

// The service's limits are for strangers' files; what is left here is what formats and memory can hold.
operations::SubmitContext without_caps(const Asset& asset) {
    operations::SubmitContext context;
    context.asset_id = asset.id;
    context.find_asset = [asset](const Uuid&) -> Result<Asset> { return asset; };
    context.find_tileset = [](const Uuid&) -> Result<Tileset> {
        return Error{ErrorCode::tileset_not_found, "there are no tilesets outside the service", {}};
    };
    constexpr std::int64_t no_limit = std::int64_t{1} << 40;
    context.worker = {no_limit, no_limit, no_limit, no_limit, no_limit, no_limit};
    return context;
}

std::unique_ptr<engine::Pool> start_engine(const std::filesystem::path& scratch) {
    engine::PoolConfig config;
    config.scratch_root = scratch;
    config.job_engines = 1;
    config.probe_engines = 1;
    config.threads_per_job = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    config.memory_limit_bytes = std::int64_t{16} << 30;
    return must(engine::Pool::start(config));
}

Asset read_source(engine::Pool& pool, const std::string& path) {
    const auto file = open_for_reading(path);
    if (!file) throw CommandFailed(ExitCode::not_found, path + ": can't be opened");
    const auto probed = pool.probe(file->get(), {});
    if (!probed) throw CommandFailed(ExitCode::failed, path + ": " + probed.error().message);
    Asset asset;
    asset.id = Uuid::random();
    asset.image = *probed;
    asset.byte_size = static_cast<std::int64_t>(must(size_of(file->get())));
    return asset;
}

engine::Outcome run_in_engine(engine::Pool& pool, const Arguments& arguments, const Asset& asset,
                              const operations::NormalizedRequest& request) {
    engine::Task task;
    task.operation = request.operation;
    task.options_json = json::serialize(request.options);
    task.images = {{asset.id, asset.image, asset.byte_size}};
    task.limits.max_input_pixels = std::int64_t{1} << 40;
    task.limits.max_output_pixels = std::int64_t{1} << 40;
    task.limits.max_artifact_bytes = std::int64_t{1} << 40;
    task.limits.deadline = std::chrono::hours(1);
    task.open_image = [&](std::size_t) { return open_for_reading(arguments.input); };
    ProgressBar bar(!arguments.quiet && ::isatty(STDERR_FILENO) != 0);
    task.progress = [&](double share) { bar.show(share); };
    auto outcome = pool.run(task);
    bar.clear();
    if (!outcome) {
        throw CommandFailed(ExitCode::failed, arguments.input + ": " + outcome.error().message + " (" +
                                                  std::string(describe(outcome.error().code).name) + ")");
    }
    return std::move(*outcome);
}

// Beside its place first, then over it: a reader never sees half a file.
void put(const std::filesystem::path& from, const std::filesystem::path& to) {
    const std::filesystem::path beside = to.string() + ".part";
    std::error_code failed;
    std::filesystem::copy_file(from, beside, std::filesystem::copy_options::overwrite_existing, failed);
    if (!failed) {
        // The engine's files are for their owner alone; this one is as any file that a program makes.
        const auto mask = ::umask(0);
        ::umask(mask);
        std::filesystem::permissions(beside, std::filesystem::perms(0666 & ~mask), failed);
        std::filesystem::rename(beside, to, failed);
    }
    if (failed) {
        std::error_code ignored;
        std::filesystem::remove(beside, ignored);
        throw CommandFailed(ExitCode::failed, to.string() + ": " + failed.message());
    }
}

std::string in_kilobytes(std::int64_t bytes) {
    std::string text = std::to_string((bytes + 50) / 100);
    if (text.size() == 1) text.insert(0, 1, '0');
    text.insert(text.size() - 1, 1, '.');
    return text + " kB";
}

void report(const Arguments& arguments, const Asset& asset, const engine::Product& product) {
    if (arguments.as_json) {
        const json::object line{{"file", arguments.output},       {"content_type", product.content_type},
                                {"byte_size", product.byte_size}, {"width", product.width},
                                {"height", product.height},       {"metadata", json::parse(product.metadata_json)}};
        std::cout << json::serialize(line) << '\n';
    } else if (!arguments.quiet) {
        std::cout << arguments.output << ": " << product.width << " x " << product.height << " pixels, "
                  << product.content_type << ", " << in_kilobytes(product.byte_size) << " (from "
                  << in_kilobytes(asset.byte_size) << ")\n";
    }
}

int run_operation(const operations::Operation& operation, const Arguments& arguments) {
    const TemporaryFolder folder;
    const auto pool = start_engine(folder.path() / "engine");
    const Asset asset = read_source(*pool, arguments.input);
    const auto request = operation.normalize(options_from(operation, arguments), without_caps(asset));
    if (!request) throw CommandFailed(ExitCode::usage, request.error().message);
    const engine::Outcome outcome = run_in_engine(*pool, arguments, asset, *request);
    const engine::Product& product = outcome.artifacts.at(0);
    put(product.path, arguments.output);
    report(arguments, asset, product);
    return static_cast<int>(ExitCode::ok);
}

}  // namespace

void add_operation_commands(CLI::App& process, int& exit_code) {
    const auto registry = std::make_shared<operations::Registry>(operations::Registry::built_in());
    for (const auto& operation : registry->all()) {
        if (operation->source_use() != operations::SourceUse::required) continue;
        CLI::App* command =
            process.add_subcommand(std::string(operation->name()), std::string(operation->description()));
        auto arguments = std::make_shared<Arguments>();
        command->add_option("IN", arguments->input, "The source image")->required();
        command->add_option("OUT", arguments->output, "The result; its extension names the format")->required();
        for (const Option& option : operation->options().rows()) add_flag(*command, option, *arguments);
        command->add_flag("--json", arguments->as_json, "Print JSON for programs");
        command->add_flag("--quiet", arguments->quiet, "Print nothing");
        command->callback(
            [registry, arguments, &exit_code, &found = *operation] { exit_code = run_operation(found, *arguments); });
    }
}

}  // namespace tessera::app
