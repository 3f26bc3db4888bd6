#include "postgres_database.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <libpq-fe.h>

namespace tessera::metadata {
namespace {

std::string cluster_url() {
    if (const char* url = std::getenv("TESSERA_TEST_POSTGRES_URL")) return url;
    std::string url;
    if (const char* file = std::getenv("TESSERA_TEST_POSTGRES_URL_FILE"))
        std::getline(std::ifstream(file) >> std::ws, url);
    if (url.empty()) {
        throw std::runtime_error("no PostgreSQL: run this with ctest, or by tests/support/postgres_cluster.sh run");
    }
    return url;
}

std::string url_of(const std::string& database) {
    std::string url = cluster_url();
    return url.replace(url.find("///postgres") + 3, std::string("postgres").size(), database);
}

// The administrator's.
class Session {
  public:
    std::string execute(const std::string& sql) const {
        const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection_.get(), sql.c_str()), PQclear);
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            throw std::runtime_error(sql + ": " + PQerrorMessage(connection_.get()));
        }
        return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
    }

  private:
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_{PQconnectdb(cluster_url().c_str()), PQfinish};
};

// A migrated database to copy is ready sooner than a new one that each test migrates. The first test makes it.
void make_template() {
    const Session session;
    session.execute("SELECT pg_advisory_lock(1)");
    if (session.execute("SELECT count(*) FROM pg_database WHERE datname = 'tessera_template'") == "0") {
        session.execute("CREATE DATABASE tessera_making");
        must(open_postgres(url_of("tessera_making")));
        session.execute("ALTER DATABASE tessera_making RENAME TO tessera_template");
    }
}

}  // namespace

PostgresDatabase::PostgresDatabase(Content content) {
    std::string name = "t" + Uuid::random().to_string();
    std::erase(name, '-');
    if (content == Content::nothing) {
        execute("CREATE DATABASE " + name);
    } else {
        make_template();
        execute("CREATE DATABASE " + name + " TEMPLATE tessera_template");
    }
    url_ = url_of(name);
}

void PostgresDatabase::execute(const std::string& sql) {
    const Session session;
    session.execute(sql);
}

Result<std::unique_ptr<Store>> PostgresDatabase::open(const Clock& clock) {
    PostgresOptions options;
    options.clock = &clock;
    return open_postgres(url_, options);
}

}  // namespace tessera::metadata
