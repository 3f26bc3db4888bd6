#include "metadata/facts.hpp"

#include <iterator>

#include "metadata/postgres/connection.hpp"
#include "metadata/postgres/pool.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata {

Result<DatabaseFacts> postgres_facts(const std::string& url) {
    using namespace postgres;
    return Pool::guarded([&] {
        Connection db({url, Millis(5'000), Millis(5'000)});
        DatabaseFacts facts{.server = "PostgreSQL ",
                            .known_schema = static_cast<std::int64_t>(std::size(sql::migrations))};
        Rows row = db.run(sql::facts::server);
        row.next();
        facts.server += row.text();
        facts.clock = row.time();
        facts.max_connections = row.integer();
        facts.connections = row.integer();
        facts.is_read_only = row.flag();
        facts.encoding = row.text();
        Rows there = db.run(sql::schema::is_there);
        if (!there.next() || !there.flag()) return facts;
        Rows version = db.run(sql::schema::version);
        if (version.next()) facts.schema = version.integer();
        return facts;
    });
}

}  // namespace tessera::metadata
