#include "metadata/sqlite/migrate.hpp"

#include <filesystem>
#include <iterator>

#include "core/log.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

constexpr std::int64_t application_id = 0x54657373;  // "Tess": marks the file as ours
constexpr auto known_schema = static_cast<std::int64_t>(std::size(sql::migrations));
// Larger files are not read through at every start; damage in them shows when it is met.
constexpr std::uintmax_t largest_file_to_check = 16 << 20;

Failure refuse(const std::string& message) {
    return Failure(Error{ErrorCode::storage_unavailable, message, message});
}

std::int64_t read_integer(Connection& connection, std::string_view sql) {
    Query row(connection, sql);
    return row.next() ? row.integer() : 0;
}

void check_pages(Connection& connection, const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::file_size(path, ignored) > largest_file_to_check) return;
    Query row(connection, sql::schema::quick_check);
    const std::string verdict = row.next() ? row.text() : "no answer";
    if (verdict != "ok") throw refuse("the database " + path + " is damaged: " + verdict);
}

std::int64_t checked_version(Connection& connection, const std::string& path) {
    const std::int64_t version = read_integer(connection, sql::schema::version);
    const std::int64_t tables = read_integer(connection, sql::schema::table_count);
    const std::int64_t owner = read_integer(connection, sql::schema::application_id);
    if (owner != application_id && (owner != 0 || tables != 0)) {
        throw refuse("the database " + path + " belongs to another program");
    }
    if (version > known_schema) {
        throw refuse("the database " + path + " was made by a newer Tessera: its schema is " + std::to_string(version) +
                     " and this one knows up to " + std::to_string(known_schema) +
                     "; start the newer version, or restore a backup");
    }
    return version;
}

}  // namespace

void migrate(Connection& connection, const std::string& path) {
    try {
        check_pages(connection, path);
        if (checked_version(connection, path) == known_schema) return;
        connection.run(sql::transaction::begin_immediate);
        // Another process may have been faster.
        const std::int64_t version = checked_version(connection, path);
        for (std::int64_t step = version; step < known_schema; ++step) {
            connection.script(sql::migrations[step].text);
            log::info("database_migrated", {{"step", sql::migrations[step].name}});
        }
        connection.script("PRAGMA application_id = " + std::to_string(application_id) +
                          "; PRAGMA user_version = " + std::to_string(known_schema) + ";");
        connection.run(sql::transaction::commit);
    } catch (const Failure& failure) {
        if (connection.in_transaction()) connection.script("ROLLBACK");
        if (failure.code() == 0) throw;
        throw refuse("the database " + path + " can't be used: " + failure.error().detail);
    }
}

}  // namespace tessera::metadata::sqlite
