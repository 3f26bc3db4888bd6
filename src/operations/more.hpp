// A seam for tests. The release binary links no_more.cpp, which adds nothing; a test program that defines this function
// itself has operations of its own beside those that are built in.
#pragma once

namespace tessera::operations {

class Registry;

void add_more(Registry& registry);

}  // namespace tessera::operations
