// What there is to know of a database before it is used: for whoever looks whether a machine is fit. Nothing is made or
// changed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::metadata {

struct DatabaseFacts {
    std::string server;                    // "SQLite 3.40.1", "PostgreSQL 15.8"
    std::optional<std::int64_t> schema{};  // absent where there are no tables of ours yet
    std::int64_t known_schema = 0;         // that this program brings it to
    // Of a server alone.
    std::optional<Timestamp> clock{};
    std::int64_t max_connections = 0;
    std::int64_t connections = 0;
    bool is_read_only = false;
    std::string encoding{};
};

// A file that is not there yet is no error: it has no schema.
Result<DatabaseFacts> sqlite_facts(const std::string& path);
Result<DatabaseFacts> postgres_facts(const std::string& url);

}  // namespace tessera::metadata
