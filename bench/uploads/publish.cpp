// Small blobs published by one caller and by many at once: what sharing syncs is worth on this disk.
//   bench_publish FOLDER
#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <vector>

#include "blobs/filesystem/filesystem_store.hpp"

namespace {

using namespace tessera;
using namespace tessera::blobs;

constexpr std::size_t blob_bytes = 20'000;

bool publish(BlobStore& store, const std::string& name) {
    const std::vector<std::uint8_t> bytes(blob_bytes, static_cast<std::uint8_t>(name.back()));
    auto staged = store.stage();
    const auto key = BlobKey::parse(name);
    return staged && key && staged->write(bytes) && store.publish(*std::move(staged), *key);
}

double seconds(BlobStore& store, int threads, int each) {
    std::atomic<bool> failed = false;
    const auto begin = std::chrono::steady_clock::now();
    {
        std::vector<std::jthread> running;
        for (int t = 0; t < threads; ++t) {
            running.emplace_back([&, t] {
                for (int i = 0; i < each; ++i) {
                    const std::string name =
                        "bench/" + std::to_string(threads) + "-" + std::to_string(t) + "-" + std::to_string(i);
                    if (!publish(store, name)) failed = true;
                }
            });
        }
    }
    if (failed) std::puts("a publish failed");
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) return 2;
    auto store = open_filesystem_store(std::string(argv[1]) + "/publish");
    if (!store) return 1;
    seconds(**store, 4, 200);  // makes the folders
    for (const int threads : {1, 2, 8, 32}) {
        const int each = 1600 / threads;
        const double wall = seconds(**store, threads, each);
        std::printf("20 kB blobs, %2d publishers   %6.0f/s durable   %5.2f ms each\n", threads, threads * each / wall,
                    wall * 1000 / each);
    }
}
