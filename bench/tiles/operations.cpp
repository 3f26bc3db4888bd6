// Measures what patches and grids cost: bench_tiles ARCHIVE.pmtiles SECONDS_TO_REBUILD, with an archive of the tile
// operation; bench_tiles grid; bench_tiles once ARCHIVE COUNT for a profiler, which runs one job with so many patches;
// and bench_tiles extract ARCHIVE FOLDER for looking at tiles. Jobs run in this process, with the number of threads
// that the machine has cores.
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <functional>
#include <random>
#include <thread>

#include "operations/registry.hpp"
#include "tiles/archive/archive.hpp"
#include "tiles/archive/writer.hpp"

using namespace tessera;
namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "%s\n", what.c_str());
    std::exit(1);
}

template <typename T, typename E>
T must(Result<T, E> result) {
    if (!result) fail(result.error().message + ": " + result.error().detail);
    return std::move(*result);
}

// By the clock, and of all threads together: the second says more on a machine that does other things, too.
struct Seconds {
    double clock = 0;
    double cpu = 0;
    Seconds& operator+=(const Seconds& more) {
        clock += more.clock;
        cpu += more.cpu;
        return *this;
    }
};

double cpu_seconds() {
    timespec spent{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec);
}

Seconds seconds_of(const std::function<void()>& work) {
    const double cpu = cpu_seconds();
    const auto start = std::chrono::steady_clock::now();
    work();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(), cpu_seconds() - cpu};
}

double median(std::vector<double> values) {
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

class Folder {
  public:
    Folder() {
        std::string name = (fs::current_path() / "bench-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) fail("mkdtemp");
        path = name;
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { fs::remove_all(path); }
    fs::path path;
};

// A tileset as a job sees it: a stack of archives.
struct Stack {
    TilesetVersion version;
    std::vector<fs::path> archives;  // bottom first

    explicit Stack(const fs::path& base) {
        const auto fd = must(open_for_reading(base));
        const auto archive = must(tiles::Archive::open(fd.get()));
        version.geometry = *archive->geometry();
        version.tile_count = static_cast<std::int64_t>(archive->header().addressed_tiles);
        const auto metadata = json::parse(archive->metadata_json());
        version.options_json = json::serialize(metadata.at("tessera").at("options"));
        add(base);
    }
    void add(const fs::path& archive) {
        archives.push_back(archive);
        version.layers.push_back({"", static_cast<std::int64_t>(fs::file_size(archive))});
    }
};

operations::RunLimits limits() {
    operations::RunLimits all;
    all.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    return all;
}

operations::Manifest run(const std::string& operation, const json::object& options, const fs::path& scratch,
                         const Stack* stack = nullptr) {
    static const auto registry = operations::Registry::built_in();
    operations::SubmitContext submit;
    submit.find_tileset = [&](const Uuid& id) -> Result<Tileset> {
        Tileset tileset;
        tileset.id = id;
        tileset.current = stack->version;
        return tileset;
    };
    const auto accepted = must(registry.accept(operation, options, std::nullopt, submit));
    operations::RunRequest request;
    request.operation = operation;
    request.options = accepted.options;
    request.limits = limits();
    if (stack != nullptr) request.tileset = operations::InputTileset{*accepted.tileset_id, stack->version};
    const operations::RunContext context{
        request, scratch, {}, [&](std::size_t i) { return open_for_reading(stack->archives[i]); }, {}, {}};
    return must(registry.find(operation)->run(context));
}

json::object patch_at(std::int64_t x, std::int64_t y) {
    return {{"x", x}, {"y", y}, {"width", 64}, {"height", 64}, {"color", "#d03020"}};
}

json::object patch_options(json::array patches) {
    return {{"tileset_id", Uuid::random().to_string()}, {"patches", std::move(patches)}};
}

struct Cost {
    Seconds seconds;
    double bytes = 0;
};

// Where a block of 64 by 64 pixels may lie.
enum class Places { blocks, anywhere };

// One block at many places; the middle of the times and sizes.
Cost one_patch(const Stack& stack, int repeats, Places places = Places::blocks) {
    const Folder folder;
    std::mt19937 random(7);
    std::vector<double> times;
    std::vector<double> cpu;
    std::vector<double> sizes;
    Cost cost;
    for (int i = 0; i < repeats; ++i) {
        const std::int64_t step = places == Places::blocks ? 64 : 1;
        const auto x = static_cast<std::int64_t>(random()) % (stack.version.geometry.width - 64) / step * step;
        const auto y = static_cast<std::int64_t>(random()) % (stack.version.geometry.height - 64) / step * step;
        const Seconds spent =
            seconds_of([&] { run("tile_patch", patch_options({patch_at(x, y)}), folder.path, &stack); });
        times.push_back(spent.clock);
        cpu.push_back(spent.cpu);
        sizes.push_back(static_cast<double>(fs::file_size(folder.path / "tileset.pmtiles")));
    }
    cost.seconds = {median(times), median(cpu)};
    cost.bytes = median(sizes);
    return cost;
}

// The same tiles over sixteen times the area. Which tile lies where does not matter for what a patch costs.
fs::path sixteen_times_larger(const Stack& stack, const fs::path& folder) {
    const auto fd = must(open_for_reading(stack.archives.front()));
    const auto archive = must(tiles::Archive::open(fd.get()));
    tiles::ArchiveInfo info;
    info.geometry = stack.version.geometry;
    info.geometry.width *= 4;
    info.geometry.height *= 4;
    info.options_json = stack.version.options_json;
    const auto shape =
        must(tiles::PyramidShape::make(info.geometry.width, info.geometry.height, info.geometry.tile_size));
    info.geometry.max_zoom = shape.max_zoom();
    tiles::ArchiveWriter writer(info, folder);
    std::vector<tiles::ContentId> contents;
    const auto walked = archive->for_each([&](const tiles::Archive::Run& tile) -> Result<void> {
        contents.push_back(must(writer.add_content(must(archive->read(tile.location)))));
        return {};
    });
    if (!walked) fail(walked.error().detail);
    std::size_t next = 0;
    for (int zoom = 0; zoom <= shape.max_zoom(); ++zoom) {
        for (std::uint32_t row = 0; row < shape.rows_at(zoom); ++row) {
            for (std::uint32_t column = 0; column < shape.columns_at(zoom); ++column) {
                writer.add_tile(*tiles::TileCoord::make(zoom, column, row), contents[next++ * 7919 % contents.size()]);
            }
        }
    }
    const fs::path path = folder / "large.pmtiles";
    must(writer.finish(path));
    return path;
}

void report(const char* what, double value, const char* unit, const std::string& against) {
    std::printf("  %-46s %10.3f %-3s %s\n", what, value, unit, against.c_str());
}

void report(const char* what, const Seconds& spent, const std::string& against) {
    std::printf("  %-46s %10.3f ms  %s  (%.1f ms CPU)\n", what, 1e3 * spent.clock, against.c_str(), 1e3 * spent.cpu);
}

std::string times(const Seconds& part, const Seconds& whole) {
    char text[80];
    std::snprintf(text, sizeof text, "%.2f times, CPU %.2f", part.clock / whole.clock, part.cpu / whole.cpu);
    return text;
}

std::string percent(double part, double whole, const char* of) {
    char text[80];
    std::snprintf(text, sizeof text, "%.3f %% of %s", 100 * part / whole, of);
    return text;
}

json::array a_thousand_patches(const Stack& stack, bool spread) {
    const TilesetGeometry& geometry = stack.version.geometry;
    std::mt19937 random(11);
    json::array patches;
    for (int i = 0; i < 1000; ++i) {
        const auto x = static_cast<std::int64_t>(random()) % (geometry.width - 64);
        const auto y = static_cast<std::int64_t>(random()) % (geometry.height - 64);
        patches.push_back(spread ? patch_at(x, y) : patch_at(1024 + i % 32 * 64, 1024 + i / 32 * 64));
    }
    return patches;
}

// One job and nothing else, for a profiler.
void run_once(const fs::path& base, std::int64_t count) {
    const Folder folder;
    const Stack stack(base);
    json::array patches = a_thousand_patches(stack, true);
    patches.resize(static_cast<std::size_t>(std::clamp<std::int64_t>(count, 1, 1000)));
    const Seconds spent = seconds_of([&] { run("tile_patch", patch_options(patches), folder.path, &stack); });
    report((std::to_string(patches.size()) + " patches, one job").c_str(), spent, "");
    report("  their delta", static_cast<double>(fs::file_size(folder.path / "tileset.pmtiles")) / 1e3, "kB", "");
}

void measure_patches(const fs::path& base, double rebuild) {
    const Folder folder;
    Stack stack(base);
    const auto bytes = static_cast<double>(fs::file_size(base));
    const Cost one = one_patch(stack, 25);
    report("tile_patch of one 64x64 block", one.seconds, percent(one.seconds.clock, rebuild, "a rebuild's time"));
    report("  its delta", one.bytes / 1e3, "kB", percent(one.bytes, bytes, "the archive's bytes"));
    const Cost astray = one_patch(stack, 25, Places::anywhere);
    report("tile_patch of 64x64 pixels anywhere", astray.seconds,
           percent(astray.seconds.clock, rebuild, "a rebuild's time"));
    report("  its delta", astray.bytes / 1e3, "kB", percent(astray.bytes, bytes, "the archive's bytes"));
    const Stack large(sixteen_times_larger(stack, folder.path));
    const Cost there = one_patch(large, 25);
    report("one block on a tileset sixteen times larger", there.seconds, times(there.seconds, one.seconds));

    // A thousand patches, spread and side by side, in one job and in a thousand (measured by fifty).
    for (const bool spread : {true, false}) {
        const json::array patches = a_thousand_patches(stack, spread);
        const Seconds together = seconds_of([&] { run("tile_patch", patch_options(patches), folder.path, &stack); });
        Stack growing = stack;
        Seconds apart;
        for (std::size_t i = 0; i < 50; ++i) {
            const fs::path delta = folder.path / ("delta-" + std::to_string(i));
            apart += seconds_of([&] { run("tile_patch", patch_options({patches[i * 20]}), folder.path, &growing); });
            fs::rename(folder.path / "tileset.pmtiles", delta);
            if (growing.archives.size() < 32) growing.add(delta);  // longer stacks are folded
        }
        report(spread ? "1,000 patches all over, one job" : "1,000 patches side by side, one job", together,
               percent(together.clock, apart.clock * 20, "1,000 runs"));
    }
}

void measure_grid() {
    const Folder folder;
    std::vector<double> times;
    for (int i = 0; i < 9; ++i) {
        times.push_back(seconds_of([&] {
                            run("grid_render",
                                {{"width", 32768}, {"height", 32768}, {"block_width", 64}, {"artifact", "archive"}},
                                folder.path);
                        }).clock);
    }
    report("grid_render 32768x32768, 64-px blocks, PNG", 1e3 * median(times), "ms", "");
    report("  its archive", static_cast<double>(fs::file_size(folder.path / "tileset.pmtiles")) / 1e3, "kB", "");
}

// The tiles of full size as files: FOLDER/<row>/<column>.<extension>.
void extract(const fs::path& path, const fs::path& folder) {
    const auto fd = must(open_for_reading(path));
    const auto archive = must(tiles::Archive::open(fd.get()));
    const TilesetGeometry& geometry = *archive->geometry();
    const auto shape = must(tiles::PyramidShape::make(geometry.width, geometry.height, geometry.tile_size));
    for (std::uint32_t row = 0; row < shape.rows_at(shape.max_zoom()); ++row) {
        const fs::path rows = folder / std::to_string(row);
        fs::create_directories(rows);
        for (std::uint32_t column = 0; column < shape.columns_at(shape.max_zoom()); ++column) {
            const auto tile = must(archive->read_tile(*tiles::TileCoord::make(shape.max_zoom(), column, row)));
            const std::string name = std::to_string(column) + "." + std::string(file_extension(geometry.format));
            const auto written =
                replace_file(rows / name, {reinterpret_cast<const char*>(tile->data()), tile->size()}, 0644);
            if (!written) fail(written.error().detail);
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 2 && std::string_view(argv[1]) == "grid") {
        measure_grid();
        return 0;
    }
    if (argc == 4 && std::string_view(argv[1]) == "extract") {
        extract(argv[2], argv[3]);
        return 0;
    }
    if (argc == 4 && std::string_view(argv[1]) == "once") {
        run_once(argv[2], std::atoll(argv[3]));
        return 0;
    }
    if (argc != 3)
        fail("usage: bench_tiles grid | bench_tiles once ARCHIVE COUNT | bench_tiles ARCHIVE SECONDS_TO_REBUILD");
    measure_patches(argv[1], std::atof(argv[2]));
    return 0;
}
