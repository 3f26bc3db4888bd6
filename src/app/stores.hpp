// Opens the backends that the configuration names: the one place that knows which there are.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "core/clock.hpp"
#include "core/disk_floor.hpp"
#include "core/result.hpp"

namespace tessera::blobs {
class BlobStore;
}
namespace tessera::metadata {
class Store;
}

namespace tessera::app {

struct MetadataUse {
    std::string actor = "service";  // who the audit trail says did what is done through it
    bool create = true;             // make the database where there is none; otherwise that is `not_found`
};

// Opens and migrates the database.
Result<std::unique_ptr<metadata::Store>> open_metadata(const Config& config, const DataFolder& folder,
                                                       const Clock& clock, const MetadataUse& use = {});

// The file of the embedded database; nothing where it is PostgreSQL.
std::optional<std::filesystem::path> database_file(const Config& config, const DataFolder& folder);

// The folder that has blobs/; nothing where they are in S3.
std::optional<std::filesystem::path> blobs_folder(const Config& config, const DataFolder& folder);

Result<std::unique_ptr<blobs::BlobStore>> open_blobs(const Config& config, const DataFolder& folder);

// The folders that this node writes to, by what they are for.
struct DiskFolder {
    std::string name;
    std::string path;
};
std::vector<DiskFolder> disk_folders(const Config& config, const DataFolder& folder);

// What must stay free on their disks.
DiskFloor disk_floor(const Config& config, const DataFolder& folder);

// Applies the plans of `plans.file`, or the built-in ones where there are no plans yet.
Result<void> apply_configured_plans(metadata::Store& store, const PlansConfig& config);

}  // namespace tessera::app
