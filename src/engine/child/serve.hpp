// The work loop of an engine, inside its sandbox.
#pragma once

#include "engine/child/child_channel.hpp"

namespace tessera::engine {

// Takes tasks from the host one by one until the host closes the channel. `folder` is the open directory that task
// folders are made in.
void serve(const ChildChannel& channel, int folder, int threads);

}  // namespace tessera::engine
