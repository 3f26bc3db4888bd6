// Where the time of one request went, for whoever asked for that. The thread that works for such a request has its
// times at hand; all other threads have none, and pay one look for it.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <string_view>

namespace tessera {

enum class Phase : std::uint8_t { auth, queue, database, blobs, engine, wait };
inline constexpr std::array<std::string_view, 6> phase_names{"auth", "queue", "db", "blobs", "engine", "wait"};

class PhaseTimes {
  public:
    using Clock = std::chrono::steady_clock;

    void add(Phase phase, std::chrono::nanoseconds took) {
        spent_[static_cast<std::size_t>(phase)].fetch_add(took.count(), std::memory_order_relaxed);
    }
    [[nodiscard]] std::chrono::nanoseconds spent(Phase phase) const {
        return std::chrono::nanoseconds(spent_[static_cast<std::size_t>(phase)].load(std::memory_order_relaxed));
    }

    // Of the request that this thread works for; null where nobody asked.
    static const std::shared_ptr<PhaseTimes>& current();

    // While it lives, the thread works for that request.
    class Scope {
      public:
        explicit Scope(std::shared_ptr<PhaseTimes> times);
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope();

      private:
        std::shared_ptr<PhaseTimes> before_;
    };

  private:
    std::array<std::atomic<std::int64_t>, phase_names.size()> spent_{};
};

// Adds the time from its making to its end to a phase of the request at hand, if anybody asked.
class PhaseScope {
  public:
    explicit PhaseScope(Phase phase, const std::shared_ptr<PhaseTimes>& times = PhaseTimes::current())
        : phase_(phase), times_(times.get()) {
        if (times_ != nullptr) begun_ = PhaseTimes::Clock::now();
    }
    PhaseScope(const PhaseScope&) = delete;
    PhaseScope& operator=(const PhaseScope&) = delete;
    ~PhaseScope() {
        if (times_ != nullptr) times_->add(phase_, PhaseTimes::Clock::now() - begun_);
    }

  private:
    const Phase phase_;
    PhaseTimes* const times_;
    PhaseTimes::Clock::time_point begun_;
};

}  // namespace tessera
