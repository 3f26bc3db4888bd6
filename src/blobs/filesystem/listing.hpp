// Walks the files of a layout in pages: area by area, folder by folder, by name within a folder.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "blobs/blob_store.hpp"
#include "blobs/filesystem/layout.hpp"
#include "core/result.hpp"

namespace tessera::blobs {

Result<BlobPage> list_files(const Layout& layout, std::string_view prefix, const std::optional<std::string>& from,
                            std::size_t limit);

}  // namespace tessera::blobs
