// Threads that work only with what nobody else wants of a processor.
#pragma once

namespace tessera {

// Enough that whoever comes later has nine tenths of a core that a helper was on, and little enough that a helper which
// holds up its own job is not held up for long.
inline constexpr int helper_niceness = 10;

// The calling thread becomes such a one, for good. One that is nicer already stays as it is.
void give_way();

}  // namespace tessera
