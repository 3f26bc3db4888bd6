// `tessera engine`: the process that touches pixels. Started by the pool only.
#pragma once

namespace tessera::engine {

// Serves the pool that started it on the descriptor it was given, and returns when that is closed. Never call it with
// anything of value open or in memory.
int child_main();

}  // namespace tessera::engine
