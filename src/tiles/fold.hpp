// Folds the layers of a version into one archive. Tiles are copied as they are; nothing is decoded.
#pragma once

#include "tiles/archive_writer.hpp"
#include "tiles/patcher.hpp"

namespace tessera::tiles {

// `layers` topmost first; all must be ours and of one geometry. On failure no file is left.
Result<ArchiveSummary> fold(const Layers& layers, const std::filesystem::path& path);

}  // namespace tessera::tiles
