// How a long-lived process uses the C library's heap: so that memory freed is memory given back, or used again.
#pragma once

namespace tessera::app {

// Before the first thread is made.
void bound_the_heap();

}  // namespace tessera::app
