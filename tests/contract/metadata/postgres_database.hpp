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
    Result<std::unique_ptr<Store>> open(const Clock& clock) override;

    [[nodiscard]] const std::string& url() const { return url_; }
    // As the administrator, in another database.
    static void execute(const std::string& sql);

  private:
    std::string url_;
};

}  // namespace tessera::metadata
