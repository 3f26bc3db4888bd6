#include "service/jobs/event_stream.hpp"

#include <utility>

namespace tessera::service {
namespace {

// Given to the reader at once; the rest when it has sent that.
constexpr std::size_t enough_bytes = 64 << 10;

}  // namespace

bool EventStream::take(std::string& out) {
    const std::lock_guard lock(mutex_);
    while (!waiting_.empty() && out.size() < enough_bytes) {
        waiting_bytes_ -= waiting_.front()->size();
        out += *waiting_.front();
        waiting_.pop_front();
    }
    return !ended_ || !waiting_.empty();
}

void EventStream::when_more(std::function<void()> more) {
    std::unique_lock lock(mutex_);
    more_ = std::move(more);
    if (ended_ || !waiting_.empty()) tell(lock);
}

void EventStream::end() {
    std::unique_lock lock(mutex_);
    ended_ = true;
    tell(lock);
}

void EventStream::put_first(const std::vector<Event>& events) {
    const std::lock_guard lock(mutex_);
    waiting_.insert(waiting_.begin(), events.begin(), events.end());
    for (const Event& event : events) waiting_bytes_ += event->size();
}

void EventStream::put(const Event& event, const std::function<Event()>& gap) {
    std::unique_lock lock(mutex_);
    if (ended_) return;
    const bool is_full = waiting_bytes_ + event->size() > max_bytes_ && !waiting_.empty();
    if (is_full) {
        waiting_.assign(1, gap());
        waiting_bytes_ = waiting_.front()->size();
    } else {
        waiting_.push_back(event);
        waiting_bytes_ += event->size();
    }
    tell(lock);
}

void EventStream::tell(std::unique_lock<std::mutex>& lock) {
    const auto more = std::exchange(more_, nullptr);
    lock.unlock();
    if (more) more();
}

}  // namespace tessera::service
