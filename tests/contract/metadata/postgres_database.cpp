#include "postgres_database.hpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include <libpq-fe.h>
#include <unistd.h>

namespace tessera::metadata {
namespace {

std::string first_line_of(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// When nobody has started a cluster for the whole run: one for this process.
class OwnCluster {
  public:
    OwnCluster() {
        const std::string command =
            std::string(TESSERA_POSTGRES_CLUSTER) + " start " + file_ + " " + std::to_string(getpid());
        if (std::system(command.c_str()) != 0) throw std::runtime_error("PostgreSQL did not start: " + command);
    }
    OwnCluster(const OwnCluster&) = delete;
    OwnCluster& operator=(const OwnCluster&) = delete;
    ~OwnCluster() {
        const std::string command = std::string(TESSERA_POSTGRES_CLUSTER) + " stop " + file_;
        if (std::system(command.c_str()) != 0) std::fprintf(stderr, "PostgreSQL did not stop\n");
    }
    [[nodiscard]] std::string url() const { return first_line_of(file_); }

  private:
    std::string file_ = "/tmp/tessera-pg-url-" + Uuid::random().to_string();
};

std::string cluster_url() {
    if (const char* url = std::getenv("TESSERA_TEST_POSTGRES_URL")) return url;
    if (const char* file = std::getenv("TESSERA_TEST_POSTGRES_URL_FILE")) {
        const std::string url = first_line_of(file);
        if (url.empty()) throw std::runtime_error("the PostgreSQL of this test run was not started");
        return url;
    }
    static const OwnCluster own;
    return own.url();
}

std::string url_of(const std::string& database) {
    std::string url = cluster_url();
    return url.replace(url.find("///postgres") + 3, std::string("postgres").size(), database);
}

// The administrator's.
class Session {
  public:
    explicit Session(const std::string& url = cluster_url()) : connection_(PQconnectdb(url.c_str()), PQfinish) {}
    std::string execute(const std::string& sql) const {
        const std::unique_ptr<PGresult, decltype(&PQclear)> result(PQexec(connection_.get(), sql.c_str()), PQclear);
        const ExecStatusType status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
            throw std::runtime_error(sql + ": " + PQerrorMessage(connection_.get()));
        }
        return PQntuples(result.get()) > 0 ? PQgetvalue(result.get(), 0, 0) : "";
    }

  private:
    std::unique_ptr<PGconn, decltype(&PQfinish)> connection_;
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
    name_ = "t" + Uuid::random().to_string();
    std::erase(name_, '-');
    if (content == Content::nothing) {
        execute("CREATE DATABASE " + name_);
    } else {
        make_template();
        execute("CREATE DATABASE " + name_ + " TEMPLATE tessera_template");
    }
    url_ = url_of(name_);
}

PostgresDatabase::~PostgresDatabase() {
    try {
        execute("DROP DATABASE " + name_ + " WITH (FORCE)");
    } catch (const std::exception& thrown) {
        std::fprintf(stderr, "%s\n", thrown.what());
    }
}

std::string PostgresDatabase::socket_folder() const {
    const std::size_t start = url_.find("host=") + 5;
    return url_.substr(start, url_.find('&', start) - start);
}

std::string PostgresDatabase::url_through(const std::string& folder) const {
    std::string url = url_;
    return url.replace(url.find(socket_folder()), socket_folder().size(), folder);
}

void PostgresDatabase::execute(const std::string& sql) {
    Session().execute(sql);
}

void PostgresDatabase::execute_in(const std::string& url, const std::string& sql) {
    Session(url).execute(sql);
}

Result<std::unique_ptr<Store>> PostgresDatabase::open(const Clock& clock) {
    PostgresOptions options;
    options.clock = &clock;
    return open_postgres(url_, options);
}

}  // namespace tessera::metadata
