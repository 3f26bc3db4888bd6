// Requests that wait for their turn: each in the lane of the limit that it is counted against, paced by what the
// service tells, and sent again by the rules of retry.hpp. One thread drives all of it.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string_view>

#include "app/remote/rate_limit.hpp"
#include "app/remote/retry.hpp"
#include "app/remote/transfers.hpp"

namespace tessera::remote {

enum class Lane { uploads, submissions, job_reads, artifact_reads, downloads, others };
inline constexpr std::size_t lane_count = 6;
std::string_view name_of(Lane lane);  // "uploads", for people

class Calls {
  public:
    using Done = Transfers::Done;

    // `at_once`: requests of one lane. Those that wait for jobs may be many more.
    Calls(Transfers& transfers, RetryRules rules, std::size_t at_once);
    Calls(const Calls&) = delete;
    Calls& operator=(const Calls&) = delete;

    // `done` is called from `step`, once, with the answer that stands.
    void send(Lane lane, Request request, Done done, Millis not_before = Millis(0));
    // Starts what may be started, and waits for what comes.
    void step(Millis at_most);
    // What waits in the lane ends as `dropped`, and so does what is sent to it later.
    void close(Lane lane);
    // Nobody is called any more.
    void abandon();

    [[nodiscard]] bool idle() const;

    // The lane in which requests are held by a rate limit, and how long yet.
    struct Hold {
        Lane lane;
        Millis left;
        std::optional<Pacer::Pace> pace{};
    };
    [[nodiscard]] std::optional<Hold> held(Instant now) const;
    // The newest fault that is being waited out; empty: there is none.
    [[nodiscard]] const std::string& trouble() const { return trouble_; }
    [[nodiscard]] std::uint64_t refusals_by_rate() const { return refusals_by_rate_; }

  private:
    struct Call {
        Request request;
        Done done;
        Instant not_before;
        Tries tries{};
    };
    struct Queue {
        Pacer pacer{};
        std::deque<Call> waiting{};
        std::size_t under_way = 0;
        bool closed = false;
    };

    Queue& queue(Lane lane) { return lanes_[static_cast<std::size_t>(lane)]; }
    [[nodiscard]] std::size_t room(Lane lane) const;
    void start_due(Lane lane, Instant now);
    void start(Lane lane, Call call, Instant now);
    void take(Lane lane, Call call, std::uint64_t number, Instant sent_at, Answer answer);
    [[nodiscard]] Millis until_next(Instant now, Millis at_most) const;

    Transfers& transfers_;
    const RetryRules rules_;
    const std::size_t at_once_;
    std::array<Queue, lane_count> lanes_{};
    std::string trouble_;
    std::uint64_t refusals_by_rate_ = 0;
};

}  // namespace tessera::remote
