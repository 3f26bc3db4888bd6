// What a page of a list costs, first and last: walks whole lists of one account, page by page, and prints a line of
// JSON. Started by bench/lists/run, which fills the store:
//   bench_lists STORE ACCOUNT LIMIT      STORE is a folder with bench.db, or postgresql://…
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/log.hpp"
#include "metadata/lists.hpp"
#include "metadata/store.hpp"

namespace {

using namespace tessera;
using namespace tessera::metadata;
using Steady = std::chrono::steady_clock;

template <typename T>
T must(Result<T> result) {
    if (!result.ok()) {
        std::fprintf(stderr, "failed: %s: %s\n", result.error().message.c_str(), result.error().detail.c_str());
        std::exit(1);
    }
    return *std::move(result);
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

// How many it holds, and where the next page starts.
struct Seen {
    std::size_t items = 0;
    std::optional<Uuid> next;
};

void walk(const char* name, const char* separator, int limit, const std::function<Seen(const Page&)>& read) {
    constexpr std::size_t compared = 100;  // pages, at either end
    std::vector<double> times;
    std::size_t items = 0;
    Page page{std::nullopt, limit};
    // Once over the first pages, so that neither end is the first to touch the store.
    for (std::size_t i = 0; i < compared; ++i) read(page);
    while (true) {
        const auto start = Steady::now();
        const Seen seen = read(page);
        times.push_back(std::chrono::duration<double, std::milli>(Steady::now() - start).count());
        items += seen.items;
        if (!seen.next) break;
        page.before = seen.next;
    }
    const auto shown = static_cast<std::ptrdiff_t>(std::min(compared, times.size()));
    std::printf(R"(%s"%s":{"items":%zu,"pages":%zu,"first_ms":%.4f,"last_ms":%.4f})", separator, name, items,
                times.size(), median({times.begin(), times.begin() + shown}),
                median({times.end() - shown, times.end()}));
}

template <typename T>
Seen seen(const Listed<T>& listed) {
    return {listed.items.size(), listed.next};
}

std::unique_ptr<Store> open(const std::string& where, const Clock& clock) {
    if (where.starts_with("postgresql://")) return must(open_postgres(where));
    return must(open_sqlite((std::filesystem::path(where) / "bench.db").string(), clock));
}

}  // namespace

int main(int argc, char** argv) {
    const auto account = argc > 2 ? Uuid::parse(argv[2]) : std::nullopt;
    const int limit = argc > 3 ? std::atoi(argv[3]) : 0;
    log::set_sink([](log::Level, std::string_view) {}, log::Level::error);
    const SystemClock clock;
    if (argc > 1 && argc < 3) {  // makes the schema and nothing else
        open(argv[1], clock);
        return 0;
    }
    if (!account || limit < 1) {
        std::fprintf(stderr, "usage: bench_lists FOLDER|postgresql://… [ACCOUNT LIMIT]\n");
        return 2;
    }
    const auto store = open(argv[1], clock);
    Lists& lists = store->lists();
    std::printf("{");
    walk("assets", "", limit, [&](const Page& page) { return seen(must(lists.assets(*account, page))); });
    walk("jobs", ",", limit, [&](const Page& page) { return seen(must(lists.jobs(*account, {}, page))); });
    walk("failed jobs", ",", limit,
         [&](const Page& page) { return seen(must(lists.jobs(*account, {.status = JobStatus::failed}, page))); });
    walk("tilesets", ",", limit, [&](const Page& page) { return seen(must(lists.tilesets(*account, page))); });
    std::printf("}\n");
}
