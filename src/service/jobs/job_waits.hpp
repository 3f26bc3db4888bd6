// Requests that wait for a job to end.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "core/uuid.hpp"

namespace tessera::service {

// Ends when it is destroyed.
class JobWait {
  public:
    virtual ~JobWait() = default;
    // `over` is called once, from any thread: when the job has ended, the time is up or it was given up; at once if
    // that was before.
    virtual void when_over(std::function<void()> over) = 0;
    virtual void give_up() = 0;
};

class JobWaits {
  public:
    virtual ~JobWaits() = default;
    // Begin it before the job is looked at, or before it is submitted: its end can't fall between the two. Null: there
    // are too many.
    [[nodiscard]] virtual std::unique_ptr<JobWait> begin(const Uuid& account_id, const Uuid& job_id,
                                                         std::chrono::seconds at_most) = 0;
};

}  // namespace tessera::service
