#include "operations/more.hpp"

namespace tessera::operations {

void add_more(Registry&) {}

}  // namespace tessera::operations
