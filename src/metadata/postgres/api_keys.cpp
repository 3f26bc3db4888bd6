#include "metadata/acts.hpp"
#include "metadata/postgres/accounts.hpp"
#include "metadata/row_values.hpp"
#include "metadata/store.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

void note_change(Connection& db, const Uuid& account_id) {
    db.run(sql::notify::change, static_cast<int>(Change::Kind::account), account_id);
}

Failure no_such_account() {
    return Failure(Error{ErrorCode::not_found, "account not found", {}});
}

}  // namespace

Result<ApiKey> PostgresApiKeys::create(const NewApiKey& key) {
    const Uuid id = Uuid::time_ordered();
    return pool_.write([&](Connection& db) {
        Rows row = db.run(sql::api_keys::insert, id, key.account_id, key.name, key.role_code, key.hash, time_.now(),
                          key.expires_at, to_text(key.networks));
        if (!row.next()) throw no_such_account();
        note_change(db, key.account_id);
        auditor_.note(db, key_made(id, key));
        return read_key(row);
    });
}

Result<std::optional<ApiKey>> PostgresApiKeys::find_by_hash(const Digest& hash) {
    return pool_.read([&](Connection& db) -> std::optional<ApiKey> {
        Rows row = db.run(sql::api_keys::find_by_hash, hash);
        if (!row.next()) return std::nullopt;
        return read_key(row);
    });
}

Result<std::vector<Digest>> PostgresApiKeys::hashes() {
    return pool_.read([&](Connection& db) {
        std::vector<Digest> hashes;
        Rows rows = db.run(sql::api_keys::hashes);
        while (rows.next()) hashes.push_back(rows.digest());
        return hashes;
    });
}

Result<std::vector<ApiKey>> PostgresApiKeys::list(std::optional<Uuid> account_id) {
    return pool_.read([&](Connection& db) {
        std::vector<ApiKey> keys;
        Rows rows = account_id ? db.run(sql::api_keys::of_account, *account_id) : db.run(sql::api_keys::all);
        while (rows.next()) keys.push_back(read_key(rows));
        return keys;
    });
}

Result<std::optional<ApiKey>> PostgresApiKeys::revoke(Uuid id) {
    return pool_.write([&](Connection& db) -> std::optional<ApiKey> {
        Rows before = db.run(sql::api_keys::lock, id);
        if (!before.next()) return std::nullopt;
        if (const ApiKey key = read_key(before); key.revoked_at) return key;
        Rows row = db.run(sql::api_keys::revoke, id, time_.now());
        row.next();
        const ApiKey key = read_key(row);
        note_change(db, key.account_id);
        auditor_.note(db, {"key.revoke", key.account_id, id.to_string()});
        return key;
    });
}

Result<void> PostgresApiKeys::note_used(std::span<const KeyUse> uses) {
    std::vector<std::optional<std::string>> ids;
    std::vector<std::optional<std::string>> times;
    for (const KeyUse& use : uses) {
        ids.emplace_back(use.key_id.to_string());
        times.emplace_back(std::to_string(to_unix_millis(use.at)));
    }
    Call call{sql::api_keys::note_used, {}};
    call.parameters.add_array(ids);
    call.parameters.add_array(times);
    call.parameters.add(noted_once_in);
    return pool_.write([&](Connection& db) { db.run(call); });
}

Result<std::vector<Entitlement>> PostgresEntitlements::list(Uuid account_id) {
    return pool_.read([&](Connection& db) {
        std::vector<Entitlement> entitlements;
        Rows row = db.run(sql::entitlements::list, account_id);
        while (row.next()) entitlements.push_back(read_entitlement(row));
        return entitlements;
    });
}

Result<void> PostgresEntitlements::set(Uuid account_id, const Entitlement& entitlement) {
    return pool_.write([&](Connection& db) {
        const Rows put = db.run(sql::entitlements::put, account_id, entitlement.feature_code, entitlement.enabled,
                                entitlement.status, entitlement.source, entitlement.provider, entitlement.add_on_code,
                                entitlement.cancel_at_period_end);
        if (put.affected() == 0) throw no_such_account();
        note_change(db, account_id);
        auditor_.note(db, entitlement_set(account_id, entitlement));
    });
}

}  // namespace tessera::metadata::postgres
