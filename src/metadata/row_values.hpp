// Values from rows, the same for every database: the columns are in the order in which each backend's queries name
// them, and `Row` reads them from left to right in that database's own encoding.
#pragma once

#include <algorithm>
#include <concepts>
#include <optional>
#include <string_view>
#include <vector>

#include "core/account.hpp"
#include "core/asset.hpp"
#include "core/image_format.hpp"
#include "core/job.hpp"
#include "core/plan.hpp"
#include "core/tileset.hpp"
#include "metadata/audit.hpp"
#include "metadata/usage.hpp"

namespace tessera::metadata {

template <typename T>
concept Row = requires(T& row, std::string_view what) {
    { row.uuid() } -> std::same_as<Uuid>;
    { row.text() } -> std::same_as<std::string>;
    { row.integer() } -> std::same_as<std::int64_t>;
    { row.small() } -> std::same_as<int>;
    { row.flag() } -> std::same_as<bool>;
    { row.time() } -> std::same_as<Timestamp>;
    { row.optional_time() } -> std::same_as<std::optional<Timestamp>>;
    row.unreadable(what);  // throws: the stored value is none that this version writes
};

template <typename T>
T require_stored(Row auto& row, const std::optional<T>& value, std::string_view what) {
    if (!value) row.unreadable(what);
    return *value;
}

// Networks are stored as one text, with commas.
inline std::optional<NetworkList> networks_from_text(std::string_view text) {
    std::vector<std::string> blocks;
    for (std::size_t end = 0; !text.empty(); text.remove_prefix(std::min(end + 1, text.size()))) {
        end = std::min(text.find(','), text.size());
        blocks.emplace_back(text.substr(0, end));
    }
    Result<NetworkList> list = NetworkList::parse(blocks);
    return list ? std::optional(std::move(*list)) : std::nullopt;
}
inline std::string to_text(const NetworkList& networks) {
    std::string text;
    for (const std::string& block : networks.to_strings()) (text += text.empty() ? "" : ",") += block;
    return text;
}

ImageFormat read_format(Row auto& row) {
    return require_stored(row, image_format_from_string(row.text()), "image format");
}

Account read_account(Row auto& row) {
    Account account;
    account.id = row.uuid();
    account.slug = row.text();
    account.display_name = row.text();
    account.plan_code = row.text();
    account.access_source = row.text();
    account.plan_activated_at = row.time();
    account.created_at = row.time();
    account.suspended_at = row.optional_time();
    account.erasure_begun_at = row.optional_time();
    account.erased_at = row.optional_time();
    return account;
}

ApiKey read_key(Row auto& row) {
    ApiKey key;
    key.id = row.uuid();
    key.account_id = row.uuid();
    key.name = row.text();
    key.role_code = row.text();
    key.created_at = row.time();
    key.revoked_at = row.optional_time();
    key.expires_at = row.optional_time();
    key.last_used_at = row.optional_time();
    key.networks = require_stored(row, networks_from_text(row.text()), "network");
    return key;
}

Entitlement read_entitlement(Row auto& row) {
    Entitlement entitlement;
    entitlement.feature_code = row.text();
    entitlement.enabled = row.flag();
    entitlement.status = row.text();
    entitlement.source = row.text();
    entitlement.provider = row.text();
    entitlement.add_on_code = row.text();
    entitlement.cancel_at_period_end = row.flag();
    return entitlement;
}

// Without its limits, which are rows of their own.
Plan read_plan(Row auto& row) {
    Plan plan;
    plan.code = row.text();
    plan.display_name = row.text();
    plan.description = row.text();
    plan.status = row.text();
    plan.is_public = row.flag();
    plan.billing_amount_minor = row.integer();
    plan.billing_interval = row.text();
    plan.included_processing_credits = row.integer();
    return plan;
}

// A limit that this version does not know (a newer node's) is passed over.
void read_limit(Row auto& row, PlanLimits& limits) {
    const std::string name = row.text();
    const std::int64_t value = row.integer();
    for (const PlanLimitField& field : plan_limit_fields()) {
        if (field.name == name) limits.*field.member = value;
    }
}

StorageUse read_storage_use(Row auto& row) {
    StorageUse use;
    use.bytes = row.integer();
    use.assets = row.integer();
    return use;
}

LedgerEntry read_ledger_entry(Row auto& row) {
    LedgerEntry entry;
    entry.sequence = row.integer();
    entry.account_id = row.uuid();
    entry.job_id = row.uuid();
    entry.credits = row.integer();
    entry.period_starts_at = row.time();
    entry.at = row.time();
    return entry;
}

AuditEntry read_audit_entry(Row auto& row) {
    AuditEntry entry;
    entry.sequence = row.integer();
    entry.at = row.time();
    entry.actor = row.text();
    entry.action = row.text();
    entry.account_id = row.optional_uuid();
    entry.subject = row.text();
    entry.details = row.text();
    return entry;
}

Asset read_asset(Row auto& row) {
    Asset asset;
    asset.id = row.uuid();
    asset.account_id = row.uuid();
    asset.source_type = row.text();
    asset.status = row.text();
    asset.original_filename = row.text();
    asset.image.format = read_format(row);
    asset.image.width = row.integer();
    asset.image.height = row.integer();
    asset.image.pages = row.small();
    asset.image.has_alpha = row.flag();
    asset.image.bits_per_sample = row.small();
    asset.image.colour_space = row.text();
    asset.checksum_sha256 = row.text();
    asset.byte_size = row.integer();
    asset.storage_key = row.text();
    asset.created_at = row.time();
    asset.expires_at = row.optional_time();
    return asset;
}

Job read_job(Row auto& row) {
    Job job;
    job.id = row.uuid();
    job.account_id = row.uuid();
    job.asset_id = row.optional_uuid();
    job.tileset_id = row.optional_uuid();
    job.operation = row.text();
    job.status = require_stored(row, job_status_from_string(row.text()), "job status");
    job.options_json = row.text();
    job.result_json = row.text();
    job.progress = row.real();
    job.heavy = row.flag();
    job.credits = row.integer();
    job.queued_at = row.time();
    job.started_at = row.optional_time();
    job.completed_at = row.optional_time();
    job.updated_at = row.time();
    job.attempt_count = row.small();
    job.max_attempts = row.small();
    if (const auto code = row.optional_text()) {
        // A code that this version does not know (a newer node's, or a downgrade) is still a failure.
        job.error_code = job_error_code_from_string(*code).value_or(JobErrorCode::internal_error);
    }
    job.error_message = row.optional_text().value_or("");
    job.request_id = row.text();
    job.trace = row.optional_text().value_or("");
    return job;
}

Artifact read_artifact(Row auto& row) {
    Artifact artifact;
    artifact.id = row.uuid();
    artifact.account_id = row.uuid();
    artifact.job_id = row.uuid();
    artifact.kind = row.text();
    artifact.content_type = row.text();
    artifact.byte_size = row.integer();
    artifact.width = row.integer();
    artifact.height = row.integer();
    artifact.checksum_sha256 = row.text();
    artifact.metadata_json = row.text();
    artifact.storage_key = row.text();
    artifact.filename = row.text();
    artifact.created_at = row.time();
    artifact.expires_at = row.optional_time();
    return artifact;
}

// The row of the tileset itself; its version's columns and its layers follow.
Tileset read_tileset_head(Row auto& row) {
    Tileset tileset;
    tileset.id = row.uuid();
    tileset.account_id = row.uuid();
    tileset.created_at = row.time();
    tileset.expires_at = row.optional_time();
    return tileset;
}

// Without its layers.
TilesetVersion read_tileset_version(Row auto& row) {
    TilesetVersion version;
    version.version = row.integer();
    version.geometry.format = read_format(row);
    version.geometry.tile_size = row.small();
    version.geometry.width = row.integer();
    version.geometry.height = row.integer();
    version.geometry.min_zoom = row.small();
    version.geometry.max_zoom = row.small();
    version.tile_count = row.integer();
    version.options_json = row.text();
    version.created_at = row.time();
    return version;
}

}  // namespace tessera::metadata
