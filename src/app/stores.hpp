// Opens the backends that the configuration names: the one place that knows which there are.
#pragma once

#include <memory>
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

// Opens and migrates the database. `actor` is who the audit trail says did what is done through it.
Result<std::unique_ptr<metadata::Store>> open_metadata(const Config& config, const DataFolder& folder,
                                                       const Clock& clock, const std::string& actor = "service");

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
