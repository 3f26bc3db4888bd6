// `tessera process compare`: how alike two pictures look.
#include <CLI/App.hpp>
#include <array>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/process/commands.hpp"
#include "app/process/local_engine.hpp"
#include "app/process/temporary_folder.hpp"
#include "core/file.hpp"
#include "core/plain_numbers.hpp"
#include "operations/compare.hpp"
#include "operations/looks_target.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

struct Arguments {
    std::string reference;
    std::string candidate;
    bool as_json = false;
};

operations::InputImage look_at(engine::Pool& pool, const std::string& path) {
    const auto file = open_for_reading(path);
    if (!file) throw CommandFailed(ExitCode::not_found, path + ": can't be opened");
    const auto probed = pool.probe(file->get(), {}, {});
    if (!probed) throw CommandFailed(ExitCode::failed, path + ": " + probed.error().message);
    return {Uuid::random(), *probed, static_cast<std::int64_t>(must(size_of(file->get())))};
}

std::string size_text(const ImageInfo& image) {
    return std::to_string(image.width) + " x " + std::to_string(image.height);
}

double score_of_files(engine::Pool& pool, const Arguments& arguments, const operations::InputImage& reference,
                      const operations::InputImage& candidate) {
    engine::Task task;
    task.request = operations::comparison_request(reference, candidate);
    task.request.limits.max_input_pixels = std::int64_t{1} << 40;
    task.deadline = std::chrono::hours(1);
    task.open_image = [&](std::size_t i) {
        return open_for_reading(i == 0 ? arguments.reference : arguments.candidate);
    };
    const auto outcome = pool.run(task);
    if (!outcome) {
        throw CommandFailed(ExitCode::failed, arguments.reference + " and " + arguments.candidate + ": " +
                                                  outcome.error().message + " (" +
                                                  std::string(describe(outcome.error().code).name) + ")");
    }
    return operations::score_of(outcome->manifest);
}

int compare_files(const Arguments& arguments) {
    const TemporaryFolder folder;
    const auto pool = start_local_engine(folder.path() / "engine");
    const operations::InputImage reference = look_at(*pool, arguments.reference);
    const operations::InputImage candidate = look_at(*pool, arguments.candidate);
    if (reference.image.width != candidate.image.width || reference.image.height != candidate.image.height) {
        throw CommandFailed(ExitCode::usage, arguments.reference + " has " + size_text(reference.image) +
                                                 " pixels and " + arguments.candidate + " has " +
                                                 size_text(candidate.image) + ": only pictures of one size compare");
    }
    const double score = score_of_files(*pool, arguments, reference, candidate);
    const std::string_view looks = operations::name_of_score(score);
    if (arguments.as_json) {
        json::object line{{"reference", arguments.reference}, {"candidate", arguments.candidate},
                          {"width", reference.image.width},   {"height", reference.image.height},
                          {"metric", "ssimulacra2"},          {"score", std::round(score * 1e4) / 1e4}};
        if (!looks.empty()) line["reaches"] = looks;
        std::cout << with_plain_numbers(json::serialize(line)) << '\n';
        return static_cast<int>(ExitCode::ok);
    }
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.2f", score);
    std::cout << text.data() << (looks.empty() ? "" : "  reaches ") << looks << '\n';
    return static_cast<int>(ExitCode::ok);
}

}  // namespace

void add_compare_command(CLI::App& process, int& exit_code) {
    CLI::App* command = process.add_subcommand(
        "compare", "How alike two pictures look, as a SSIMULACRA 2 score: 100 is the same, 90 can't be told apart");
    auto arguments = std::make_shared<Arguments>();
    command->add_option("A", arguments->reference, "The picture as it should be")->required();
    command->add_option("B", arguments->candidate, "What was made of it, of the same size")->required();
    command->add_flag("--json", arguments->as_json, "Print JSON for programs");
    command->callback([arguments, &exit_code] { exit_code = compare_files(*arguments); });
    add_examples(command, {"tessera process compare original.png copy.jpg",
                           "tessera process compare --json original.png copy.avif"});
}

}  // namespace tessera::app
