// The event streams of this node. One thread asks the store for what has changed of the accounts that somebody reads,
// and puts it into their streams. There is no log of events: a job's last change is in its row, and so a reader that
// comes back is told the newest state of each job that changed since, by any node.
//
//   the store says that jobs changed ─▶ these are read, together ───┐
//   each second: what else has changed of these accounts? ──────────┼─▶ not told yet? ─▶ event ─▶ streams of the
//   account a reader comes back: what has changed since its last event? ────┘
//
// A change is timed before it is committed, so that it may become visible after later ones: each look goes back some
// seconds, and what was told already is not told again.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "metadata/job_watch.hpp"
#include "metadata/store.hpp"
#include "service/access/principal.hpp"
#include "service/jobs/event_place.hpp"
#include "service/jobs/event_stream.hpp"
#include "service/jobs/events.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::service {

struct EventsConfig {
    std::size_t max_streams_per_account = 100;
    std::size_t max_streams = 10'000;
    std::size_t max_catch_up = 1'000;         // changes that a reader who comes back is told; more are a gap
    std::size_t max_waiting_bytes = 1 << 20;  // for one slow reader
    Millis kept{24 * 3'600'000};              // how long a job is there after it has ended
    Millis heartbeat{15'000};
    Millis longest_stream{3'600'000};  // then the reader has to come back, and to show its key again
};

class EventStreams final : public Events {
  public:
    // Writes a job as clients see it.
    using Render = std::function<std::string(const JobView&)>;

    EventStreams(metadata::Store& store, EventsConfig config, Render render);
    EventStreams(const EventStreams&) = delete;
    EventStreams& operator=(const EventStreams&) = delete;
    ~EventStreams() override;

    [[nodiscard]] Result<std::shared_ptr<EventStream>> open(const Principal& principal,
                                                            std::optional<std::string_view> last_event_id,
                                                            std::optional<Uuid> only_job) override;
    void leave(const std::shared_ptr<EventStream>& stream) override;

    [[nodiscard]] std::size_t count() const;

  private:
    using Clock = std::chrono::steady_clock;
    using Event = EventStream::Event;

    struct Reader {
        std::shared_ptr<EventStream> stream;
        Clock::time_point opened_at;
    };
    struct Account {
        Uuid id;
        bool shows_tilesets = false;
        Timestamp known_from{};  // earlier changes are no news
        std::vector<Reader> readers;
        std::unordered_set<Uuid> changed;  // to be read
        // Of the thread alone, once it is known to it: the last of each job that was told, or that was there before.
        std::unordered_map<Uuid, EventPlace> told;
    };
    using Accounts = std::vector<std::shared_ptr<Account>>;

    // event_streams.cpp: who reads.
    [[nodiscard]] Result<void> check_room(const Uuid& account_id) const;
    [[nodiscard]] Result<std::shared_ptr<Account>> account_of(const Principal& principal);
    [[nodiscard]] std::vector<std::shared_ptr<EventStream>> streams_of(const Account& account) const;
    [[nodiscard]] Accounts all_accounts() const;
    void on_changes(metadata::Store::JobChanges changes);
    void on_change(const metadata::Change& change);

    // event_news.cpp: what they read.
    void work(const std::stop_token& stop);
    void read_changed();
    void look_for_changes();
    void publish(const std::vector<Uuid>& ids, const Accounts& accounts);
    void send_heartbeats();
    [[nodiscard]] Result<std::vector<Event>> first_events(const Account& account, const EventStream& stream,
                                                          std::optional<std::string_view> last_event_id);
    [[nodiscard]] Result<std::vector<Event>> missed_events(const Account& account, const EventStream& stream,
                                                           const EventPlace& last);
    [[nodiscard]] Event event_of(const Account& account, const Job& job) const;
    void put(EventStream& stream, const Event& event) const;

    metadata::Store& store_;
    const EventsConfig config_;
    const Render render_;

    mutable std::mutex mutex_;
    std::condition_variable_any woken_;
    std::unordered_map<Uuid, std::shared_ptr<Account>> accounts_;
    std::size_t count_ = 0;
    bool has_changed_ = false;
    bool some_were_missed_ = false;
    Timestamp looked_at_{};  // of the thread alone: by the store's clock
    std::unique_ptr<metadata::Subscription> job_subscription_;
    std::unique_ptr<metadata::Subscription> change_subscription_;
    std::jthread thread_;
};

}  // namespace tessera::service
