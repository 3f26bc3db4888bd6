// How event streams look for changes.
#pragma once

#include "core/clock.hpp"

namespace tessera::service {

// A change that is committed later than this after it was timed is not found by a look.
inline constexpr Millis look_back{5'000};
// Of one account in one look; more are a gap.
inline constexpr int most_marks = 20'000;

}  // namespace tessera::service
