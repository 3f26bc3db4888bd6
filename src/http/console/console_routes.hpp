// The console: its page at `/` for browsers that go there, and its files under /console/assets, which never change.
#pragma once

#include <span>
#include <vector>

#include "http/console/console_files.hpp"
#include "http/routing/route.hpp"

namespace tessera::http {

// None where there are no files. The files outlive the routes.
std::vector<Route> console_routes(std::span<const ConsoleFile> files);

}  // namespace tessera::http
