// Loads a running service with jobs and prints one JSON line of figures. Started by bench/jobs/run:
//   bench_jobs_load submit   PORT KEY CLIENTS COUNT REQUEST…   how fast jobs are accepted
//   bench_jobs_load complete PORT KEY CLIENTS COUNT REQUEST…   how fast they are accepted, run and seen to have
//   succeeded bench_jobs_load latency  PORT KEY 1       COUNT REQUEST…   one at a time: from the request to the end
// A request is the body of a job, or upload:FILE; each client takes the next in turn. KEY may be several with commas
// between them: then the first request is made with the first, and so on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <mutex>
#include <sstream>
#include <stdexcept>
#include <thread>
#include <vector>

#include "core/clock.hpp"
#include "http_client.hpp"

namespace tessera::bench {
namespace {

using Steady = std::chrono::steady_clock;

constexpr std::string_view upload_mark = "upload:";

struct Settings {
    std::string mode;
    int port = 0;
    std::vector<std::string> keys;
    int clients = 1;
    int count = 1;
    std::vector<std::string> requests;
};

struct Sample {
    double seen_ms = 0;    // from the request to the answer that says it has ended
    double stored_ms = 0;  // completed_at minus queued_at
};

std::size_t next_turn() {
    static std::atomic<std::size_t> turn{0};
    return turn++;
}

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::istringstream from(list);
    for (std::string part; std::getline(from, part, ',');) parts.push_back(part);
    return parts;
}

void upload(HttpClient& client, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    const HttpAnswer answer = client.upload("/v1/assets", bytes);
    if (answer.status != 201) throw std::runtime_error("refused: " + answer.body);
}

std::string submit(HttpClient& client, const std::string& body) {
    const HttpAnswer answer = client.post("/v1/jobs", body);
    if (answer.status != 201) throw std::runtime_error("refused: " + answer.body + " for " + body);
    return std::string(text_field(answer.body, "id"));
}

Sample wait_for(HttpClient& client, const std::string& id, Steady::time_point since, std::chrono::microseconds pause) {
    while (true) {
        const HttpAnswer answer = client.get("/v1/jobs/" + id);
        const std::string_view status = text_field(answer.body, "status");
        if (status == "failed") throw std::runtime_error("failed: " + answer.body);
        if (status == "succeeded") {
            const auto queued = from_iso8601(text_field(answer.body, "queued_at"));
            const auto completed = from_iso8601(text_field(answer.body, "completed_at"));
            const double seen = std::chrono::duration<double, std::milli>(Steady::now() - since).count();
            return {seen, static_cast<double>((*completed - *queued).count())};
        }
        std::this_thread::sleep_for(pause);
    }
}

double at_quantile(std::vector<double> values, double quantile) {
    if (values.empty()) return 0;
    std::sort(values.begin(), values.end());
    return values[std::min(values.size() - 1, static_cast<std::size_t>(static_cast<double>(values.size()) * quantile))];
}

int run(const Settings& settings) {
    std::atomic<int> left{settings.count};
    std::mutex mutex;
    std::vector<double> seen;
    std::vector<double> stored;
    std::atomic<int> troubles{0};
    const auto started = Steady::now();
    std::vector<std::thread> threads;
    for (int i = 0; i < settings.clients; ++i) {
        threads.emplace_back([&] {
            try {
                HttpClient client(settings.port, settings.keys.front());
                while (left.fetch_sub(1) > 0) {
                    const std::size_t turn = next_turn();
                    const std::string& request = settings.requests[turn % settings.requests.size()];
                    client.use_key(settings.keys[turn % settings.keys.size()]);
                    const auto since = Steady::now();
                    if (request.starts_with(upload_mark)) {
                        upload(client, request.substr(upload_mark.size()));
                        continue;
                    }
                    const std::string id = submit(client, request);
                    Sample sample{std::chrono::duration<double, std::milli>(Steady::now() - since).count(), 0};
                    if (settings.mode == "complete")
                        sample = wait_for(client, id, since, std::chrono::milliseconds(20));
                    if (settings.mode == "latency")
                        sample = wait_for(client, id, since, std::chrono::microseconds(200));
                    const std::lock_guard lock(mutex);
                    seen.push_back(sample.seen_ms);
                    stored.push_back(sample.stored_ms);
                }
            } catch (const std::exception& problem) {
                ++troubles;
                std::cerr << problem.what() << "\n";
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    const double seconds = std::chrono::duration<double>(Steady::now() - started).count();
    std::printf(
        "{\"mode\":\"%s\",\"count\":%d,\"troubles\":%d,\"seconds\":%.3f,\"per_second\":%.1f,\"p50_ms\":%.2f,"
        "\"p99_ms\":%.2f,\"stored_p50_ms\":%.2f}\n",
        settings.mode.c_str(), settings.count, troubles.load(), seconds, settings.count / seconds,
        at_quantile(seen, 0.5), at_quantile(seen, 0.99), at_quantile(stored, 0.5));
    return troubles == 0 ? 0 : 1;
}

}  // namespace
}  // namespace tessera::bench

int main(int argc, char** argv) {
    if (argc < 7) {
        std::fputs("usage: bench_jobs_load submit|complete|latency PORT KEY CLIENTS COUNT REQUEST…\n", stderr);
        return 2;
    }
    const tessera::bench::Settings settings{argv[1],
                                            std::atoi(argv[2]),
                                            tessera::bench::split(argv[3]),
                                            std::atoi(argv[4]),
                                            std::atoi(argv[5]),
                                            {argv + 6, argv + argc}};
    return tessera::bench::run(settings);
}
