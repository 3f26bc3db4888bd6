// How a child that ends by itself says why.
#pragma once

namespace tessera::engine {

inline constexpr int exit_out_of_memory = 77;  // an allocation failed where no error could be returned
inline constexpr int exit_cannot_start = 78;

}  // namespace tessera::engine
