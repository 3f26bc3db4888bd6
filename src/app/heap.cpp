#include "app/heap.hpp"

#include <malloc.h>

#include <algorithm>
#include <thread>

namespace tessera::app {

void bound_the_heap() {
    // By default eight arenas a core: each keeps what its busiest moment needed, and never lends it to another.
    ::mallopt(M_ARENA_MAX, std::max(2, static_cast<int>(std::thread::hardware_concurrency())));
    // Fixed, because the library otherwise raises them with the largest block freed, and keeps as much for good.
    ::mallopt(M_MMAP_THRESHOLD, 512 << 10);
    ::mallopt(M_TRIM_THRESHOLD, 1 << 20);
}

}  // namespace tessera::app
