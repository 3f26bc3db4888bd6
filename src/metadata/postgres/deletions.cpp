#include "metadata/postgres/deletions.hpp"

#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {

Result<Deletion> PostgresDeletions::remove(std::string_view sql, const Uuid& account_id, const Uuid& id) {
    return pool_.write([&](Connection& db) {
        Rows row = db.run(sql, time_.now(), account_id, id, keep_deleted_blobs);
        row.next();
        return static_cast<Deletion>(row.integer());
    });
}

Result<Deletion> PostgresDeletions::remove_asset(Uuid account_id, Uuid id) {
    return remove(sql::deletions::asset, account_id, id);
}

Result<Deletion> PostgresDeletions::remove_artifact(Uuid account_id, Uuid id) {
    return remove(sql::deletions::artifact, account_id, id);
}

Result<Deletion> PostgresDeletions::remove_artifacts_of(Uuid account_id, Uuid job_id) {
    return remove(sql::deletions::artifacts_of, account_id, job_id);
}

Result<Deletion> PostgresDeletions::remove_tileset(Uuid account_id, Uuid id) {
    Result<Deletion> removed = remove(sql::deletions::tileset, account_id, id);
    // Not one more tile from this node's caches.
    if (removed.ok()) listener_.tell({Change::Kind::tileset, id});
    return removed;
}

}  // namespace tessera::metadata::postgres
