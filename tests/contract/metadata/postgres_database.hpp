// Databases for tests in the PostgreSQL cluster of the test run (tests/support/postgres_cluster.sh).
#pragma once

#include <memory>
#include <string>

#include "store_test.hpp"

namespace tessera::metadata {

class PostgresDatabase final : public Database {
  public:
    enum class Content { nothing, schema };
    explicit PostgresDatabase(Content content = Content::schema);
    PostgresDatabase(const PostgresDatabase&) = delete;
    PostgresDatabase& operator=(const PostgresDatabase&) = delete;
    ~PostgresDatabase() override;
    Result<std::unique_ptr<Store>> open(const Clock& clock) override;

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] const std::string& url() const { return url_; }
    // The folder of the server's socket, and the URL of the database by a socket in another folder.
    [[nodiscard]] std::string socket_folder() const;
    [[nodiscard]] std::string url_through(const std::string& folder) const;
    // As the administrator: in a database of its own, or in a given one.
    static void execute(const std::string& sql);
    static void execute_in(const std::string& url, const std::string& sql);

  private:
    std::string name_;
    std::string url_;
};

}  // namespace tessera::metadata
