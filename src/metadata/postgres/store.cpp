#include "metadata/postgres/store.hpp"

#include "metadata/postgres/migrate.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata {
namespace postgres {

PostgresStore::PostgresStore(const ConnectionSettings& settings, const PostgresOptions& options)
    : pool_(settings, options.connections, meters_),
      listener_(pool_),
      writer_(pool_, meters_),
      auditor_(options.actor, GivenTime(options.clock)),
      plans_(pool_, auditor_),
      accounts_(pool_, GivenTime(options.clock), auditor_),
      api_keys_(pool_, GivenTime(options.clock), auditor_),
      entitlements_(pool_, auditor_),
      usage_(pool_, GivenTime(options.clock)),
      assets_(pool_, writer_, GivenTime(options.clock)),
      jobs_(pool_, writer_, listener_, GivenTime(options.clock)),
      job_watch_(pool_, GivenTime(options.clock)),
      queue_(pool_, writer_, listener_, GivenTime(options.clock)),
      artifacts_(pool_, GivenTime(options.clock)),
      tilesets_(pool_, GivenTime(options.clock), auditor_),
      maintenance_(pool_, GivenTime(options.clock)),
      rate_counters_(pool_, GivenTime(options.clock)),
      signing_secrets_(pool_, GivenTime(options.clock), auditor_),
      audit_(pool_, auditor_),
      erasure_(pool_, GivenTime(options.clock), auditor_),
      lists_(pool_, GivenTime(options.clock)),
      deletions_(pool_, listener_, GivenTime(options.clock)),
      webhooks_(pool_, GivenTime(options.clock), auditor_),
      operators_(pool_, GivenTime(options.clock), auditor_),
      operator_views_(pool_, GivenTime(options.clock)),
      daily_use_(pool_),
      nodes_(pool_, GivenTime(options.clock)) {}

std::unique_ptr<Subscription> PostgresStore::on_jobs_available(std::function<void()> callback) {
    return listener_.job_subscribers.add(std::move(callback));
}

std::unique_ptr<Subscription> PostgresStore::on_job_changes(std::function<void(JobChanges)> callback) {
    return listener_.job_change_subscribers.add(std::move(callback));
}

std::unique_ptr<Subscription> PostgresStore::on_change(std::function<void(const Change&)> callback) {
    return listener_.change_subscribers.add(std::move(callback));
}

Result<void> PostgresStore::check() {
    const Result<bool> read_only = pool_.read([](Connection& db) {
        Rows row = db.run(sql::schema::is_read_only);
        row.next();
        return row.flag();
    });
    if (!read_only.ok()) return read_only.error();
    if (*read_only) return storage_unavailable("postgres: the server does not accept writes");
    return {};
}

Result<void> PostgresStore::back_up_to(const std::string&) {
    return Error{ErrorCode::unsupported_operation, "use pg_dump to back up a PostgreSQL database", {}};
}

}  // namespace postgres

Result<std::unique_ptr<Store>> open_postgres(const std::string& url, const PostgresOptions& options) {
    try {
        const postgres::ConnectionSettings settings{url, options.statement_timeout, options.connect_timeout};
        {
            postgres::Connection connection(settings);
            postgres::migrate(connection, options.create);
        }
        return std::unique_ptr<Store>(std::make_unique<postgres::PostgresStore>(settings, options));
    } catch (const postgres::Failure& failure) {
        Error error = failure.error();
        error.message = error.detail;  // whoever starts a node may read where its database is
        return error;
    } catch (const std::exception& thrown) {
        return internal_error(std::string("metadata: ") + thrown.what());
    }
}

}  // namespace tessera::metadata
