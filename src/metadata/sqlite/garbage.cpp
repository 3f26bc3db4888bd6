#include "metadata/sqlite/garbage.hpp"

#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

bool is_named(Connection& db, std::string_view key) {
    Query row(db, sql::garbage::is_named, key);
    return row.next() && row.flag();
}

void discard(Transaction& transaction, std::string_view key, Millis delay) {
    if (is_named(transaction.db, key)) return;
    transaction.db.run(sql::garbage::add, key, transaction.now + delay);
}

void take_name(Transaction& transaction, std::string_view key) {
    {
        Query row(transaction.db, sql::garbage::find, key);
        if (!row.next()) return;
        if (row.text() != "waiting") {
            throw Failure(storage_unavailable("the blob of an output was swept before the output was named"));
        }
    }
    transaction.db.run(sql::garbage::forget, key);
}

}  // namespace tessera::metadata::sqlite
