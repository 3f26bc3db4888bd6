#include "metadata/sqlite/assets.hpp"

#include "metadata/row_values.hpp"
#include "sqlite_sql.hpp"

namespace tessera::metadata::sqlite {
namespace {

std::optional<Asset> find_asset(Connection& db, const Uuid& account_id, const Uuid& id, Timestamp now) {
    Query row(db, sql::assets::find, id, account_id, now);
    if (!row.next()) return std::nullopt;
    return read_asset(row);
}

void require_room(const StorageUse& use, const StorageLimits& limits) {
    if (use.bytes <= limits.max_bytes.value_or(use.bytes) && use.assets <= limits.max_assets.value_or(use.assets))
        return;
    throw Failure(Error{ErrorCode::storage_limit_exceeded, "the account's storage is full", {}});
}

// What the garbage list says about a key that an asset is about to name.
AssetInserted claim_key(Connection& db, const std::string& key, std::int64_t rewrite_token) {
    {
        Query row(db, sql::garbage::find, key);
        if (!row.next()) return {};
        const std::string state = row.text();
        const std::int64_t token = row.integer();
        if (state == "deleting") return {AssetInsert::blob_being_deleted};
        if (state == "deleted" && token != rewrite_token) return {AssetInsert::write_blob_again, token};
    }
    db.run(sql::garbage::forget, key);
    return {};
}

}  // namespace

Result<AssetInserted> SqliteAssets::insert(const Asset& asset, std::int64_t rewrite_token,
                                           const StorageLimits& limits) {
    return writer_.run([&](Transaction& transaction) {
        if (!Query(transaction.db, sql::accounts::is_open, asset.account_id).next()) {
            throw Failure(Error{ErrorCode::invalid_api_key, "invalid api key", "the account is being erased"});
        }
        const AssetInserted verdict = claim_key(transaction.db, asset.storage_key, rewrite_token);
        if (verdict.answer != AssetInsert::stored) return verdict;
        transaction.db.run(sql::assets::insert, asset.id, asset.account_id, asset.source_type, asset.status,
                           asset.original_filename, to_string(asset.image.format), asset.image.width,
                           asset.image.height, asset.image.pages, asset.image.has_alpha, asset.image.bits_per_sample,
                           asset.image.colour_space, asset.checksum_sha256, asset.byte_size, asset.storage_key,
                           asset.created_at, asset.expires_at);
        Query row(transaction.db, sql::usage::storage, asset.account_id);
        if (row.next()) require_room(read_storage_use(row), limits);
        return verdict;
    });
}

Result<std::optional<Asset>> SqliteAssets::find(Uuid account_id, Uuid id) {
    return readers_.run([&](Connection& db) { return find_asset(db, account_id, id, clock_.now()); });
}

Result<std::vector<Asset>> SqliteAssets::find_all(Uuid account_id, std::span<const Uuid> ids) {
    return readers_.run([&](Connection& db) {
        const Timestamp now = clock_.now();
        std::vector<Asset> assets;
        for (const Uuid& id : ids) {
            if (auto asset = find_asset(db, account_id, id, now)) assets.push_back(*std::move(asset));
        }
        return assets;
    });
}

Result<std::optional<Artifact>> SqliteArtifacts::find(Uuid account_id, Uuid id) {
    Result<std::optional<Artifact>> found = find_signed(id);
    if (found.ok() && found->has_value() && (*found)->account_id != account_id) return std::optional<Artifact>();
    return found;
}

Result<std::optional<Artifact>> SqliteArtifacts::find_signed(Uuid id) {
    return readers_.run([&](Connection& db) -> std::optional<Artifact> {
        Query row(db, sql::artifacts::find, id, clock_.now());
        if (!row.next()) return std::nullopt;
        return read_artifact(row);
    });
}

}  // namespace tessera::metadata::sqlite
