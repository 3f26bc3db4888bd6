// What the client of an upload that gets no turn is told.
#pragma once

#include "core/error.hpp"
#include "core/fair_executor.hpp"

namespace tessera::engine {

Error upload_refused(const FairExecutor::Refused& refused);

}  // namespace tessera::engine
