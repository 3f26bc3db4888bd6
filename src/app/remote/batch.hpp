// Many files at once, as fast as the service lets one: uploads, jobs and downloads of different files overlap.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "app/remote/bar.hpp"
#include "app/remote/file_job.hpp"

namespace tessera::remote {

// What holds the requests that wait, for the bar.
void tell_what_is_waited_for(const Calls& calls, Totals& totals);

class Batch {
  public:
    struct Watcher {
        std::function<void(const FileReport&)> ended;
        std::function<void(const Totals&)> moved;  // some times a second
        std::function<bool()> interrupted;
    };
    struct Outcome {
        Totals totals{};
        std::optional<Refusal> stopped_by{};  // why files are left
        bool interrupted = false;
    };

    Batch(Calls& calls, Transfers& transfers, const Service& service, Journal& journal, Uploads& uploads,
          const Order& order, Watcher watcher);

    Outcome run(std::vector<Work> works);

  private:
    void begin_more();
    void sweep();
    [[nodiscard]] Totals totals() const;

    Calls& calls_;
    Transfers& transfers_;
    Watcher watcher_;
    Slots slots_;
    FileJob::Shared shared_;
    const std::size_t most_active_;
    std::vector<Work> works_;
    std::size_t next_ = 0;
    std::vector<std::unique_ptr<FileJob>> active_;
    Outcome outcome_;
    Instant begun_at_{};
};

}  // namespace tessera::remote
