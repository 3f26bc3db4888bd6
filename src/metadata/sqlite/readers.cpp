#include "metadata/sqlite/readers.hpp"

#include "core/log.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {

Readers::Readers(const std::string& path, int count, Millis busy_timeout, StoreMeters& meters) : meters_(meters) {
    for (int i = 0; i < count; ++i) {
        connections_.push_back(std::make_unique<Connection>(path, Connection::Mode::read_only, false, busy_timeout));
        free_.push_back(connections_.back().get());
    }
}

Readers::Borrowed::Borrowed(Readers& from) : readers(from) {
    std::unique_lock lock(from.mutex_);
    from.freed_.wait(lock, [&] { return !from.free_.empty(); });
    connection = from.free_.back();  // the one used last: its cache is warm
    from.free_.pop_back();
}

Readers::Borrowed::~Borrowed() {
    {
        const std::lock_guard lock(readers.mutex_);
        readers.free_.push_back(connection);
    }
    readers.freed_.notify_one();
}

Readers::Snapshot::Snapshot(Connection& on) : connection(on) {
    connection.run(sql::transaction::begin);
}

Readers::Snapshot::~Snapshot() {
    try {
        if (connection.in_transaction()) connection.run(sql::transaction::commit);
    } catch (const Failure& failure) {
        log::error("database_read_end_failed", {{"detail", failure.error().detail}});
    }
}

}  // namespace tessera::metadata::sqlite
