// Reads what an image's header says, without decoding a pixel. For the engine's child only: these are hostile bytes.
#pragma once

#include <cstdint>
#include <optional>

#include "core/asset.hpp"
#include "core/job.hpp"
#include "core/result.hpp"

namespace tessera::imaging {

struct HeaderLimits {
    std::optional<std::int64_t> max_edge;
    std::optional<std::int64_t> max_pixels;
};

// The loader is chosen from our own sniff of the first bytes. Errors: decode_failed (with a reason for the client),
// source_too_large, resource_exhausted, storage_unavailable.
Result<ImageInfo, JobError> probe(int file, const HeaderLimits& limits);

}  // namespace tessera::imaging
