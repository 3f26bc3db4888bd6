// The smallest server of this stack: what bench/http/run measures beside nginx, and a thing to try requests on.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "http/server/server.hpp"

namespace {

using namespace tessera;

class CountingSink final : public http::BodySink {
  public:
    Result<void> write(std::span<const std::uint8_t> bytes) override {
        total_ += bytes.size();
        return {};
    }
    void finish(Finished finished) override {
        finished(http::Response::json("{\"bytes\":" + std::to_string(total_) + "}"));
    }

  private:
    std::size_t total_ = 0;
};

http::Route route(http::Method method, std::string pattern, http::Handler handler) {
    http::Route made;
    made.method = method;
    made.pattern = std::move(pattern);
    made.handler = std::move(handler);
    return made;
}

constexpr std::size_t tile_bytes = 12 << 10;

// As large as a tile is, in memory.
UniqueFd tile_file() {
    UniqueFd file(::memfd_create("tile", MFD_CLOEXEC));
    const std::string bytes(tile_bytes, 'x');
    if (::write(file.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) std::abort();
    return file;
}

}  // namespace

int main(int argc, char** argv) {
    http::ServerConfig config;
    config.listen = {argc > 1 ? argv[1] : "127.0.0.1:0"};
    config.threads = 1;
    config.access_log = std::getenv("ACCESS_LOG") != nullptr;

    std::vector<http::Route> routes;
    routes.push_back(route(http::Method::get, "/ping", http::on_loop([](const http::Request&) {
                               return http::Response::json("{\"status\":\"ok\"}");
                           })));
    routes.push_back(route(http::Method::get, "/blocking", http::on_pool([](const http::Request&) {
                               return http::Response::json("{\"status\":\"ok\"}");
                           })));
    routes.push_back(route(
        http::Method::post, "/echo",
        http::on_pool(
            [](const http::Request& request) { return http::Response::bytes("text/plain", std::string(request.body)); },
            1 << 20)));
    routes.push_back(route(http::Method::post, "/count", http::into_sink([](const http::Request&) {
                               return Result<std::unique_ptr<http::BodySink>>(std::make_unique<CountingSink>());
                           })));

    const auto tile = std::make_shared<const UniqueFd>(tile_file());
    routes.push_back(
        route(http::Method::get, "/tile", http::on_loop([tile](const http::Request&) {
                  return http::Response::bytes("image/jpeg", http::ResidentSlice{tile, tile->get(), 0, tile_bytes});
              })));
    routes.push_back(route(http::Method::get, "/file", http::on_loop([tile](const http::Request&) {
                               return http::Response::bytes("image/jpeg", http::FileSlice{tile, 0, tile_bytes});
                           })));

    sigset_t ends;
    sigemptyset(&ends);
    sigaddset(&ends, SIGTERM);
    sigaddset(&ends, SIGINT);
    pthread_sigmask(SIG_BLOCK, &ends, nullptr);

    http::Server server(config, std::move(routes), {}, nullptr);
    if (const auto started = server.start(); !started.ok()) {
        std::fprintf(stderr, "%s\n", started.error().message.c_str());
        return 1;
    }
    std::printf("%s\n", server.addresses().front().c_str());
    std::fflush(stdout);
    int signal = 0;
    sigwait(&ends, &signal);
    server.stop();
    return 0;
}
