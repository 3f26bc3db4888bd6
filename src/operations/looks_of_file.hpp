// How alike a file that was written looks to what it was made of.
#pragma once

#include <filesystem>

#include "core/image_format.hpp"
#include "imaging/looks/compare.hpp"
#include "imaging/pixels/image.hpp"

namespace tessera::operations {

// `reference` is eight-bit sRGB in memory.
JobResult<imaging::Comparison> looks_of_file(const imaging::Image& reference, const std::filesystem::path& path,
                                             ImageFormat format);

}  // namespace tessera::operations
