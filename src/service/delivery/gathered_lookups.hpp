// Whether tilesets are there, for askers who have asked for too many that are not. Their questions are put to the store
// together, a few times a second however many they are. An answer is always from after its question, so that what
// another node has just made is found. Whoever waits holds no thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>
#include <unordered_map>
#include <vector>

#include "core/result.hpp"
#include "core/uuid.hpp"
#include "metadata/tilesets.hpp"

namespace tessera::service {

// Whether an id could be of a row of ours: those are time-ordered, and not from times to come.
[[nodiscard]] bool could_be_ours(const Uuid& id);

class GatheredLookups {
  public:
    // Whose it is, or nothing where there is none. Called from any thread; it must be quick and not throw.
    using Answer = std::function<void(Result<std::optional<Uuid>>)>;

    explicit GatheredLookups(metadata::Tilesets& tilesets,
                             std::chrono::milliseconds pace = std::chrono::milliseconds(100));
    GatheredLookups(const GatheredLookups&) = delete;
    GatheredLookups& operator=(const GatheredLookups&) = delete;
    ~GatheredLookups();  // whoever waits still is told to try again

    // Whether `asker` (an account, or whatever else is asked for by one party) may ask the store by itself.
    [[nodiscard]] bool may_ask_alone(const Uuid& asker);
    // It has asked for something that is not there.
    void note_unknown(const Uuid& asker);

    void ask(const metadata::TilesetVersionName& name, Answer answer);

  private:
    using Clock = std::chrono::steady_clock;
    struct Question {
        metadata::TilesetVersionName name;
        Answer answer;
    };
    struct Unknowns {
        double count = 0;  // that were asked for, at that time; falls as time passes
        Clock::time_point at;
    };

    void work(const std::stop_token& stop);
    void answer(std::vector<Question> questions);
    [[nodiscard]] static double left_of(const Unknowns& unknowns, Clock::time_point now);

    metadata::Tilesets& tilesets_;
    const std::chrono::milliseconds pace_;
    std::mutex mutex_;
    std::condition_variable_any wakes_;
    std::unordered_map<Uuid, Unknowns> askers_;
    std::vector<Question> waiting_;
    std::jthread thread_;  // from the first question on
};

}  // namespace tessera::service
