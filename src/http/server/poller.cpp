#include "http/server/poller.hpp"

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace tessera::http {
namespace {

UniqueFd checked(int descriptor, const char* what) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
    return UniqueFd(descriptor);
}

}  // namespace

Poller::Poller()
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      waker_(checked(::eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC), "eventfd")) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = nullptr;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, waker_.get(), &event) != 0) {
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
}

void Poller::watch(int descriptor, std::uint32_t events, Watched& watched) {
    epoll_event event{};
    event.events = events;
    event.data.ptr = &watched;
    if (::epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, descriptor, &event) != 0) {
        throw std::system_error(errno, std::generic_category(), "epoll_ctl");
    }
}

void Poller::forget(int descriptor) {
    epoll_event ignored{};
    ::epoll_ctl(epoll_.get(), EPOLL_CTL_DEL, descriptor, &ignored);
}

void Poller::give_turn(Watched& watched) {
    if (!static_cast<TurnHook&>(watched).is_linked()) turns_.push_back(watched);
}

void Poller::post(std::function<void()> function) {
    {
        const std::lock_guard lock(mutex_);
        posted_.push_back(std::move(function));
        if (posted_.size() > 1) return;  // whoever posted the first wakes the loop
    }
    const std::uint64_t one = 1;
    while (::write(waker_.get(), &one, sizeof one) < 0 && errno == EINTR) continue;
}

void Poller::run_once(std::chrono::milliseconds at_most) {
    Events events;
    const bool has_turns = !turns_.empty();
    const std::size_t count = has_turns ? look(events, 0) : wait(events, static_cast<int>(at_most.count()));
    handle(std::span(events).first(count));
    if (std::exchange(woken_, false)) run_posted();
    if (has_turns) take_turns();
}

std::size_t Poller::look(Events& events, int milliseconds) {
    const int count = ::epoll_wait(epoll_.get(), events.data(), static_cast<int>(events.size()), milliseconds);
    return static_cast<std::size_t>(std::max(count, 0));
}

std::size_t Poller::wait(Events& events, int milliseconds) {
    const bool awake = short_waits_.expected();
    if (awake) {
        if (const std::size_t count = look(events, 0)) return count;
    }
    const auto began = Clock::now();
    std::size_t count = 0;
    while (awake && count == 0 && Clock::now() - began < ShortWaits::longest) count = look(events, 0);
    if (count == 0) {
        before_sleep();
        count = look(events, milliseconds);
    }
    short_waits_.note(Clock::now() - began);
    return count;
}

// Only those that wait now: one that asks for another turn gets it in the next round.
void Poller::take_turns() {
    Turns now;
    now.swap(turns_);
    while (!now.empty()) {
        Watched& watched = now.front();
        now.pop_front();
        watched.on_ready(0);
    }
}

void Poller::handle(std::span<const epoll_event> events) {
    for (const epoll_event& event : events) {
        if (auto* watched = static_cast<Watched*>(event.data.ptr)) {
            watched->on_ready(event.events);
            continue;
        }
        std::uint64_t ignored = 0;
        while (::read(waker_.get(), &ignored, sizeof ignored) < 0 && errno == EINTR) continue;
        woken_ = true;
    }
}

// After those that are ready were called: it may end any of them.
void Poller::run_posted() {
    {
        const std::lock_guard lock(mutex_);
        running_.swap(posted_);
    }
    for (const auto& function : running_) function();
    running_.clear();
}

}  // namespace tessera::http
