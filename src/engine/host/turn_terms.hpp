// By which terms accounts take turns with probes and with previews.
#pragma once

#include "core/fair_executor.hpp"
#include "engine/host/pool.hpp"

namespace tessera::engine {

FairTerms terms_of_turns(const PoolConfig& config);
FairTerms terms_of_previews(const PoolConfig& config);

}  // namespace tessera::engine
