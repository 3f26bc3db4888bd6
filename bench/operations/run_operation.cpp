// Runs one operation on one file again and again, in this process, and prints what that took as a line of JSON.
#include <sys/resource.h>
#include <unistd.h>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "core/file.hpp"
#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"
#include "operations/registry.hpp"

namespace {

namespace json = boost::json;
using namespace tessera;
using namespace tessera::operations;

double cpu_seconds() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

long peak_kilobytes() {
    rusage used{};
    ::getrusage(RUSAGE_SELF, &used);
    return used.ru_maxrss;
}

template <typename T>
T need(T result) {
    if (result.ok()) return result;
    std::cerr << result.error().message << " " << result.error().detail << '\n';
    std::exit(1);
}

Asset asset_of(const std::string& path) {
    const auto file = need(open_for_reading(path));
    Asset asset;
    asset.id = Uuid::random();
    asset.image = *need(imaging::probe(file->get(), {}));
    asset.byte_size = static_cast<std::int64_t>(*need(tessera::size_of(file->get())));
    return asset;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 6) {
        std::cerr << "usage: run_operation OPERATION OPTIONS IN OUT COUNT\n";
        return 2;
    }
    const std::string name = argv[1];
    const std::string input = argv[3];
    const int count = std::atoi(argv[5]);
    if (!imaging::start_vips().ok()) return 1;
    imaging::set_vips_threads(1);

    const Registry registry = Registry::built_in();
    const Asset asset = asset_of(input);
    SubmitContext submit;
    submit.find_asset = [&](const Uuid&) -> Result<Asset> { return asset; };
    const json::value options = json::parse(argv[2]);
    const auto accepted = need(registry.accept(name, options, asset.id, submit));

    RunRequest request;
    request.operation = name;
    request.options = accepted->options;
    request.images = {{asset.id, asset.image, asset.byte_size}};
    const std::filesystem::path scratch =
        std::filesystem::temp_directory_path() / ("tessera-bench-" + std::to_string(::getpid()));
    std::filesystem::create_directory(scratch);
    const RunContext context{request, scratch,       [&](std::size_t) { return open_for_reading(input); },
                             {},      [](double) {}, [] { return false; }};
    const auto start = std::chrono::steady_clock::now();
    const double cpu_start = cpu_seconds();
    std::string file;
    for (int i = 0; i < count; ++i) file = need(registry.find(name)->run(context))->artifacts.at(0).file;
    const double cpu = cpu_seconds() - cpu_start;
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();

    const auto bytes = static_cast<std::int64_t>(std::filesystem::file_size(scratch / file));
    std::filesystem::copy_file(scratch / file, argv[4], std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove_all(scratch);
    std::cout << json::serialize(json::object{{"wall", wall / count},
                                              {"cpu", cpu / count},
                                              {"peak_kilobytes", static_cast<std::int64_t>(peak_kilobytes())},
                                              {"bytes", bytes}})
              << '\n';
    return 0;
}
