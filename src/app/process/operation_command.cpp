// `tessera process resize IN OUT …` and its like: one command for every operation, with flags made from the operation's
// own table of options.
#include <unistd.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/process/commands.hpp"
#include "app/process/local_job.hpp"
#include "app/process/output_name.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using operations::HelpOf;
using operations::Option;
using operations::OptionRole;
using operations::OptionType;
using operations::SourceUse;

struct Arguments {
    std::string input;
    std::string base;
    std::string output;
    std::map<std::string, std::string, std::less<>> options;  // as typed
    bool as_json = false;
    bool quiet = false;
    bool force = false;
};

std::string flag_of(std::string_view name) {
    std::string flag = "--" + std::string(name);
    std::ranges::replace(flag, '_', '-');
    return flag;
}

bool is_structured(const Option& option) {
    return option.type == OptionType::list || option.type == OptionType::object;
}

// {"x": …, "y": …}: what the objects of a list are made of.
std::string fields_of(const Option& option) {
    std::string fields;
    for (const Option& field : option.fields) fields += (fields.empty() ? "" : ", ") + local_name(field);
    return fields;
}

std::string help_of(const Option& option) {
    std::string help(option.description);
    if (!option.names.empty()) {
        help += " One of";
        for (const std::string_view name : option.names) help += " " + std::string(name);
        help += ".";
    }
    if (is_structured(option)) {
        help += option.type == OptionType::list ? " JSON, or a file with it: objects of " : " JSON, an object of ";
        help += fields_of(option) + ".";
    }
    if (!option.default_note.empty()) help += " Default: " + std::string(option.default_note) + ".";
    const bool is_empty_list = option.default_value.is_array() && option.default_value.get_array().empty();
    if (!option.default_value.is_null() && !is_empty_list) {
        help += " Default: " + json::serialize(option.default_value) + ".";
    }
    return help;
}

void add_flag(CLI::App& command, const Option& option, Arguments& arguments) {
    const std::string name(option.name);
    const std::string flag = flag_of(local_name(option));
    if (option.type == OptionType::boolean) {
        const auto set = [name, &arguments](std::int64_t count) {
            arguments.options[name] = count > 0 ? "true" : "false";
        };
        command.add_flag_function(flag + ",!--no-" + flag.substr(2), set, help_of(option));
        return;
    }
    const auto set = [name, &arguments](const std::string& value) { arguments.options[name] = value; };
    command.add_option_function<std::string>(flag, set, help_of(option))->required(option.is_required);
}

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (!file.is_open() || file.bad()) throw CommandFailed(ExitCode::not_found, path + ": can't be read");
    return text;
}

json::value parsed(const Option& option, const std::string& text) {
    boost::system::error_code failed;
    json::value value = json::parse(text, failed);
    if (!failed) return value;
    if (is_structured(option)) throw CommandFailed(ExitCode::usage, flag_of(option.name) + ": not JSON");
    return json::value(text);
}

// A structured option may be given as a file, which is then one of the sources.
bool names_a_file(const Option& option, const std::string& typed) {
    const std::size_t first = typed.find_first_not_of(" \t\r\n");
    return is_structured(option) && (first == std::string::npos || (typed[first] != '[' && typed[first] != '{'));
}

// Words as JSON: what looks like a number or an object is one where the option wants it.
json::value value_of(const Option& option, const std::string& typed) {
    const bool text =
        option.type == OptionType::choice || option.type == OptionType::colour || option.type == OptionType::uuid;
    if (text) return json::value(typed);
    return parsed(option, names_a_file(option, typed) ? contents_of(typed) : typed);
}

json::object options_from(const operations::Operation& operation, const Arguments& arguments) {
    const OutputName name(operation, arguments.output);
    json::object options;
    for (const Option& option : operation.options().rows()) {
        const auto found = arguments.options.find(option.name);
        const std::string typed = found == arguments.options.end() ? "" : found->second;
        if (option.role == OptionRole::result_kind) {
            options[option.name] = name.artifact(typed);
        } else if (option.role == OptionRole::result_format) {
            if (const auto named = name.format(typed)) options[option.name] = *named;
        }
        if (found == arguments.options.end()) continue;
        options[local_name(option)] = value_of(option, typed);
        if (names_a_file(option, typed)) require_other_file(arguments.output, typed);
    }
    return options;
}

std::string in_kilobytes(std::int64_t bytes) {
    std::string text = std::to_string((bytes + 50) / 100);
    if (text.size() == 1) text.insert(0, 1, '0');
    text.insert(text.size() - 1, 1, '.');
    return text + " kB";
}

void report(const Arguments& arguments, const LocalProduct& product) {
    if (arguments.as_json) {
        const json::object line{{"file", arguments.output},       {"content_type", product.made.content_type},
                                {"byte_size", product.byte_size}, {"width", product.made.width},
                                {"height", product.made.height},  {"metadata", product.made.metadata}};
        std::cout << json::serialize(line) << '\n';
    } else if (!arguments.quiet) {
        std::cout << arguments.output << ": " << product.made.width << " x " << product.made.height << " pixels, "
                  << product.made.content_type << ", " << in_kilobytes(product.byte_size);
        if (product.source_bytes > 0) std::cout << " (from " << in_kilobytes(product.source_bytes) << ")";
        std::cout << "\n";
    }
}

int run_operation(const operations::Operation& operation, const Arguments& arguments) {
    LocalJob job;
    if (!arguments.input.empty()) job.input = arguments.input;
    if (!arguments.base.empty()) job.base = arguments.base;
    job.output = arguments.output;
    job.existing = arguments.force ? Existing::replace : Existing::keep;
    job.options = options_from(operation, arguments);
    job.show_progress = !arguments.quiet && ::isatty(STDERR_FILENO) != 0;
    report(arguments, run_local_job(operation, std::move(job)));
    return static_cast<int>(ExitCode::ok);
}

void add_command_lines(std::vector<std::string>& lines, const operations::Operation& operation, HelpOf help) {
    for (const operations::CommandExample& example : operation.examples().commands) {
        if (example.shown_in < help) continue;
        lines.push_back("tessera process " + std::string(operation.name()) + " " + std::string(example.arguments));
    }
}

std::vector<std::string> examples_of(const operations::Operation& operation) {
    std::vector<std::string> lines;
    add_command_lines(lines, operation, HelpOf::operation);
    return lines;
}

std::string result_description(const operations::Operation& operation) {
    if (needs_base(operation)) return "The changed archive, .pmtiles";
    const operations::OptionTable& options = operation.options();
    const Option* format = options.find(OptionRole::result_format);
    if (format != nullptr && options.find(OptionRole::result_kind) != nullptr) {
        return "The result: .pmtiles for an archive of tiles, " + extensions_of(format->names) + " for the picture";
    }
    return "The result; its extension names what it is: .webp, .pmtiles, …";
}

// Files come first, in the order that data flows.
void add_files(CLI::App& command, const operations::Operation& operation, Arguments& arguments) {
    if (needs_base(operation)) {
        command.add_option("BASE", arguments.base, "The archive to change; it stays as it is")->required();
    }
    const std::string source(operation.source_description());
    switch (operation.source_use()) {
        case SourceUse::required: command.add_option("IN", arguments.input, source)->required(); break;
        case SourceUse::optional: command.add_option("--source", arguments.input, source); break;
        case SourceUse::refused: break;
    }
    command.add_option("OUT", arguments.output, result_description(operation))->required();
}

}  // namespace

void add_operation_commands(CLI::App& process, const operations::Registry& operations, int& exit_code) {
    for (const auto& operation : operations.all()) {
        CLI::App* command =
            process.add_subcommand(std::string(operation->name()), std::string(operation->description()));
        auto arguments = std::make_shared<Arguments>();
        add_files(*command, *operation, *arguments);
        for (const Option& option : operation->options().rows()) {
            // Tilesets live in the service; here they are files.
            if (option.role != OptionRole::tileset) add_flag(*command, option, *arguments);
        }
        command->add_flag("--force", arguments->force, "Replace OUT if it is there; never one of the sources");
        command->add_flag("--json", arguments->as_json, "Print JSON for programs");
        command->add_flag("--quiet", arguments->quiet, "Print nothing");
        add_examples(command, examples_of(*operation));
        command->callback(
            [arguments, &exit_code, &found = *operation] { exit_code = run_operation(found, *arguments); });
    }
}

std::vector<std::string> operation_examples(const operations::Registry& operations, HelpOf help) {
    std::vector<std::string> lines;
    for (const auto& operation : operations.all()) add_command_lines(lines, *operation, help);
    return lines;
}

}  // namespace tessera::app
