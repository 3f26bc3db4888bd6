// The server: loops, connections, the pool for blocking handlers. Start and stop are safe to call twice.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.hpp"
#include "http/routing/route.hpp"
#include "http/server/config.hpp"

namespace prometheus {
class Collectable;
}

namespace tessera::http {

// What a gate says about a request: let in (nothing in `refusal`) or not, and headers for the response either way.
struct Verdict {
    std::shared_ptr<const Error> refusal;
    std::string headers{};  // each "Name: value\r\n", such as RateLimit-Remaining

    static Verdict refused(Error error) { return {std::make_shared<const Error>(std::move(error))}; }
};

// What stands before the handlers: who calls, whether they may, and how often.
class Gate {
  public:
    virtual ~Gate() = default;
    // Decides from memory, on the loop; no value when a store has to be asked.
    virtual std::optional<Verdict> try_admit(const Route& route, Request& request) = 0;
    // Decides on the pool; may block.
    virtual Verdict admit(const Route& route, Request& request) = 0;
};

// What is served to operators at addresses of their own.
struct OperatorSite {
    std::vector<std::string> listen{};
    std::vector<Route> routes{};
};

class Server {
  public:
    // `routes` are the public ones; /healthz, /readyz, /metrics are among them or, with a second address, in
    // `admin_routes`; so are the operators', with `operator_site`.
    Server(ServerConfig config, std::vector<Route> routes, std::vector<Route> admin_routes, std::shared_ptr<Gate> gate,
           OperatorSite operator_site = {});
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Takes the addresses; one that can't be had is an error that names it. Who connects waits for start().
    Result<void> listen();
    // Listens, unless that was done, and serves.
    Result<void> start();
    // Stops accepting, lets requests in flight end, closes idle connections; returns when all is quiet or the drain
    // time-out has passed. Then what is left is cut off, and `at_cut_off` is to see that handlers which answer later
    // do.
    void stop(const std::function<void()>& at_cut_off = {});
    // Whether stop() has told all loops.
    [[nodiscard]] bool is_draining() const;

    // The addresses really bound, such as "127.0.0.1:40123", in the order of the configuration.
    [[nodiscard]] std::vector<std::string> addresses() const;
    [[nodiscard]] std::vector<std::string> admin_addresses() const;
    [[nodiscard]] std::vector<std::string> operator_addresses() const;

    // Requests, latencies, connections and threads, for the metrics page.
    [[nodiscard]] std::shared_ptr<prometheus::Collectable> metrics() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::http
