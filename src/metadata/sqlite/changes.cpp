#include "metadata/sqlite/changes.hpp"

#include <utility>
#include <vector>

#include <sqlite3.h>

#include "core/log.hpp"
#include "metadata/sqlite/writer.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr int pages_worth_copying = 1'000;  // 4 MiB

std::int64_t read_integer(Connection& connection, std::string_view sql) {
    Query row(connection, sql);
    return row.next() ? row.integer() : 0;
}

}  // namespace

void Changes::start_after(Connection& connection) {
    const std::lock_guard lock(mutex_);
    last_read_ = read_integer(connection, sql::changes::newest);
}

void Changes::read_log(Connection& connection) {
    const std::lock_guard lock(mutex_);
    std::vector<Change> news;
    std::int64_t last = last_read_;
    try {
        Query row(connection, sql::changes::since, last_read_);
        while (row.next()) {
            last = row.integer();
            const auto kind = static_cast<Change::Kind>(row.integer());
            news.push_back({kind, row.uuid()});
        }
    } catch (const Failure& failure) {
        // Were it tried again and again, nothing would ever be forgotten any more. A disk that fails, fails here too.
        last = read_integer(connection, sql::changes::newest);
        news.clear();
        log::error("database_change_unreadable", {{"detail", failure.error().detail}});
    }
    // Entries are numbered without gaps: a gap means that some were trimmed before this process read them.
    if (last - last_read_ != static_cast<std::int64_t>(news.size())) news.assign(1, Change{});
    last_read_ = last;
    for (const Change& change : news) {
        ++counter_;
        change_subscribers.call(change);
    }
}

Watch::Watch(const std::string& path, Changes& changes, const Writer& writer, Millis interval)
    : connection_(path, Connection::Mode::read_only, false, Millis(1000)),
      changes_(changes),
      writer_(writer),
      interval_(interval) {
    seen_version_ = read_integer(connection_, sql::changes::data_version);
    changes_.start_after(connection_);
    thread_ = std::thread([this] { look_until_stopped(); });
}

Watch::~Watch() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_requested_.notify_one();
    thread_.join();
}

void Watch::look_until_stopped() {
    std::unique_lock lock(mutex_);
    while (!stop_requested_.wait_for(lock, interval_, [&] { return stopping_; })) {
        lock.unlock();
        try {
            look();
            shorten_log();
        } catch (const Failure& failure) {
            log::warning("database_watch_failed", {{"detail", failure.error().detail}});
        }
        lock.lock();
    }
}

void Watch::look() {
    // In this order: an own commit between the two is taken for another's, which costs a look, and not the reverse.
    const std::uint64_t commits = writer_.commits();
    const std::int64_t version = read_integer(connection_, sql::changes::data_version);
    if (version == seen_version_) return;
    changes_.read_log(connection_);
    // Perhaps only this process's own work, which was told of already: looking once more is cheap.
    changes_.job_subscribers.call();
    // With own commits among them the writer finds out whether there were others, or the next look does.
    if (std::exchange(seen_commits_, commits) == commits) changes_.job_change_subscribers.call({});
    seen_version_ = version;
}

// Copies what it can of the log into the database without holding up the writer.
void Watch::shorten_log() {
    const int pages = writer_.log_pages();
    if (pages < pages_when_shortened_) pages_when_shortened_ = 0;  // the log was begun anew
    if (pages - pages_when_shortened_ < pages_worth_copying) return;
    const int code = sqlite3_wal_checkpoint_v2(connection_.raw(), nullptr, SQLITE_CHECKPOINT_PASSIVE, nullptr, nullptr);
    if (code == SQLITE_OK) {
        pages_when_shortened_ = pages;
    } else if ((code & 0xff) != SQLITE_BUSY) {
        connection_.fail(code);
    }
}

}  // namespace tessera::metadata::sqlite
