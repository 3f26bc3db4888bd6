#include "http/server/server.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>

#include "core/log.hpp"
#include "http/message/address.hpp"
#include "http/server/listen_socket.hpp"
#include "http/server/loop.hpp"
#include "http/server/server_metrics.hpp"

namespace tessera::http {
namespace {

// What the process needs beside connections: databases, blobs, pipes, and five for each engine that is kept.
constexpr std::size_t reserved_descriptors = 1024;

// Connections are descriptors: take as many as we may have, and never promise more.
std::size_t descriptors_for_connections() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return SIZE_MAX;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(RLIMIT_NOFILE, &limit);
    ::getrlimit(RLIMIT_NOFILE, &limit);
    const auto all = static_cast<std::size_t>(limit.rlim_cur);
    return all > 2 * reserved_descriptors ? all - reserved_descriptors : std::max<std::size_t>(all / 2, 1);
}

Error with_key(const char* key, Error error) {
    error.message = std::string(key) + ": " + error.message;
    return error;
}

}  // namespace

struct Server::Impl {
    Common common;
    std::vector<std::unique_ptr<Loop>> loops;
    std::vector<std::string> addresses;
    std::vector<std::string> admin_addresses;
    std::vector<std::string> operator_listen;
    std::vector<std::string> operator_addresses;
    std::shared_ptr<ServerMetrics> metrics;

    std::mutex mutex;
    std::condition_variable changed;
    std::size_t running = 0;
    bool listening = false;
    bool started = false;
    bool stopped = false;
    std::atomic<bool> drains = false;

    Result<void> listen(const std::vector<std::string>& texts, const Site& site, std::vector<std::string>& bound_texts);
};

Server::Server(ServerConfig config, std::vector<Route> routes, std::vector<Route> admin_routes,
               std::shared_ptr<Gate> gate, OperatorSite operator_site)
    : impl_(std::make_unique<Impl>()) {
    const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
    Common& common = impl_->common;
    common.config = std::move(config);
    if (common.config.threads == 0) common.config.threads = cores;
    if (common.config.blocking_threads == 0) common.config.blocking_threads = std::max<std::size_t>(64, 4 * cores);
    common.parser_limits = {common.config.max_head_bytes, common.config.max_target_bytes, common.config.max_headers};
    common.gate = std::move(gate);
    const std::size_t public_routes = routes.size();
    const std::size_t admin_end = public_routes + admin_routes.size();
    common.site = std::make_unique<Site>(std::move(routes), 0);
    common.admin_site = std::make_unique<Site>(std::move(admin_routes), public_routes);
    common.operator_site = std::make_unique<Site>(std::move(operator_site.routes), admin_end);
    impl_->operator_listen = std::move(operator_site.listen);
    common.pool = std::make_unique<BlockingPool>(common.config.blocking_threads, common.config.blocking_queue);
    impl_->metrics = std::make_shared<ServerMetrics>(common);
}

Server::~Server() {
    stop();
}

Result<void> Server::Impl::listen(const std::vector<std::string>& texts, const Site& site,
                                  std::vector<std::string>& bound_texts) {
    std::vector<ListenAddress> wanted;
    for (const std::string& text : texts) {
        auto address = ListenAddress::parse(text);
        if (!address.ok()) return std::move(address).error();
        wanted.push_back(std::move(*address));
    }
    for (const ListenAddress& address : wanted) {
        // An IPv6 wildcard takes IPv4 as well, unless an IPv4 address of the same port was asked for.
        const bool v4_beside = std::any_of(wanted.begin(), wanted.end(), [&](const ListenAddress& other) {
            return other.port == address.port && other.port != 0 && other.host.find(':') == std::string::npos;
        });
        auto bound = bind_for_loops(address, loops.size(), v4_beside);
        if (!bound.ok()) return std::move(bound).error();
        bound_texts.push_back(bound->text);
        for (std::size_t i = 0; i < loops.size(); ++i) {
            loops[i]->listen(std::move(bound->sockets[i]), site);
        }
    }
    return {};
}

Result<void> Server::listen() {
    Impl& impl = *impl_;
    if (impl.listening) return {};
    Common& common = impl.common;
    auto trusted = NetworkList::parse(common.config.trusted_proxies);
    if (!trusted.ok()) return with_key("server.trusted_proxies", std::move(trusted).error());
    common.trusted_proxies = std::move(*trusted);
    common.config.max_connections = std::min(common.config.max_connections, descriptors_for_connections());
    common.on_loop_ended = [&impl] {
        const std::lock_guard lock(impl.mutex);
        --impl.running;
        impl.changed.notify_all();
    };
    for (std::size_t i = 0; i < common.config.threads; ++i) impl.loops.push_back(std::make_unique<Loop>(common));
    for (auto [texts, site, bound, key] :
         {std::tuple{&common.config.listen, common.site.get(), &impl.addresses, "server.listen"},
          std::tuple{&common.config.admin_listen, common.admin_site.get(), &impl.admin_addresses,
                     "server.admin_listen"},
          std::tuple{&impl.operator_listen, common.operator_site.get(), &impl.operator_addresses,
                     "console.operator_listen"}}) {
        if (Result<void> listening = impl.listen(*texts, *site, *bound); !listening.ok()) {
            impl.loops.clear();
            return with_key(key, std::move(listening).error());
        }
    }
    for (const auto& loop : impl.loops) impl.metrics->add(loop->shared_stats());
    impl.listening = true;
    return {};
}

Result<void> Server::start() {
    Impl& impl = *impl_;
    if (impl.started) return {};
    if (Result<void> listening = listen(); !listening.ok()) return listening;
    Common& common = impl.common;

    std::signal(SIGPIPE, SIG_IGN);  // sendfile has no flag for it
    common.pool->start();
    impl.running = impl.loops.size();
    impl.started = true;
    for (const auto& loop : impl.loops) loop->start();
    return {};
}

void Server::stop(const std::function<void()>& at_cut_off) {
    Impl& impl = *impl_;
    if (!impl.started || std::exchange(impl.stopped, true)) return;
    impl.common.draining = true;
    for (const auto& loop : impl.loops) loop->drain();
    impl.drains = true;
    {
        std::unique_lock lock(impl.mutex);
        const auto quiet = [&] { return impl.running == 0; };
        if (!impl.changed.wait_for(lock, impl.common.config.drain_timeout, quiet)) {
            log::warning("drain_timed_out", {{"connections", impl.common.connections.load()}});
            lock.unlock();
            for (const auto& loop : impl.loops) loop->abort();
            if (at_cut_off) at_cut_off();
        }
    }
    for (const auto& loop : impl.loops) loop->join();
    impl.common.pool->stop();
    impl.common.answers.wait_for_none();
    impl.metrics->detach();
    impl.loops.clear();
}

bool Server::is_draining() const {
    return impl_->drains;
}
std::vector<std::string> Server::addresses() const {
    return impl_->addresses;
}
std::vector<std::string> Server::admin_addresses() const {
    return impl_->admin_addresses;
}
std::vector<std::string> Server::operator_addresses() const {
    return impl_->operator_addresses;
}
std::shared_ptr<prometheus::Collectable> Server::metrics() const {
    return impl_->metrics;
}

}  // namespace tessera::http
