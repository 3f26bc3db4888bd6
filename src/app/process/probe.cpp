#include <array>
#include <boost/json/serialize.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "app/command_failed.hpp"
#include "app/examples.hpp"
#include "app/process/commands.hpp"
#include "app/process/temporary_folder.hpp"
#include "core/file.hpp"
#include "core/image_format.hpp"
#include "core/plain_numbers.hpp"
#include "engine/host/pool.hpp"

namespace tessera::app {
namespace {

namespace json = boost::json;

std::string megapixels(const ImageInfo& info) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.1f", static_cast<double>(info.width * info.height) / 1e6);
    return text.data();
}

void print_for_people(const std::string& file, const ImageInfo& info) {
    std::cout << file << '\n'
              << "  format        " << to_string(info.format) << " (" << media_type(info.format) << ")\n"
              << "  size          " << info.width << " x " << info.height << " pixels as displayed, "
              << megapixels(info) << " megapixels\n"
              << "  pages         " << info.pages << '\n'
              << "  alpha         " << (info.has_alpha ? "yes" : "no") << '\n'
              << "  depth         " << info.bits_per_sample << " bits a sample\n"
              << "  colour space  " << info.colour_space << '\n';
}

void print_json(const std::string& file, const Result<ImageInfo>& probed) {
    json::object line{{"file", file}};
    if (probed) {
        line["format"] = to_string(probed->format);
        line["content_type"] = media_type(probed->format);
        line["width"] = probed->width;
        line["height"] = probed->height;
        line["pages"] = probed->pages;
        line["alpha"] = probed->has_alpha;
        line["bits_per_sample"] = probed->bits_per_sample;
        line["colour_space"] = probed->colour_space;
    } else {
        line["error"] = probed.error().message;
        line["code"] = to_string(probed.error().code);
    }
    std::cout << with_plain_numbers(json::serialize(line)) << '\n';
}

Result<ImageInfo> probe_file(engine::Pool& pool, const std::string& path) {
    const auto file = open_for_reading(path);
    if (!file) return Error{ErrorCode::not_found, "can't open it", file.error().detail};
    return pool.probe(file->get(), {}, {});
}

int probe_files(const std::vector<std::string>& files, bool as_json) {
    const TemporaryFolder folder;
    engine::PoolConfig config;
    config.scratch_root = folder.path() / "engine";
    config.job_engines = 0;
    config.probe_engines = 1;
    const auto pool = must(engine::Pool::start(config));

    ExitCode worst = ExitCode::ok;
    for (const std::string& file : files) {
        const auto probed = probe_file(*pool, file);
        if (!probed) worst = ExitCode::failed;
        if (as_json) {
            print_json(file, probed);
        } else if (probed) {
            print_for_people(file, *probed);
        } else {
            std::cerr << file << ": " << probed.error().message << '\n';
        }
    }
    return static_cast<int>(worst);
}

}  // namespace

void add_probe_command(CLI::App& process, int& exit_code) {
    CLI::App* command = process.add_subcommand("probe", "What an upload of these files would find in their headers");
    auto files = std::make_shared<std::vector<std::string>>();
    auto as_json = std::make_shared<bool>(false);
    command->add_option("FILE", *files, "Images")->required();
    command->add_flag("--json", *as_json, "One JSON object a line, for programs");
    command->callback([files, as_json, &exit_code] { exit_code = probe_files(*files, *as_json); });
    add_examples(command, {"tessera process probe photo.jpg", "tessera process probe --json photo.jpg map.png"});
}

}  // namespace tessera::app
