// Everything that a loop waits for: sockets, by one epoll, and what other threads post, which wakes it. Whoever has
// more to do than one turn allows gets the next one after the others had theirs.
//
//   run_once():  wait ─▶ those that are ready ─▶ what was posted ─▶ turns that were asked for before
#pragma once

#include <sys/epoll.h>

#include <array>
#include <boost/intrusive/list.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <mutex>
#include <span>
#include <vector>

#include "core/file.hpp"
#include "http/server/short_waits.hpp"

namespace tessera::http {

using TurnHook = boost::intrusive::list_base_hook<boost::intrusive::tag<class InTurn>,
                                                  boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

// Something with a socket. It may end itself when called, but no other that is watched.
class Watched : public TurnHook {
  public:
    // With what epoll says, or with 0 when the turn asked for has come.
    virtual void on_ready(std::uint32_t events) = 0;

  protected:
    Watched() = default;
    ~Watched() = default;
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;
};

class Poller {
  public:
    Poller();

    // Throws std::system_error when the kernel has no room.
    void watch(int descriptor, std::uint32_t events, Watched& watched);
    // Before the descriptor is closed: a child that is being started may hold a copy of it for a moment.
    void forget(int descriptor);
    void give_turn(Watched& watched);

    // Calls those that are ready, after waiting for at most so long.
    void run_once(std::chrono::milliseconds at_most);
    // From any thread: called by the loop's, in the round under way or the next one, which begins at once.
    void post(std::function<void()> function);

    // Called when there is nothing to do and the thread goes to sleep.
    std::function<void()> before_sleep = [] {};

  private:
    using Turns = boost::intrusive::list<Watched, boost::intrusive::base_hook<TurnHook>,
                                         boost::intrusive::constant_time_size<false>>;

    using Clock = std::chrono::steady_clock;
    using Events = std::array<epoll_event, 128>;

    std::size_t look(Events& events, int milliseconds);
    std::size_t wait(Events& events, int milliseconds);
    void handle(std::span<const epoll_event> events);
    void run_posted();
    void take_turns();

    UniqueFd epoll_;
    UniqueFd waker_;
    std::mutex mutex_;
    std::vector<std::function<void()>> posted_;
    std::vector<std::function<void()>> running_;  // of the loop's thread: what was posted before
    bool woken_ = false;                          // of the loop's thread: something was
    Turns turns_;
    ShortWaits short_waits_;
};

}  // namespace tessera::http
