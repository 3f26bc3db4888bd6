// Threads that do the work of many accounts in fair turns (fair_queue.hpp), so that nobody else's thread waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/fair_queue.hpp"

namespace tessera {

class FairExecutor {
  public:
    // What has become of a piece of work: it is its turn (of an account that owes much: it should not be in others'
    // way), it has waited too long, or there will be no turn any more.
    enum class Turn { now, now_gently, too_late, never };
    // Called once and must not throw. Gives what it took, which is what its account may come to owe. Without a turn it
    // must be quick.
    using Work = std::function<std::chrono::nanoseconds(Turn)>;

    struct Refused {
        FairRefusal reason;
        std::chrono::seconds try_again_after;
    };
    struct Load {
        std::size_t waiting = 0;
        std::size_t running = 0;
        std::chrono::nanoseconds oldest{0};  // of those that wait
    };

    // `name` is its threads', of 15 characters at most. They are started as they are needed, one for each place.
    FairExecutor(std::string name, const FairTerms& terms);
    FairExecutor(const FairExecutor&) = delete;
    FairExecutor& operator=(const FairExecutor&) = delete;
    ~FairExecutor();  // stop()

    // Takes the work, or refuses it; then it is not called.
    [[nodiscard]] std::optional<Refused> post(const Uuid& account, Work work);
    // Whether a post() of this account would be refused now.
    [[nodiscard]] std::optional<Refused> refusal(const Uuid& account);

    // Tells what waits that there will be no turn, on the caller's thread, and refuses what comes. Safe twice.
    void close();
    // Closes, and waits for what runs. Safe twice.
    void stop();

    [[nodiscard]] Load load() const;

  private:
    using Clock = std::chrono::steady_clock;

    void run();
    void wake_another_locked();
    [[nodiscard]] Refused refused_locked(const Uuid& account, FairRefusal reason) const;

    const std::string name_;
    const FairTerms terms_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;
    FairQueue<Work> queue_;
    std::vector<std::thread> threads_;
    std::size_t idle_ = 0;  // threads that wait
    bool closed_ = false;
};

}  // namespace tessera
