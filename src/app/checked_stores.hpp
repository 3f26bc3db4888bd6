// The backends of the configuration as a check sees them: on connections of their own, past all caches, and nothing is
// made or swept.
#pragma once

#include <memory>

#include "app/config/config.hpp"
#include "app/data_folder.hpp"
#include "core/clock.hpp"
#include "core/result.hpp"

namespace tessera::blobs {
class Inspector;
}
namespace tessera::metadata {
class Inventory;
}

namespace tessera::app {

// The clock must outlive it.
Result<std::unique_ptr<metadata::Inventory>> open_inventory(const Config& config, const DataFolder& folder,
                                                            const Clock& clock);
Result<std::unique_ptr<blobs::Inspector>> open_inspector(const Config& config, const DataFolder& folder);

}  // namespace tessera::app
