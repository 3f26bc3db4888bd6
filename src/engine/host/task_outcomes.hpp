// How the tasks of this process's engines have ended, by what they were for.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

#include "core/job.hpp"

namespace tessera::engine {

class TaskOutcomes {
  public:
    // Beside "ok" and the names of job_error_kinds(): the task was told to stop, or no engine had the time for it.
    static constexpr std::string_view ok = "ok";
    static constexpr std::string_view stopped = "stopped";
    static constexpr std::string_view overloaded = "overloaded";

    struct Work {
        explicit Work(std::string named) : name(std::move(named)) {}

        const std::string name;  // an operation, "probe" or "preview"
        std::atomic<std::uint64_t> ok{0};
        std::atomic<std::uint64_t> stopped{0};
        std::atomic<std::uint64_t> overloaded{0};
        std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(JobErrorCode::internal_error) + 1> failed{};
    };

    // Of the process: it has one pool.
    static TaskOutcomes& of_process();

    // What is not known by this name counts as "other".
    Work& of(std::string_view work);
    [[nodiscard]] const std::deque<Work>& all() const { return works_; }

  private:
    TaskOutcomes();

    std::deque<Work> works_;  // the last is "other"
};

}  // namespace tessera::engine
