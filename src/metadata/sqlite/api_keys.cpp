#include "metadata/acts.hpp"
#include "metadata/row_values.hpp"
#include "metadata/sqlite/accounts.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

void require_account(Connection& db, const Uuid& id) {
    if (Query(db, sql::accounts::is_open, id).next()) return;
    throw Failure(Error{ErrorCode::not_found, "account not found", {}});
}

}  // namespace

Result<ApiKey> SqliteApiKeys::create(const NewApiKey& key) {
    const Uuid id = Uuid::time_ordered();
    return writer_.run([&](Transaction& transaction) {
        require_account(transaction.db, key.account_id);
        transaction.db.run(sql::api_keys::insert, id, key.account_id, key.name, key.role_code, key.hash,
                           transaction.now, key.expires_at, to_text(key.networks));
        transaction.note_change(Change::Kind::account, key.account_id);
        transaction.note_act(key_made(id, key));
        Query row(transaction.db, sql::api_keys::find, id);
        row.next();
        return read_key(row);
    });
}

Result<std::optional<ApiKey>> SqliteApiKeys::find_by_hash(const Digest& hash) {
    return readers_.run([&](Connection& db) -> std::optional<ApiKey> {
        Query row(db, sql::api_keys::find_by_hash, hash);
        if (!row.next()) return std::nullopt;
        return read_key(row);
    });
}

Result<std::vector<Digest>> SqliteApiKeys::hashes() {
    return readers_.run([&](Connection& db) {
        std::vector<Digest> hashes;
        Query rows(db, sql::api_keys::hashes);
        while (rows.next()) hashes.push_back(rows.digest());
        return hashes;
    });
}

Result<std::vector<ApiKey>> SqliteApiKeys::list(std::optional<Uuid> account_id) {
    return readers_.run([&](Connection& db) {
        std::vector<ApiKey> keys;
        Query rows(db, account_id ? sql::api_keys::of_account : sql::api_keys::all);
        if (account_id) rows.bind(*account_id);
        while (rows.next()) keys.push_back(read_key(rows));
        return keys;
    });
}

Result<std::optional<ApiKey>> SqliteApiKeys::revoke(Uuid id) {
    return writer_.run([&](Transaction& transaction) -> std::optional<ApiKey> {
        transaction.db.run(sql::api_keys::revoke, id, transaction.now);
        const bool now_revoked = transaction.db.changes() > 0;
        Query row(transaction.db, sql::api_keys::find, id);
        if (!row.next()) return std::nullopt;
        const ApiKey key = read_key(row);
        if (now_revoked) transaction.note_change(Change::Kind::account, key.account_id);
        if (now_revoked) transaction.note_act({"key.revoke", key.account_id, id.to_string()});
        return key;
    });
}

Result<void> SqliteApiKeys::note_used(std::span<const KeyUse> uses) {
    const auto note_all = [&](Transaction& transaction) {
        for (const KeyUse& use : uses) {
            transaction.db.run(sql::api_keys::note_used, use.key_id, use.at, noted_once_in);
        }
    };
    return writer_.run(note_all, Durability::lazy);
}

Result<std::vector<Entitlement>> SqliteEntitlements::list(Uuid account_id) {
    return readers_.run([&](Connection& db) {
        std::vector<Entitlement> entitlements;
        Query row(db, sql::entitlements::list, account_id);
        while (row.next()) entitlements.push_back(read_entitlement(row));
        return entitlements;
    });
}

Result<void> SqliteEntitlements::set(Uuid account_id, const Entitlement& entitlement) {
    return writer_.run([&](Transaction& transaction) {
        require_account(transaction.db, account_id);
        transaction.db.run(sql::entitlements::put, account_id, entitlement.feature_code, entitlement.enabled,
                           entitlement.status, entitlement.source, entitlement.provider, entitlement.add_on_code,
                           entitlement.cancel_at_period_end);
        transaction.note_change(Change::Kind::account, account_id);
        transaction.note_act(entitlement_set(account_id, entitlement));
    });
}

}  // namespace tessera::metadata::sqlite
