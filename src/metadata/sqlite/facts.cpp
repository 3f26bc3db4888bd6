#include "metadata/facts.hpp"

#include <filesystem>
#include <iterator>
#include <memory>

#include <sqlite3.h>

#include "sqlite_sql.hpp"

namespace tessera::metadata {
namespace {

struct Close {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

}  // namespace

// Not by Connection, which sets the journal's mode and so may write.
Result<DatabaseFacts> sqlite_facts(const std::string& path) {
    DatabaseFacts facts{.server = std::string("SQLite ") + sqlite3_libversion(),
                        .known_schema = static_cast<std::int64_t>(std::size(sqlite::sql::migrations))};
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return facts;
    sqlite3* opened = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    const std::unique_ptr<sqlite3, Close> database(opened);
    sqlite3_stmt* made = nullptr;
    const auto refuse = [&](int because) {
        const std::string message = "the database " + path + " can't be read: " + sqlite3_errstr(because);
        return Error{ErrorCode::storage_unavailable, message, message};
    };
    if (code != SQLITE_OK) return refuse(code);
    sqlite3_busy_timeout(opened, 5'000);
    const std::string_view sql = sqlite::sql::schema::version;
    const int prepared = sqlite3_prepare_v2(opened, sql.data(), static_cast<int>(sql.size()), &made, nullptr);
    const std::unique_ptr<sqlite3_stmt, Close> statement(made);
    if (prepared != SQLITE_OK) return refuse(prepared);
    if (const int stepped = sqlite3_step(made); stepped != SQLITE_ROW) return refuse(stepped);
    facts.schema = sqlite3_column_int64(made, 0);
    return facts;
}

}  // namespace tessera::metadata
