// What a reader of archives takes, whatever an archive says: an archive may be forged, and none may make its reader ask
// for memory or time without bound. Archives worth serving are far below all of these.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tessera::tiles::limits {

inline constexpr std::uint32_t tile_bytes = 8U << 20;  // the pixels of 512 x 512 are 1 MiB
inline constexpr std::size_t metadata_bytes = 2U << 20;
inline constexpr std::size_t patched_areas = 16384;  // a job has 10,000 patches at most
inline constexpr std::size_t directory_entries = std::size_t{1} << 18;
inline constexpr std::size_t directory_bytes = 8U << 20;  // plain
inline constexpr std::size_t own_root_entries = 16384;    // of archives that we wrote

// Leaf directories that are kept in memory, of one archive and of all that are open. Those beyond are read each time.
inline constexpr std::size_t kept_by_archive = 64U << 20;
inline constexpr std::size_t kept_in_all = 256U << 20;

}  // namespace tessera::tiles::limits
