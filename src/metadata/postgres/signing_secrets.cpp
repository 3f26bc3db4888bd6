#include "metadata/postgres/signing_secrets.hpp"

#include <algorithm>

#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

std::vector<StoredSecret> read_all(Connection& db) {
    std::vector<StoredSecret> secrets;
    Rows row = db.run(sql::signing_secrets::all);
    while (row.next()) {
        std::string secret = row.text();
        secrets.push_back({std::move(secret), row.time()});
    }
    return secrets;
}

}  // namespace

Result<std::vector<StoredSecret>> PostgresSigningSecrets::all() {
    return pool_.read(read_all);
}

Result<std::vector<StoredSecret>> PostgresSigningSecrets::all_or_first(const std::string& secret) {
    auto present = all();
    if (!present || !present->empty()) return present;
    return add(secret, std::nullopt);
}

Result<std::vector<StoredSecret>> PostgresSigningSecrets::rotate(const std::string& secret, std::size_t keep) {
    return add(secret, static_cast<std::int64_t>(std::max<std::size_t>(keep, 1)));
}

Result<std::vector<StoredSecret>> PostgresSigningSecrets::add(const std::string& secret,
                                                              std::optional<std::int64_t> keep) {
    return pool_.write([&](Connection& db) {
        db.run(sql::signing_secrets::add, time_.now(), secret, keep);
        if (keep) auditor_.note(db, {"secret.rotate", {}, {}, act_details({{"keep", *keep}})});
        return read_all(db);
    });
}

}  // namespace tessera::metadata::postgres
