// One reader of events: what is there for it and was not taken yet. Bounded: a reader that is too slow loses what
// waits, and is told so.
//
//   open ──put()──▶ take() … ──end()──▶ take() says false once all was taken
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/uuid.hpp"

namespace tessera::service {

class EventStream {
  public:
    // Text of an event, blank line included, shared by all who read it.
    using Event = std::shared_ptr<const std::string>;

    EventStream(const Uuid& account_id, std::optional<Uuid> only_job, std::size_t max_bytes)
        : account_id_(account_id), only_job_(only_job), max_bytes_(max_bytes) {}

    // For the reader. False: that was all there will be.
    bool take(std::string& out);
    // `more` is called once, from any thread, when there is something to take: at once if there is.
    void when_more(std::function<void()> more);
    // From any thread, and more than once.
    void end();

    // For whoever has events.
    [[nodiscard]] bool wants(const Uuid& job_id) const { return !only_job_ || *only_job_ == job_id; }
    void put(const Event& event, const std::function<Event()>& gap);
    // Before all that is there already; while nobody reads yet.
    void put_first(const std::vector<Event>& events);
    [[nodiscard]] const Uuid& account_id() const { return account_id_; }

  private:
    void tell(std::unique_lock<std::mutex>& lock);

    const Uuid account_id_;
    const std::optional<Uuid> only_job_;
    const std::size_t max_bytes_;
    mutable std::mutex mutex_;
    std::deque<Event> waiting_;
    std::size_t waiting_bytes_ = 0;
    bool ended_ = false;
    std::function<void()> more_;
};

}  // namespace tessera::service
