#include "metadata/postgres/pool.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr Millis first_pause{100};
constexpr Millis longest_pause{2'000};
constexpr Millis longest_wait_for_a_connection{10'000};

Millis jittered(Millis pause) {
    thread_local std::minstd_rand random{std::random_device{}()};
    return Millis(std::uniform_int_distribution<Millis::rep>(pause.count() / 2, pause.count())(random));
}

}  // namespace

std::unique_ptr<Connection> Pool::connect(Caller caller) {
    {
        const std::lock_guard lock(mutex_);
        const bool others_try = silent_ && caller != Caller::listener;
        if (others_try || std::chrono::steady_clock::now() < try_again_at_) {
            throw Failure(storage_unavailable("postgres: waiting to connect again after: " + last_reason_));
        }
        // Until this attempt has ended the others need not wait for theirs.
        if (pause_.count() > 0) try_again_at_ = std::chrono::steady_clock::now() + settings_.connect_timeout;
    }
    try {
        auto connection = std::make_unique<Connection>(settings_);
        const std::lock_guard lock(mutex_);
        if (pause_.count() > 0) log::info("database_is_back", {});
        pause_ = Millis(0);
        silent_ = false;
        try_again_at_ = {};
        return connection;
    } catch (const Failure& failure) {
        const std::lock_guard lock(mutex_);
        note_absence_locked(failure.error().detail);
        throw;
    }
}

void Pool::note_absence_locked(const std::string& reason) {
    if (pause_.count() == 0) log::error("database_is_away", {{"detail", reason}});
    pause_ = std::clamp(pause_ * 2, first_pause, longest_pause);
    try_again_at_ = std::chrono::steady_clock::now() + jittered(pause_);
    last_reason_ = reason;
}

void Pool::give_up_all(const std::string& reason) {
    std::vector<std::unique_ptr<Connection>> closed_after_the_lock;
    const std::lock_guard lock(mutex_);
    ++*settings_.silences;
    silent_ = true;
    closed_after_the_lock.swap(free_);
    note_absence_locked(reason);
}

Pool::Borrowed::Borrowed(Pool& pool) : pool_(pool) {
    {
        std::unique_lock lock(pool.mutex_);
        const bool freed = pool.freed_.wait_for(lock, longest_wait_for_a_connection,
                                                [&] { return !pool.free_.empty() || pool.in_use_ < pool.size_; });
        if (!freed) throw Failure(storage_unavailable("postgres: all connections are busy"));
        ++pool.in_use_;
        while (!pool.free_.empty() && !connection_) {
            connection_ = std::move(pool.free_.back());
            pool.free_.pop_back();
            if (!connection_->alive()) connection_.reset();
        }
    }
    if (connection_) return;
    try {
        connection_ = pool.connect();
    } catch (...) {
        {
            const std::lock_guard lock(pool.mutex_);
            --pool.in_use_;
        }
        pool.freed_.notify_one();
        throw;
    }
}

Pool::Borrowed::~Borrowed() {
    {
        const std::lock_guard lock(pool_.mutex_);
        --pool_.in_use_;
        if (connection_->alive()) pool_.free_.push_back(std::move(connection_));
    }
    pool_.freed_.notify_one();
}

bool Pool::should_repeat(const Failure& failure, bool connection_lost, bool committing, int tries) {
    if (tries >= most_tries) return false;
    if (failure.may_be_repeated()) {
        std::this_thread::sleep_for(jittered(Millis(5) * (1 << tries)));
        return true;
    }
    return connection_lost && !committing && tries == 1;
}

void Pool::begin(Connection& db) {
    db.run(sql::transaction::begin);
}

void Pool::commit(Connection& db) {
    db.run(sql::transaction::commit);
}

void Pool::roll_back(Connection& db) noexcept {
    try {
        if (db.alive()) db.run(sql::transaction::roll_back);
    } catch (const Failure& failure) {
        log::warning("database_rollback_failed", {{"detail", failure.error().detail}});
    }
}

}  // namespace tessera::metadata::postgres
