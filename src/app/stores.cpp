#include "app/stores.hpp"

#include "app/checked_stores.hpp"
#include "app/plans_file.hpp"
#include "app/trouble.hpp"
#include "blobs/filesystem/filesystem_store.hpp"
#include "blobs/inspector.hpp"
#include "blobs/s3/s3_store.hpp"
#include "metadata/inventory.hpp"
#include "metadata/plans.hpp"
#include "metadata/store.hpp"

namespace tessera::app {
namespace {

constexpr std::string_view sqlite_prefix = "sqlite:";
constexpr std::string_view file_prefix = "file:";

// Where the store is comes from its address; how to use it from keys of their own.
blobs::S3Config with_keys(blobs::S3Config s3, const blobs::S3Config& keys) {
    if (!keys.access_key_id.empty()) s3.access_key_id = keys.access_key_id;
    if (!keys.secret_access_key.empty()) s3.secret_access_key = keys.secret_access_key;
    s3.cache_bytes = keys.cache_bytes;
    s3.memory_cache_bytes = keys.memory_cache_bytes;
    s3.object_cache_bytes = keys.object_cache_bytes;
    s3.part_bytes = keys.part_bytes;
    s3.attempts = keys.attempts;
    s3.connect_timeout = keys.connect_timeout;
    s3.stall_timeout = keys.stall_timeout;
    return s3;
}

}  // namespace

std::optional<std::filesystem::path> database_file(const Config& config, const DataFolder& folder) {
    const std::string& url = config.metadata.url;
    if (url == "sqlite") return folder.database();
    if (url.starts_with(sqlite_prefix)) return url.substr(sqlite_prefix.size());
    return std::nullopt;
}

Result<std::unique_ptr<metadata::Store>> open_metadata(const Config& config, const DataFolder& folder,
                                                       const Clock& clock, const MetadataUse& use) {
    if (const auto file = database_file(config, folder)) {
        const std::string path = file->string();
        std::error_code ignored;
        if (!use.create && !std::filesystem::exists(path, ignored)) {
            return Error{ErrorCode::not_found, "there is no database " + path, {}};
        }
        metadata::SqliteOptions options;
        options.create = use.create;
        if (config.metadata.connections > 0) options.readers = static_cast<int>(config.metadata.connections);
        options.actor = use.actor;
        auto store = metadata::open_sqlite(path, clock, options);
        if (!store) return trouble("metadata.url: can't open the database " + path + ": " + told(store.error()));
        return store;
    }
    metadata::PostgresOptions options;
    if (config.metadata.connections > 0) options.connections = static_cast<int>(config.metadata.connections);
    options.actor = use.actor;
    options.create = use.create;
    auto store = metadata::open_postgres(config.metadata.url, options);
    if (!store && store.error().code == ErrorCode::not_found) {
        return Error{ErrorCode::not_found, "the database that metadata.url names holds no tables of Tessera", {}};
    }
    // The address may hold a password: it is not repeated.
    if (!store) return trouble("can't use the database that metadata.url names: " + told(store.error()));
    return store;
}

std::optional<std::filesystem::path> blobs_folder(const Config& config, const DataFolder& folder) {
    const std::string& url = config.blobs.url;
    if (url == "file") return folder.path();
    if (url.starts_with(file_prefix)) return url.substr(file_prefix.size());
    return std::nullopt;
}

Result<std::unique_ptr<blobs::BlobStore>> open_blobs(const Config& config, const DataFolder& folder) {
    if (const auto path = blobs_folder(config, folder)) {
        auto store = blobs::open_filesystem_store(*path);
        if (!store)
            return trouble("blobs.url: can't use the blob store in " + path->string() + ": " + told(store.error()));
        return store;
    }
    Result<blobs::S3Config> s3 = blobs::parse_s3_url(config.blobs.url);
    if (!s3) return trouble("blobs.url: " + told(s3.error()));
    auto store = blobs::open_s3_store(with_keys(std::move(*s3), config.blobs.s3), folder.path());
    if (!store) return trouble("can't use the blob store that blobs.url names: " + told(store.error()));
    return store;
}

Result<std::unique_ptr<metadata::Inventory>> open_inventory(const Config& config, const DataFolder& folder,
                                                            const Clock& clock) {
    if (const auto file = database_file(config, folder)) return metadata::open_sqlite_inventory(file->string(), clock);
    return metadata::open_postgres_inventory(config.metadata.url);
}

Result<std::unique_ptr<blobs::Inspector>> open_inspector(const Config& config, const DataFolder& folder) {
    if (const auto path = blobs_folder(config, folder)) return blobs::inspect_files(*path);
    Result<blobs::S3Config> s3 = blobs::parse_s3_url(config.blobs.url);
    if (!s3) return s3.error();
    return blobs::inspect_s3(with_keys(std::move(*s3), config.blobs.s3));
}

std::vector<DiskFolder> disk_folders(const Config& config, const DataFolder& folder) {
    std::vector<DiskFolder> folders{{"data", folder.path().string()}};
    if (config.blobs.url.starts_with(file_prefix)) {
        folders.push_back({"blobs", config.blobs.url.substr(file_prefix.size())});
    }
    return folders;
}

DiskFloor disk_floor(const Config& config, const DataFolder& folder) {
    std::vector<std::string> paths;
    for (DiskFolder& each : disk_folders(config, folder)) paths.push_back(std::move(each.path));
    return {std::move(paths), config.storage.min_free_bytes};
}

Result<void> apply_configured_plans(metadata::Store& store, const PlansConfig& config) {
    const Result<std::vector<Plan>> present = store.plans().all();
    if (!present) return present.error();
    if (config.file.empty()) {
        if (!present->empty()) return {};
        return store.plans().apply(built_in_plans());
    }
    const Result<std::vector<Plan>> wanted = read_plans_file(config.file);
    if (!wanted) return trouble("plans.file: " + told(wanted.error()));
    if (*wanted == *present) return {};
    return store.plans().apply(*wanted);
}

}  // namespace tessera::app
