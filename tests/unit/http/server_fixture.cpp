#include "server_fixture.hpp"

#include <prometheus/collectable.h>
#include <prometheus/metric_family.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace tessera::http::test {
namespace {

class LoggedSink final : public BodySink {
  public:
    LoggedSink(SinkLog& log, Door* door) : log_(log), door_(door) { ++log_.opened; }
    ~LoggedSink() override { ++log_.destroyed; }

    Result<void> write(std::span<const std::uint8_t> bytes) override {
        const std::size_t now = ++log_.at_once;
        std::size_t most = log_.most_at_once;
        while (now > most && !log_.most_at_once.compare_exchange_weak(most, now)) {
        }
        if (door_ != nullptr) door_->pass();
        --log_.at_once;
        log_.bytes += bytes.size();
        for (const std::uint8_t byte : bytes) checksum_ = checksum_ * 31 + byte;
        if (log_.throws) throw std::runtime_error("a sink that throws");
        if (log_.bytes > log_.refuse_after) return Error{ErrorCode::unsupported_media_type, "not an image", {}};
        return {};
    }
    void finish(Finished finished) override {
        ++log_.finished;
        finished(Response::json(std::to_string(checksum_), 201));
    }

  private:
    SinkLog& log_;
    Door* door_;
    std::uint64_t checksum_ = 0;
};

// Leaves its answer to whoever looks after the late ones.
class LateSink final : public BodySink {
  public:
    explicit LateSink(LateAnswers& late) : late_(late) {}
    Result<void> write(std::span<const std::uint8_t>) override { return {}; }
    void finish(Finished finished) override { late_.add(std::move(finished)); }

  private:
    LateAnswers& late_;
};

Route route(Method method, std::string pattern, Handler handler) {
    Route made;
    made.method = method;
    made.pattern = std::move(pattern);
    made.handler = std::move(handler);
    return made;
}

std::shared_ptr<const UniqueFd> file_with(const std::string& content) {
    char name[] = "/tmp/tessera-http-XXXXXX";
    auto file = std::make_shared<UniqueFd>(::mkstemp(name));
    ::unlink(name);
    EXPECT_TRUE(write_all(file->get(), {reinterpret_cast<const std::uint8_t*>(content.data()), content.size()}).ok());
    return file;
}

}  // namespace

double ServerTest::open_connections() const {
    for (const auto& family : server_->metrics()->Collect()) {
        if (family.name == "tessera_http_connections_open") return family.metric.front().gauge.value;
    }
    return -1;
}

ServerConfig ServerTest::small() {
    ServerConfig config;
    config.threads = 2;
    config.blocking_threads = 4;
    config.max_head_bytes = 4096;
    config.access_log = false;
    return config;
}

ServerConfig ServerTest::impatient() {
    ServerConfig config = small();
    // Long enough for a busy machine to come to speak before it is cut off.
    config.idle_timeout = config.head_timeout = config.body_timeout = config.write_timeout =
        std::chrono::milliseconds(1000);
    return config;
}

void ServerTest::start(ServerConfig config, std::shared_ptr<Gate> gate) {
    config.listen = config.listen == ServerConfig{}.listen ? std::vector<std::string>{"127.0.0.1:0"} : config.listen;
    config.access_log = false;
    big_.resize(8 * 1024 * 1024);
    for (std::size_t i = 0; i < big_.size(); ++i) big_[i] = static_cast<char>('a' + i * 7 % 23 + i / 100'000 % 3);

    std::vector<Route> routes;
    routes.push_back(route(Method::get, "/now", on_loop([](const Request& request) {
                               return Response::json("\"" + std::string(request.target) + "\"");
                           })));
    routes.push_back(route(Method::get, "/client", on_loop([](const Request& request) {
                               return Response::bytes("text/plain", std::string(request.client_ip));
                           })));
    routes.push_back(route(Method::get, "/pool", on_pool([](const Request&) { return Response::json("\"pool\""); })));
    routes.push_back(route(Method::get, "/wait", on_pool([this](const Request&) {
                               door_.pass();
                               return Response::json("\"waited\"");
                           })));
    routes.push_back(route(Method::get, "/hold-loop", on_loop([this](const Request&) {
                               door_.pass();
                               return Response::json("\"held\"");
                           })));
    routes.push_back(route(Method::get, "/hold-loop-again", on_loop([this](const Request&) {
                               write_door_.pass();
                               return Response::json("\"held again\"");
                           })));
    routes.push_back(route(Method::get, "/no-content", on_loop([](const Request&) {
                               return Response::bytes("text/plain", "more than nothing", 204);
                           })));
    routes.push_back(route(Method::get, "/throw", on_pool([](const Request&) -> Response {
                               throw std::runtime_error("the database password is hunter2");
                           })));
    routes.push_back(route(Method::get, "/throw-now", on_loop([](const Request&) -> Response {
                               throw std::runtime_error("the database password is hunter2");
                           })));
    routes.push_back(route(Method::get, "/big", on_loop([this](const Request&) {
                               return Response::bytes("text/plain", SharedBytes{nullptr, big_});
                           })));
    routes.push_back(route(Method::get, "/file", on_loop([file = file_with(big_), this](const Request&) {
                               return Response::bytes("text/plain", FileSlice{file, 3, big_.size() - 5});
                           })));
    routes.push_back(route(Method::get, "/short-file", on_loop([file = file_with("1234")](const Request&) {
                               return Response::bytes("text/plain", FileSlice{file, 0, 100});
                           })));
    routes.push_back(
        route(Method::post, "/echo",
              on_pool([](const Request& request) { return Response::bytes("text/plain", std::string(request.body)); },
                      200'000)));
    routes.push_back(route(Method::post, "/sink", into_sink([this](const Request&) {
                               return Result<std::unique_ptr<BodySink>>(std::make_unique<LoggedSink>(sinks_, nullptr));
                           })));
    routes.push_back(route(Method::post, "/slow-sink", into_sink([this](const Request&) {
                               return Result<std::unique_ptr<BodySink>>(
                                   std::make_unique<LoggedSink>(sinks_, &write_door_));
                           })));
    routes.push_back(route(Method::post, "/late-sink", into_sink([this](const Request&) {
                               return Result<std::unique_ptr<BodySink>>(std::make_unique<LateSink>(late_));
                           })));
    routes.push_back(route(Method::get, "/held",
                           on_loop_else_pool([](const Request&) { return std::nullopt; },
                                             [this](const Request&, Held held) {
                                                 late_.add([held](Response response) {
                                                     held(response.status == 100 ? std::nullopt
                                                                                 : std::optional(std::move(response)));
                                                 });
                                             },
                                             [](const Request&) { return Response::json("\"went on\""); })));
    routes.push_back(route(Method::post, "/no-sink", into_sink([](const Request&) -> Result<std::unique_ptr<BodySink>> {
                               return Error{ErrorCode::unsupported_media_type, "no form", {}};
                           })));
    Route shared = route(Method::get, "/shared", on_loop([](const Request&) { return Response::json("{}"); }));
    shared.cors = true;
    routes.push_back(std::move(shared));
    std::vector<Route> admin;
    admin.push_back(route(Method::get, "/admin", on_loop([](const Request&) { return Response::json("{}"); })));

    server_ = std::make_unique<Server>(std::move(config), std::move(routes), std::move(admin), std::move(gate));
    const Result<void> started = server_->start();
    ASSERT_TRUE(started.ok()) << started.error().message;
}

void ServerTest::TearDown() {
    door_.open();
    write_door_.open();
    if (server_) server_->stop();
}

}  // namespace tessera::http::test
