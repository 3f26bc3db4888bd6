#include "metadata/sqlite/connection.hpp"

#include <cstring>
#include <thread>
#include <utility>

#include <sqlite3.h>

namespace tessera::metadata::sqlite {
namespace {

Error to_error(int code, std::string detail) {
    switch (code & 0xff) {
        case SQLITE_CONSTRAINT:
        case SQLITE_ERROR:
        case SQLITE_MISUSE:
        case SQLITE_RANGE:
        case SQLITE_MISMATCH: return internal_error(std::move(detail));
        default: return storage_unavailable(std::move(detail));
    }
}

std::string reason_for_opening(int code) {
    switch (code & 0xff) {
        case SQLITE_NOTADB: return "is not an SQLite database, or is damaged";
        case SQLITE_CORRUPT: return "is damaged";
        case SQLITE_READONLY: return "can't be written: the file or its folder is read-only";
        case SQLITE_CANTOPEN: return "can't be opened: it does not exist, or may not be read and written";
        case SQLITE_BUSY: return "is locked by another process";
        case SQLITE_FULL: return "can't be written: the disk is full";
        case SQLITE_IOERR: return "can't be read or written: the disk reports an error";
        default: return "can't be opened";
    }
}

}  // namespace

bool Failure::is_unique_violation() const {
    return code_ == SQLITE_CONSTRAINT_UNIQUE || code_ == SQLITE_CONSTRAINT_PRIMARYKEY;
}

void Connection::Close::operator()(sqlite3* database) const {
    sqlite3_close_v2(database);
}

void Connection::Finalize::operator()(sqlite3_stmt* statement) const {
    sqlite3_finalize(statement);
}

Connection::Connection(const std::string& path, Mode mode, bool create, Millis busy_timeout) : path_(path) {
    // Nobody asks how much memory SQLite has: counting it takes one lock of all threads for each piece. Refused,
    // without harm, where SQLite has been used before.
    static const int uncounted [[maybe_unused]] = sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3* opened = nullptr;
    const int flags =
        SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | (create ? SQLITE_OPEN_CREATE : 0);
    const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    database_.reset(opened);
    const auto refuse = [&](int because, std::string_view detail) {
        std::string message = "the database " + path + " " + reason_for_opening(because);
        std::string full = message + " (" + std::string(detail) + ")";
        throw Failure(Error{ErrorCode::storage_unavailable, std::move(message), std::move(full)}, because);
    };
    if (code != SQLITE_OK) refuse(code, sqlite3_errstr(code));
    if (sqlite3_db_readonly(opened, "main") == 1) refuse(SQLITE_READONLY, "opened read-only");
    sqlite3_busy_timeout(opened, static_cast<int>(busy_timeout.count()));
    try {
        // FULL: a commit that was answered survives a power cut. Checkpoints are the store's, beside the writes.
        go_to_wal(busy_timeout);
        script(
            "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;"
            "PRAGMA temp_store = MEMORY; PRAGMA wal_autocheckpoint = 0; PRAGMA trusted_schema = OFF;");
        // A reader's pages are void after the next commit, so that a large cache would hold memory and help little.
        script(mode == Mode::read_only ? "PRAGMA query_only = ON; PRAGMA cache_size = -100;"
                                       : "PRAGMA cache_size = -1000;");
    } catch (const Failure& failure) {
        refuse(failure.code(), failure.error().detail);
    }
}

Connection::~Connection() {
    statements_.clear();
}

// Of several that find a new file together each reads it and wants it for itself. SQLite tells all but one at once that
// it is busy, since none of them would give way, and does not wait for the one that goes on.
void Connection::go_to_wal(Millis busy_timeout) {
    constexpr Millis pause{2};
    const auto until = std::chrono::steady_clock::now() + busy_timeout;
    for (;;) {
        try {
            return script("PRAGMA journal_mode = WAL;");
        } catch (const Failure& failure) {
            const bool is_busy = (failure.code() & 0xff) == SQLITE_BUSY;
            if (!is_busy || std::chrono::steady_clock::now() >= until) throw;
        }
        std::this_thread::sleep_for(pause);
    }
}

sqlite3_stmt* Connection::prepared(std::string_view sql) {
    auto& kept = statements_[sql.data()];
    if (!kept) {
        sqlite3_stmt* made = nullptr;
        const int code = sqlite3_prepare_v3(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                            SQLITE_PREPARE_PERSISTENT, &made, nullptr);
        if (code != SQLITE_OK) fail(code);
        kept.reset(made);
    }
    return kept.get();
}

void Connection::script(std::string_view sql) {
    const int code = sqlite3_exec(database_.get(), std::string(sql).c_str(), nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

std::int64_t Connection::changes() const {
    return sqlite3_changes64(database_.get());
}

std::int64_t Connection::last_insert_rowid() const {
    return sqlite3_last_insert_rowid(database_.get());
}

bool Connection::in_transaction() const {
    return sqlite3_get_autocommit(database_.get()) == 0;
}

void Connection::fail(int code) const {
    std::string detail = "sqlite " + std::to_string(code) + ": " + sqlite3_errmsg(database_.get());
    if (const int os = sqlite3_system_errno(database_.get()); os != 0 && (code & 0xff) != SQLITE_CONSTRAINT) {
        detail += std::string(" (") + std::strerror(os) + ")";
    }
    throw Failure(to_error(code, std::move(detail)), code);
}

Query::~Query() {
    sqlite3_reset(statement_);
    sqlite3_clear_bindings(statement_);
}

void Query::bind(std::int64_t value) {
    if (const int code = sqlite3_bind_int64(statement_, ++bound_, value); code != SQLITE_OK) connection_.fail(code);
}

void Query::bind(double value) {
    if (const int code = sqlite3_bind_double(statement_, ++bound_, value); code != SQLITE_OK) connection_.fail(code);
}

void Query::bind(std::string_view text) {
    const int code = sqlite3_bind_text64(statement_, ++bound_, text.empty() ? "" : text.data(), text.size(),
                                         SQLITE_TRANSIENT, SQLITE_UTF8);
    if (code != SQLITE_OK) connection_.fail(code);
}

void Query::bind(std::nullopt_t) {
    if (const int code = sqlite3_bind_null(statement_, ++bound_); code != SQLITE_OK) connection_.fail(code);
}

void Query::bind_blob(const void* data, std::size_t size) {
    const int code = sqlite3_bind_blob64(statement_, ++bound_, data, size, SQLITE_TRANSIENT);
    if (code != SQLITE_OK) connection_.fail(code);
}

bool Query::next() {
    column_ = 0;
    const int code = sqlite3_step(statement_);
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    connection_.fail(code);
}

void Query::finish() {
    while (next()) {
    }
}

bool Query::is_null() const {
    return sqlite3_column_type(statement_, column_) == SQLITE_NULL;
}

void Query::unreadable(std::string_view what) const {
    throw Failure(internal_error("sqlite: a stored " + std::string(what) + " can't be read"));
}

std::int64_t Query::integer() {
    return sqlite3_column_int64(statement_, column_++);
}

double Query::real() {
    return sqlite3_column_double(statement_, column_++);
}

std::string Query::text() {
    const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement_, column_));
    const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column_));
    ++column_;
    return size == 0 ? std::string() : std::string(bytes, size);
}

void Query::copy_blob(std::uint8_t* out, std::size_t size) {
    const void* bytes = sqlite3_column_blob(statement_, column_);
    if (static_cast<std::size_t>(sqlite3_column_bytes(statement_, column_)) != size) {
        throw Failure(internal_error("sqlite: a stored id or digest has a wrong length"));
    }
    std::memcpy(out, bytes, size);
    ++column_;
}

Uuid Query::uuid() {
    Uuid::Bytes bytes;
    copy_blob(bytes.data(), bytes.size());
    return Uuid(bytes);
}

Digest Query::digest() {
    Digest digest;
    copy_blob(digest.data(), digest.size());
    return digest;
}

std::optional<std::int64_t> Query::optional_integer() {
    if (is_null()) return ++column_, std::nullopt;
    return integer();
}

std::optional<Uuid> Query::optional_uuid() {
    if (is_null()) return ++column_, std::nullopt;
    return uuid();
}

std::optional<Timestamp> Query::optional_time() {
    if (is_null()) return ++column_, std::nullopt;
    return time();
}

std::optional<std::string> Query::optional_text() {
    if (is_null()) return ++column_, std::nullopt;
    return text();
}

}  // namespace tessera::metadata::sqlite
