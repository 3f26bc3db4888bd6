// Rate limits counted in this process's memory: exact for a single node, and bounded however many subjects come. Where
// nodes share limits, a RateExchange carries what was counted here to the others and what they counted back; a decision
// never waits for that.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "service/access/rate_limiter.hpp"

namespace tessera::service {

// What was admitted in a window since the others were last told.
struct RateNews {
    RateClass rate_class{};
    RateSubject subject;
    std::uint64_t window = 0;  // tells this window from the subject's next one
    std::int64_t admitted = 0;
    std::chrono::milliseconds closes_in{0};
};

class InProcessRateLimiter final : public RateLimiter {
  public:
    // Windows are timed by a clock that can't be set back.
    using Now = std::function<std::chrono::steady_clock::time_point()>;

    explicit InProcessRateLimiter(const RateLimitsConfig& config, Now now = std::chrono::steady_clock::now);
    ~InProcessRateLimiter() override;

    RateDecision take(RateClass rate_class, const RateSubject& subject) override;
    RateDecision peek(RateClass rate_class, const RateSubject& subject) override;

    [[nodiscard]] std::size_t window_count() const;

    // From here on news gather. `wanted` is called, on the thread of a request, when a window is used of which nothing
    // was heard for `fresh_for`, or of which a good part was used up since. Before the first request; not more than
    // once.
    void gather_news(std::chrono::milliseconds fresh_for, std::function<void()> wanted);
    // Of up to `most` windows. They count as told: give back what could not be.
    std::vector<RateNews> take_news(std::size_t most);
    void give_back(const RateNews& news);
    // What all nodes admitted, this news included, and when their common window closes.
    void learn(const RateNews& news, std::int64_t admitted_by_all, std::chrono::milliseconds closes_in);

  private:
    struct Shard;
    struct Window;
    static constexpr std::size_t shard_count = 64;

    [[nodiscard]] RateDecision decide(RateClass rate_class, const RateSubject& subject, std::int64_t cost);
    // With the window that the news is of, if it is still there; the shard is locked.
    template <typename Use>
    void with_window(const RateNews& news, Use use);

    const RateLimitsConfig config_;
    const Now now_;
    const std::size_t max_per_shard_;
    const std::unique_ptr<Shard[]> shards_;
    std::size_t next_shard_ = 0;  // take_news goes round
    std::chrono::milliseconds fresh_for_{0};
    std::function<void()> wanted_;  // empty: nobody wants news
};

}  // namespace tessera::service
