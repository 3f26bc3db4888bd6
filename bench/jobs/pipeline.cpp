// The worker, its stores and real engines in one process, without HTTP: where the time of a tiny job goes.
//   bench_jobs_pipeline IMAGE [JOBS] [SLOTS]
// And the work alone, as `tessera process` does it once it has started; one JSON line:
//   bench_jobs_pipeline work IMAGE OPTIONS [COUNT]
#include <algorithm>
#include <atomic>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>
#include <thread>
#include <vector>

#include "blobs/blob_store.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "core/hash.hpp"
#include "core/hex.hpp"
#include "core/log.hpp"
#include "engine/child/child.hpp"
#include "engine/host/pool.hpp"
#include "metadata/accounts.hpp"
#include "metadata/assets.hpp"
#include "metadata/jobs.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"
#include "operations/registry.hpp"
#include "worker/worker.hpp"

namespace {

using namespace tessera;
using Steady = std::chrono::steady_clock;
namespace fs = std::filesystem;

double seconds_since(Steady::time_point start) {
    return std::chrono::duration<double>(Steady::now() - start).count();
}

std::string file_bytes(const char* path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

struct Ground {
    SystemClock clock;
    fs::path folder;
    std::unique_ptr<metadata::Store> store;
    std::unique_ptr<blobs::BlobStore> blobs;
    std::unique_ptr<engine::Pool> engines;
    Account account;
    Asset asset;
    std::string options_json;

    explicit Ground(const std::string& image, int slots) {
        std::string pattern = (fs::temp_directory_path() / "tessera-bench-XXXXXX").string();
        folder = ::mkdtemp(pattern.data());
        store = std::move(*metadata::open_sqlite((folder / "bench.db").string(), clock));
        blobs = std::move(*blobs::open_filesystem_store(folder));
        fs::create_directories(folder / "scratch");
        engine::PoolConfig config;
        config.scratch_root = folder / "scratch";
        config.job_engines = slots;
        config.probe_engines = 1;
        auto started = engine::Pool::start(config);
        if (!started) {
            std::cerr << started.error().message << " " << started.error().detail << "\n";
            std::exit(1);
        }
        engines = std::move(*started);
        Plan plan;
        plan.code = "bench";
        plan.included_processing_credits = 1'000'000'000;
        (void)store->plans().apply(std::span(&plan, 1)).ok();
        account = *store->accounts().create({"bench", "Bench", "bench"});
        add_asset(image);
    }
    ~Ground() {
        engines->stop();
        store.reset();
        fs::remove_all(folder);
    }

    void add_asset(const std::string& image) {
        auto staged = *blobs->stage();
        (void)staged.write({reinterpret_cast<const std::uint8_t*>(image.data()), image.size()}).ok();
        auto info = engines->probe(staged.descriptor(), {}, {});
        asset.id = Uuid::time_ordered();
        asset.account_id = account.id;
        asset.image = *info;
        asset.checksum_sha256 = to_hex(sha256(image));
        asset.byte_size = static_cast<std::int64_t>(image.size());
        const auto key = *blobs::asset_key(account.id, asset.checksum_sha256);
        asset.storage_key = key.text();
        (void)blobs->publish(std::move(staged), key).ok();
        (void)store->assets().insert(asset, 0).ok();
        operations::SubmitContext context;
        context.find_asset = [this](const Uuid&) -> Result<Asset> { return asset; };
        const boost::json::value given = {{"width", 32}, {"format", "png"}};
        options_json = boost::json::serialize(
            operations::Registry::built_in().accept("resize", given, asset.id, context)->options);
    }

    Uuid submit() const {
        metadata::Submission submission;
        submission.job.id = Uuid::time_ordered();
        submission.job.account_id = account.id;
        submission.job.asset_id = asset.id;
        submission.job.operation = "resize";
        submission.job.options_json = options_json;
        submission.job.credits = 1;
        const auto submitted = store->jobs().submit(submission);
        if (!submitted) std::cerr << submitted.error().detail << "\n";
        return submission.job.id;
    }
};

// The time of the work alone: the image is read, an engine is free, the result is a file.
int work_alone(const std::string& image, const std::string& options, int count) {
    const Ground ground(image, 1);
    operations::SubmitContext context;
    context.find_asset = [&](const Uuid&) -> Result<Asset> { return ground.asset; };
    const boost::json::value given = boost::json::parse(options);
    const auto request = operations::Registry::built_in().accept("resize", given, ground.asset.id, context);
    if (!request) return std::cerr << request.error().message << "\n", 1;
    engine::Task task;
    task.request.operation = "resize";
    task.request.options = request->options;
    task.request.images = {{ground.asset.id, ground.asset.image, ground.asset.byte_size}};
    task.open_image = [&](std::size_t) {
        return ground.blobs->open_local(*blobs::BlobKey::parse(ground.asset.storage_key));
    };
    std::vector<double> times;
    for (int i = 0; i < count; ++i) {
        const auto start = Steady::now();
        if (const auto outcome = ground.engines->run(task); !outcome) {
            return std::cerr << outcome.error().message << "\n", 1;
        }
        times.push_back(seconds_since(start) * 1000);
    }
    std::sort(times.begin(), times.end());
    std::printf("{\"p50_ms\":%.3f}\n", times[times.size() / 2]);
    return 0;
}

void submit_many(const Ground& ground, int count) {
    std::atomic<int> left{count};
    std::vector<std::thread> clients;
    for (int i = 0; i < 64; ++i) {
        clients.emplace_back([&] {
            while (left.fetch_sub(1) > 0) ground.submit();
        });
    }
    for (std::thread& client : clients) client.join();
}

void latency(Ground& ground, worker::Worker& worker) {
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const std::uint64_t before = worker.counters().succeeded;
        const auto start = Steady::now();
        ground.submit();
        while (worker.counters().succeeded == before) std::this_thread::sleep_for(std::chrono::microseconds(100));
        times.push_back(seconds_since(start) * 1000);
    }
    std::sort(times.begin(), times.end());
    std::printf("one at a time: p50 %.2f ms, p90 %.2f ms\n", times[100], times[180]);
}

}  // namespace

int main(int argc, char** argv) {
    if (argc > 1 && std::strcmp(argv[1], "engine") == 0) return engine::child_main();
    if (argc > 3 && std::strcmp(argv[1], "work") == 0) {
        return work_alone(file_bytes(argv[2]), argv[3], argc > 4 ? std::atoi(argv[4]) : 200);
    }
    if (argc < 2) {
        std::fputs("usage: bench_jobs_pipeline IMAGE [JOBS] [SLOTS]\n", stderr);
        return 2;
    }
    log::set_sink([](log::Level, std::string_view line) { std::cerr << line << "\n"; }, log::Level::warning);
    const std::string image = file_bytes(argv[1]);
    const int jobs = argc > 2 ? std::atoi(argv[2]) : 1000;
    const int slots = argc > 3 ? std::atoi(argv[3]) : 2;

    Ground ground(image, slots);
    auto start = Steady::now();
    submit_many(ground, jobs);
    std::printf("submitted: %.0f jobs/s\n", jobs / seconds_since(start));

    worker::WorkerConfig config;
    config.slots = slots;
    const operations::Registry operations = operations::Registry::built_in();
    worker::Worker worker(*ground.store, *ground.blobs, *ground.engines, operations, ground.clock, config, "bench");
    start = Steady::now();
    worker.start();
    while (worker.counters().succeeded + worker.counters().failed < static_cast<std::uint64_t>(jobs)) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    std::printf("run from a full queue: %.0f jobs/s (%llu failed)\n", jobs / seconds_since(start),
                static_cast<unsigned long long>(worker.counters().failed));
    latency(ground, worker);
    worker.stop();
    return 0;
}
