#include "metadata/sqlite/store.hpp"

#include "metadata/sqlite/migrate.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata {
namespace sqlite {

SqliteStore::SqliteStore(std::unique_ptr<Connection> connection, const std::string& path, const Clock& clock,
                         const SqliteOptions& options)
    : path_(path),
      connection_(std::move(connection)),
      writer_(*connection_, clock, options.actor,
              {[this] { changes_.job_subscribers.call(); }, [this](Connection& db) { changes_.read_log(db); },
               [this](JobChanges changes) { changes_.job_change_subscribers.call(changes); }},
              meters_),
      readers_(path, options.readers, options.busy_timeout, meters_),
      watch_(path, changes_, writer_, options.change_poll),
      plans_(writer_, readers_),
      accounts_(writer_, readers_),
      api_keys_(writer_, readers_),
      entitlements_(writer_, readers_),
      usage_(writer_, readers_, clock),
      assets_(writer_, readers_, clock),
      jobs_(writer_, readers_, clock),
      job_watch_(readers_, clock),
      queue_(writer_, readers_, clock),
      artifacts_(readers_, clock),
      tilesets_(writer_, readers_, clock),
      maintenance_(writer_, readers_),
      audit_(writer_, readers_),
      erasure_(writer_, readers_),
      lists_(readers_, clock),
      deletions_(writer_),
      webhooks_(writer_, readers_, clock),
      operators_(writer_, readers_, clock),
      operator_views_(readers_, clock),
      daily_use_(writer_, readers_),
      nodes_(writer_, readers_, clock) {}

std::unique_ptr<Subscription> SqliteStore::on_jobs_available(std::function<void()> callback) {
    return changes_.job_subscribers.add(std::move(callback));
}

std::unique_ptr<Subscription> SqliteStore::on_job_changes(std::function<void(JobChanges)> callback) {
    return changes_.job_change_subscribers.add(std::move(callback));
}

std::unique_ptr<Subscription> SqliteStore::on_change(std::function<void(const Change&)> callback) {
    return changes_.change_subscribers.add(std::move(callback));
}

Result<void> SqliteStore::check() {
    return writer_.run([](Transaction& transaction) { transaction.db.run(sql::schema::can_write); });
}

Result<void> SqliteStore::back_up_to(const std::string& path) {
    try {
        Connection db(path_, Connection::Mode::read_write, false, Millis(10'000));
        db.run(sql::schema::back_up, path);
        return {};
    } catch (const Failure& failure) {
        return failure.error();
    }
}

}  // namespace sqlite

Result<std::unique_ptr<Store>> open_sqlite(const std::string& path, const Clock& clock, const SqliteOptions& options) {
    try {
        auto connection = std::make_unique<sqlite::Connection>(path, sqlite::Connection::Mode::read_write,
                                                               options.create, options.busy_timeout);
        sqlite::migrate(*connection, path);
        return std::unique_ptr<Store>(
            std::make_unique<sqlite::SqliteStore>(std::move(connection), path, clock, options));
    } catch (const sqlite::Failure& failure) {
        return failure.error();
    } catch (const std::exception& thrown) {
        return internal_error(std::string("metadata: ") + thrown.what());
    }
}

}  // namespace tessera::metadata
