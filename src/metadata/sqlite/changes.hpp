// Tells subscribers of changes in the database: this process's own at once, another's when the watch sees them. Also
// keeps the write-ahead log short, beside the writes.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>

#include "metadata/sqlite/connection.hpp"
#include "metadata/subscribers.hpp"

namespace tessera::metadata::sqlite {

class Writer;

class Changes {
  public:
    Subscribers<> job_subscribers;
    Subscribers<const Change&> change_subscribers;
    Subscribers<Store::JobChanges> job_change_subscribers;

    // Entries up to now are old news.
    void start_after(Connection& connection);
    // Passes on the log's new entries.
    void read_log(Connection& connection);
    [[nodiscard]] std::uint64_t counter() const { return counter_; }

  private:
    std::mutex mutex_;
    std::int64_t last_read_ = 0;
    std::atomic<std::uint64_t> counter_{1};
};

// Looks every `interval` whether any connection has committed since, which costs no read of the database.
class Watch {
  public:
    Watch(const std::string& path, Changes& changes, const Writer& writer, Millis interval);
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch();

  private:
    void look_until_stopped();
    void look();
    void shorten_log();

    Connection connection_;
    Changes& changes_;
    const Writer& writer_;
    Millis interval_;
    std::int64_t seen_version_ = 0;
    std::uint64_t seen_commits_ = 0;
    int pages_when_shortened_ = 0;
    std::mutex mutex_;
    std::condition_variable stop_requested_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace tessera::metadata::sqlite
