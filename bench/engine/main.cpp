// What an engine costs: its start, and a probe in it beside the same header read by libvips in this process.
//   bench_engine IMAGE…
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/file.hpp"
#include "engine/child/child.hpp"
#include "engine/host/pool.hpp"
#include "engine/host/spawner.hpp"
#include "imaging/picture/probe.hpp"
#include "imaging/pixels/vips_runtime.hpp"

namespace {

using namespace tessera;
using Steady = std::chrono::steady_clock;

template <typename T>
T must(Result<T> result) {
    if (!result) {
        std::fprintf(stderr, "failed: %s: %s\n", result.error().message.c_str(), result.error().detail.c_str());
        std::exit(1);
    }
    return std::move(result).value();
}

double milliseconds(const std::function<void()>& work) {
    const auto start = Steady::now();
    work();
    return std::chrono::duration<double, std::milli>(Steady::now() - start).count();
}

struct Spread {
    double median;
    double p95;
};

Spread measure(int rounds, const std::function<void()>& work) {
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) times.push_back(milliseconds(work));
    std::ranges::sort(times);
    return {times[times.size() / 2], times[times.size() * 95 / 100]};
}

void print(const char* what, Spread spread, const char* note = "") {
    std::printf("%-44s %8.2f ms   95 %%: %8.2f ms   %s\n", what, spread.median, spread.p95, note);
}

void measure_starts(const engine::PoolConfig& config) {
    const engine::EngineTerms terms{1, config.memory_limit_bytes, config.max_file_bytes};
    const auto cold = measure(5, [&] {
        engine::Spawner fresh(config);
        must(fresh.start_engine(0, terms));
    });
    engine::Spawner spawner(config);
    must(spawner.start_engine(0, terms));
    const auto warm = measure(50, [&] { must(spawner.start_engine(0, terms)); });
    print("engine start, locked in and ready", warm, "(goal: 30 ms)");
    print("the first one, with its template", cold);
}

void measure_probe(engine::Pool& pool, const std::string& path) {
    const UniqueFd file = must(open_for_reading(path));
    const auto here = measure(200, [&] {
        if (!imaging::probe(file.get(), {})) std::exit(1);
    });
    const auto there = measure(200, [&] { must(pool.probe(file.get(), {}, {})); });
    print(("header in this process, " + std::filesystem::path(path).filename().string()).c_str(), here);
    print("  the same as a probe in a warm engine", there);
    std::printf("  beyond: %.2f ms (goal: 3 ms)\n", there.median - here.median);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "engine") return engine::child_main();
    std::string pattern = (std::filesystem::temp_directory_path() / "tessera-bench-XXXXXX").string();
    const std::filesystem::path folder = ::mkdtemp(pattern.data());
    if (!imaging::start_vips()) return 1;
    engine::PoolConfig config;
    config.scratch_root = folder / "scratch";
    std::filesystem::create_directories(config.scratch_root);
    measure_starts(config);
    {
        const auto pool = must(engine::Pool::start(config));
        for (int i = 1; i < argc; ++i) measure_probe(*pool, argv[i]);
    }
    std::filesystem::remove_all(folder);
    return 0;
}
