// A loop: one thread, one poller, its own listeners, connections, time-outs and numbers. Loops share nothing that is
// written to while serving, save the counts of connections.
#pragma once

#include <atomic>
#include <boost/intrusive/list.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "http/message/address.hpp"
#include "http/message/parser.hpp"
#include "http/message/response_head.hpp"
#include "http/routing/router.hpp"
#include "http/server/access_log.hpp"
#include "http/server/address_connections.hpp"
#include "http/server/config.hpp"
#include "http/server/outstanding.hpp"
#include "http/server/poller.hpp"
#include "http/server/pool.hpp"
#include "http/server/server.hpp"
#include "http/server/stats.hpp"
#include "http/server/timeouts.hpp"

namespace tessera::http {

class Connection;

// One set of routes, reachable at some of the addresses.
struct Site {
    Site(std::vector<Route> routes, std::size_t stats_offset) : router(std::move(routes)), stats_begin(stats_offset) {}

    Router router;
    std::size_t stats_begin;  // where its routes' numbers begin in LoopStats
};

// What all loops of a server read.
struct Common {
    ServerConfig config;
    ParserLimits parser_limits;
    NetworkList trusted_proxies;
    std::shared_ptr<Gate> gate;
    std::unique_ptr<Site> site;
    std::unique_ptr<Site> admin_site;
    std::unique_ptr<Site> operator_site;
    std::unique_ptr<BlockingPool> pool;
    std::atomic<std::size_t> connections{0};
    AddressConnections by_address;
    Outstanding answers;  // that threads of others give
    std::atomic<bool> draining{false};
    std::function<void()> on_loop_ended;

    [[nodiscard]] std::size_t unrouted_stats() const {
        return site->router.routes().size() + admin_site->router.routes().size() +
               operator_site->router.routes().size();
    }
};

using ConnectionHook = boost::intrusive::list_base_hook<boost::intrusive::tag<class InLoop>,
                                                        boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

class Loop {
  public:
    explicit Loop(Common& common);
    ~Loop();
    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    // Takes over a listening socket. Before start().
    void listen(UniqueFd socket, const Site& site);
    void start();
    // From any thread: stops accepting, closes idle connections; the loop ends once the last connection has.
    void drain();
    // From any thread: cuts off what is left.
    void abort();
    void join();

    [[nodiscard]] Common& common() { return common_; }
    [[nodiscard]] Poller& poller() { return poller_; }
    // From any thread: the loop calls it.
    void post(std::function<void()> function) { poller_.post(std::move(function)); }
    [[nodiscard]] LoopStats& stats() { return *stats_; }
    [[nodiscard]] std::shared_ptr<const LoopStats> shared_stats() const { return stats_; }

    // For connections of this loop.
    void enter(Connection& connection);
    void leave(Connection& connection);
    WaitQueue idle;
    WaitQueue head;
    WaitQueue body;
    WaitQueue write;
    WaitQueue linger;
    DateCache date;
    std::string head_scratch;
    AccessLog access_log;

  private:
    struct Listener;

    void run();
    void tick();
    void accept_some(Listener& listener);
    bool accept_one(Listener& listener);
    void rest(Listener& listener, int reason);
    void wake_up(Listener& listener);
    void admit(UniqueFd socket, const IpAddress& peer, const Site& site);
    void end_when_empty();

    Common& common_;
    std::shared_ptr<LoopStats> stats_;
    boost::intrusive::list<Connection, boost::intrusive::base_hook<ConnectionHook>,
                           boost::intrusive::constant_time_size<false>>
        connections_;
    std::size_t refusing_ = 0;  // connections beyond the cap that are being told so
    bool draining_ = false;
    bool ended_ = false;

    Poller poller_;
    std::vector<std::unique_ptr<Listener>> listeners_;
    std::thread thread_;
};

}  // namespace tessera::http
