// GET /problems/{code}: what the `type` of problem details leads to.
#pragma once

#include <vector>

#include "http/routing/route.hpp"

namespace tessera::http {

std::vector<Route> problem_routes();

}  // namespace tessera::http
