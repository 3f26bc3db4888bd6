// `tessera worker`: a node that runs jobs and takes no requests.
#pragma once

namespace tessera::app {

struct LoadedConfig;

// Returns the exit code; what prevents the start is thrown as CommandFailed.
int work(const LoadedConfig& loaded);

}  // namespace tessera::app
