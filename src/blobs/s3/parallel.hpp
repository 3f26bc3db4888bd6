// A few steps at a time, each on a thread of its own.
#pragma once

#include <cstddef>
#include <functional>

#include "core/result.hpp"

namespace tessera::blobs {

// Calls step(0) … step(count - 1), up to `width` at once. After an error no further ones begin; the first error comes
// back.
Result<void> in_parallel(std::size_t count, std::size_t width, const std::function<Result<void>(std::size_t)>& step);

}  // namespace tessera::blobs
