#include "metadata/postgres/assets.hpp"

#include "metadata/row_values.hpp"
#include "postgres_sql.hpp"

namespace tessera::metadata::postgres {
namespace {

constexpr std::int64_t being_deleted = -1;
constexpr std::int64_t no_account = -2;
constexpr std::int64_t storage_full = -3;

}  // namespace

Result<AssetInserted> PostgresAssets::insert(const Asset& asset, std::int64_t rewrite_token,
                                             const StorageLimits& limits) {
    Call call{sql::assets::insert,
              Parameters(asset.id, asset.account_id, asset.source_type, asset.status, asset.original_filename,
                         to_string(asset.image.format), asset.image.width, asset.image.height, asset.image.pages,
                         asset.image.has_alpha, asset.image.bits_per_sample, asset.image.colour_space,
                         asset.checksum_sha256, asset.byte_size, asset.storage_key, asset.created_at, asset.expires_at,
                         rewrite_token, limits.max_bytes, limits.max_assets)};
    Result<Rows> answered = writer_.run(asset.account_id, std::move(call));
    if (!answered.ok()) return std::move(answered).error();
    return Pool::guarded([&]() -> AssetInserted {
        answered->next();
        const std::int64_t verdict = answered->integer();
        if (verdict == no_account) {
            throw Failure(Error{ErrorCode::invalid_api_key, "invalid api key", "the account is being erased"});
        }
        if (verdict == storage_full) {
            throw Failure(Error{ErrorCode::storage_limit_exceeded, "the account's storage is full", {}});
        }
        if (verdict == being_deleted) return {AssetInsert::blob_being_deleted};
        if (verdict != 0) return {AssetInsert::write_blob_again, verdict};
        return {};
    });
}

Result<std::optional<Asset>> PostgresAssets::find(Uuid account_id, Uuid id) {
    Result<std::vector<Asset>> found = find_all(account_id, std::span(&id, 1));
    if (!found.ok()) return std::move(found).error();
    if (found->empty()) return std::optional<Asset>();
    return std::optional(std::move(found->front()));
}

Result<std::vector<Asset>> PostgresAssets::find_all(Uuid account_id, std::span<const Uuid> ids) {
    std::vector<std::optional<std::string>> texts;
    for (const Uuid& id : ids) texts.emplace_back(id.to_string());
    Call call{sql::assets::find, {}};
    call.parameters.add_array(texts);
    call.parameters.add(account_id);
    call.parameters.add(time_.now());
    return pool_.read([&](Connection& db) {
        std::vector<Asset> assets;
        Rows rows = db.run(call);
        while (rows.next()) assets.push_back(read_asset(rows));
        return assets;
    });
}

Result<std::optional<Artifact>> PostgresArtifacts::find(Uuid account_id, Uuid id) {
    Result<std::optional<Artifact>> found = find_signed(id);
    if (found.ok() && found->has_value() && (*found)->account_id != account_id) return std::optional<Artifact>();
    return found;
}

Result<std::optional<Artifact>> PostgresArtifacts::find_signed(Uuid id) {
    return pool_.read([&](Connection& db) -> std::optional<Artifact> {
        Rows row = db.run(sql::artifacts::find, id, time_.now());
        if (!row.next()) return std::nullopt;
        return read_artifact(row);
    });
}

}  // namespace tessera::metadata::postgres
