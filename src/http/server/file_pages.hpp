// Keeps loops from waiting for a disk: is a part of a file in the page cache, and if not, bring it there.
#pragma once

#include <cstdint>

namespace tessera::http {

// Asks the kernel about both ends of the part. Where it can't tell, the answer is yes.
bool is_in_memory(int file, std::uint64_t offset, std::uint64_t length);

// Reads it in; blocks. False when the file can't be read.
bool bring_into_memory(int file, std::uint64_t offset, std::uint64_t length);

}  // namespace tessera::http
