// Rate limits counted in this process's memory: exact for a single node, and bounded however many subjects come.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

#include "service/rate_limiter.hpp"

namespace tessera::service {

class InProcessRateLimiter final : public RateLimiter {
  public:
    // Windows are timed by a clock that can't be set back.
    using Now = std::function<std::chrono::steady_clock::time_point()>;

    explicit InProcessRateLimiter(const RateLimitsConfig& config, Now now = std::chrono::steady_clock::now);
    ~InProcessRateLimiter() override;

    RateDecision take(RateClass rate_class, const RateSubject& subject) override;
    RateDecision peek(RateClass rate_class, const RateSubject& subject) override;

    [[nodiscard]] std::size_t window_count() const;

  private:
    struct Shard;
    static constexpr std::size_t shard_count = 64;

    [[nodiscard]] RateDecision decide(RateClass rate_class, const RateSubject& subject, std::int64_t cost);

    const RateLimitsConfig config_;
    const Now now_;
    const std::size_t max_per_shard_;
    const std::unique_ptr<Shard[]> shards_;
};

}  // namespace tessera::service
