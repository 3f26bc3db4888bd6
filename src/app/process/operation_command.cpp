// `tessera process resize IN OUT …` and its like: one command for every operation, with flags made from the operation's
// own table of options.
#include <unistd.h>

#include <CLI/App.hpp>
#include <boost/json/serialize.hpp>
#include <iostream>
#include <memory>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/process/commands.hpp"
#include "app/process/local_job.hpp"
#include "app/process/option_flags.hpp"
#include "app/process/output_name.hpp"
#include "core/plain_numbers.hpp"
#include "operations/looks_target.hpp"
#include "operations/registry.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;
using operations::HelpOf;
using operations::Option;
using operations::OptionRole;
using operations::SourceUse;

struct Arguments {
    std::string input;
    std::string base;
    std::string output;
    TypedOptions options;
    bool as_json = false;
    bool quiet = false;
    bool force = false;
};

std::string in_kilobytes(std::int64_t bytes) {
    std::string text = std::to_string((bytes + 50) / 100);
    if (text.size() == 1) text.insert(0, 1, '0');
    text.insert(text.size() - 1, 1, '.');
    return text + " kB";
}

void report(const Arguments& arguments, const LocalProduct& product) {
    if (arguments.as_json) {
        const json::object line{{"file", product.file},           {"content_type", product.made.content_type},
                                {"byte_size", product.byte_size}, {"width", product.made.width},
                                {"height", product.made.height},  {"metadata", product.made.metadata}};
        std::cout << with_plain_numbers(json::serialize(line)) << '\n';
    } else if (!arguments.quiet) {
        std::cout << product.file << ": " << product.made.width << " x " << product.made.height << " pixels, "
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
    const OutputName name(operation, arguments.output);
    job.options = options_from(operation, arguments.options, &name,
                               [&](const std::string& file) { require_other_file(arguments.output, file); });
    job.adds_extension = first_format(operation, job.options) == operations::automatic;
    job.show_progress = !arguments.quiet && ::isatty(STDERR_FILENO) != 0;
    for (const LocalProduct& product : run_local_job(operation, std::move(job))) report(arguments, product);
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
            if (option.role != OptionRole::tileset) add_option_flag(*command, option, arguments->options);
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
