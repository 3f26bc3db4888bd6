// One connection to an SQLite database and its prepared statements. Inside this folder errors are thrown as Failure;
// the writer and the readers turn them into Results.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/clock.hpp"
#include "core/hash.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace tessera::metadata::sqlite {

class Failure final : public std::exception {
  public:
    explicit Failure(Error error, int code = 0) : error_(std::move(error)), code_(code) {}
    [[nodiscard]] const Error& error() const { return error_; }
    [[nodiscard]] int code() const { return code_; }  // SQLite's extended code; 0 when the error is ours
    [[nodiscard]] bool is_unique_violation() const;
    [[nodiscard]] const char* what() const noexcept override { return error_.detail.c_str(); }

  private:
    Error error_;
    int code_;
};

class Connection {
  public:
    enum class Mode { read_write, read_only };

    // Throws a Failure with a message that says what is wrong with the file.
    Connection(const std::string& path, Mode mode, bool create, Millis busy_timeout);
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;
    ~Connection();

    // `sql` must be a constant: statements are kept by its address.
    sqlite3_stmt* prepared(std::string_view sql);
    void script(std::string_view sql);  // any number of statements, not kept

    template <typename... Arguments>
    void run(std::string_view sql, const Arguments&... arguments);

    [[nodiscard]] std::int64_t changes() const;  // rows that the last statement changed
    [[nodiscard]] std::int64_t last_insert_rowid() const;
    [[nodiscard]] bool in_transaction() const;
    [[nodiscard]] sqlite3* raw() const { return database_.get(); }
    [[noreturn]] void fail(int code) const;

  private:
    struct Close {
        void operator()(sqlite3* database) const;
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const;
    };
    void go_to_wal(Millis busy_timeout);

    std::string path_;
    std::unique_ptr<sqlite3, Close> database_;
    std::unordered_map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_;
};

// A prepared statement in use: bind, step, read the columns from left to right. Free for the next use when it ends.
class Query {
  public:
    template <typename... Arguments>
    Query(Connection& connection, std::string_view sql, const Arguments&... arguments)
        : connection_(connection), statement_(connection.prepared(sql)) {
        (bind(arguments), ...);
    }
    Query(const Query&) = delete;
    Query& operator=(const Query&) = delete;
    ~Query();

    void bind(std::int64_t value);
    void bind(std::same_as<int> auto value) { bind(static_cast<std::int64_t>(value)); }
    void bind(std::same_as<bool> auto value) { bind(static_cast<std::int64_t>(value)); }
    void bind(double value);
    void bind(std::string_view text);
    void bind(const std::string& text) { bind(std::string_view(text)); }
    void bind(const char* text) { bind(std::string_view(text)); }
    void bind(const Uuid& id) { bind_blob(id.bytes().data(), id.bytes().size()); }
    void bind(const Digest& digest) { bind_blob(digest.data(), digest.size()); }
    void bind(Timestamp time) { bind(to_unix_millis(time)); }
    void bind(Millis span) { bind(static_cast<std::int64_t>(span.count())); }
    void bind(std::nullopt_t);
    template <typename T>
    void bind(const std::optional<T>& value) {
        if (value) {
            bind(*value);
        } else {
            bind(std::nullopt);
        }
    }

    bool next();  // the next row, if there is one
    void finish();

    [[nodiscard]] std::int64_t integer();
    [[nodiscard]] int small() { return static_cast<int>(integer()); }
    [[nodiscard]] bool flag() { return integer() != 0; }
    [[nodiscard]] double real();
    [[nodiscard]] std::string text();
    [[nodiscard]] Uuid uuid();
    [[nodiscard]] Digest digest();
    [[nodiscard]] Timestamp time() { return from_unix_millis(integer()); }
    [[nodiscard]] std::optional<std::int64_t> optional_integer();
    [[nodiscard]] std::optional<Uuid> optional_uuid();
    [[nodiscard]] std::optional<Timestamp> optional_time();
    [[nodiscard]] std::optional<std::string> optional_text();
    [[noreturn]] void unreadable(std::string_view what) const;

  private:
    void bind_blob(const void* data, std::size_t size);
    [[nodiscard]] bool is_null() const;
    void copy_blob(std::uint8_t* out, std::size_t size);

    Connection& connection_;
    sqlite3_stmt* statement_;
    int bound_ = 0;
    int column_ = 0;
};

template <typename... Arguments>
void Connection::run(std::string_view sql, const Arguments&... arguments) {
    Query(*this, sql, arguments...).finish();
}

}  // namespace tessera::metadata::sqlite
