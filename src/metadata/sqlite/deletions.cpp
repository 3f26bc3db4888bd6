#include "metadata/sqlite/deletions.hpp"

#include "metadata/sqlite/garbage.hpp"
#include "metadata/sqlite/rows.hpp"
#include "metadata/sqlite/tilesets.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

Deletion note(Transaction& transaction, const Uuid& account_id, const Uuid& id) {
    transaction.db.run(sql::deletions::note, id, account_id, transaction.now);
    return Deletion::removed;
}

Deletion was_noted(Transaction& transaction, const Uuid& account_id, const Uuid& id) {
    const bool noted = Query(transaction.db, sql::deletions::is_noted, id, account_id).next();
    return noted ? Deletion::removed_before : Deletion::not_found;
}

Deletion remove_one_artifact(Transaction& transaction, const Uuid& account_id, const Uuid& id) {
    std::string key;
    Uuid job_id;
    {
        Query row(transaction.db, sql::deletions::artifact, id, account_id, transaction.now);
        if (!row.next()) return was_noted(transaction, account_id, id);
        key = row.text();
        job_id = row.uuid();
        row.finish();
    }
    transaction.db.run(sql::jobs::artifact_removed, job_id);
    discard(transaction, key, keep_deleted_blobs);
    return note(transaction, account_id, id);
}

}  // namespace

Result<Deletion> SqliteDeletions::remove_asset(Uuid account_id, Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        std::string key;
        {
            Query row(transaction.db, sql::deletions::asset, id, account_id, transaction.now);
            if (!row.next()) return was_noted(transaction, account_id, id);
            key = row.text();
            row.finish();
        }
        discard(transaction, key, keep_deleted_blobs);
        return note(transaction, account_id, id);
    });
}

Result<Deletion> SqliteDeletions::remove_artifact(Uuid account_id, Uuid id) {
    return writer_.run([&](Transaction& transaction) { return remove_one_artifact(transaction, account_id, id); });
}

Result<Deletion> SqliteDeletions::remove_artifacts_of(Uuid account_id, Uuid job_id) {
    return writer_.run([&](Transaction& transaction) {
        {
            Query row(transaction.db, sql::deletions::job_status, job_id, account_id);
            if (!row.next()) return Deletion::not_found;
            const auto status = job_status_from_string(row.text());
            if (status && !has_ended(*status)) return Deletion::not_ended;
        }
        std::vector<Uuid> ids;
        {
            Query row(transaction.db, sql::deletions::artifacts_of, job_id);
            while (row.next()) ids.push_back(row.uuid());
        }
        for (const Uuid& id : ids) remove_one_artifact(transaction, account_id, id);
        return Deletion::removed;
    });
}

Result<Deletion> SqliteDeletions::remove_tileset(Uuid account_id, Uuid id) {
    return writer_.run([&](Transaction& transaction) {
        const auto tileset = find_tileset(transaction.db, id, 0, transaction.now);
        if (!tileset || tileset->account_id != account_id) return was_noted(transaction, account_id, id);
        sqlite::remove_tileset(transaction, id, keep_deleted_blobs);
        return note(transaction, account_id, id);
    });
}

}  // namespace tessera::metadata::sqlite
