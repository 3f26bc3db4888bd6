#include "metadata/postgres/migrate.hpp"

#include <iterator>

#include "core/log.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr auto known_schema = static_cast<std::int64_t>(std::size(sql::migrations));

Failure refuse(const std::string& message) {
    return Failure(Error{ErrorCode::storage_unavailable, message, message});
}

std::int64_t schema_of(Connection& connection) {
    Rows row = connection.run(sql::schema::version);
    return row.next() ? row.integer() : 0;
}

void require_tables(Connection& connection) {
    Rows row = connection.run(sql::schema::is_there);
    if (row.next() && row.flag()) return;
    const std::string message = "it holds no tables of Tessera";
    throw Failure(Error{ErrorCode::not_found, message, message});
}

void apply_missing(Connection& connection) {
    connection.script(std::string(sql::schema::make_table));
    const std::int64_t version = schema_of(connection);
    if (version > known_schema) {
        throw refuse("the PostgreSQL database was made by a newer Tessera: its schema is " + std::to_string(version) +
                     " and this one knows up to " + std::to_string(known_schema) + "; start the newer version");
    }
    for (std::int64_t step = version; step < known_schema; ++step) {
        const Migration& migration = sql::migrations[step];
        connection.script("BEGIN;" + std::string(migration.text) +
                          "\nINSERT INTO schema_migrations (version, name) VALUES (" + std::to_string(step + 1) +
                          ", '" + std::string(migration.name) + "'); COMMIT");
        log::info("database_migrated", {{"step", migration.name}});
    }
}

}  // namespace

void migrate(Connection& connection, bool create) {
    if (!create) require_tables(connection);
    // Nodes that start together wait here for the first, however long its work takes.
    connection.set_statement_timeout(std::chrono::hours(1));
    connection.script("SET statement_timeout = 0");
    connection.script(std::string(sql::schema::lock));
    try {
        apply_missing(connection);
    } catch (const Failure& failure) {
        if (failure.state().empty()) throw;
        throw refuse("the PostgreSQL database can't be used: " + failure.error().detail);
    }
    connection.script(std::string(sql::schema::unlock));
}

}  // namespace tessera::metadata::postgres
