// Jobs and artifacts as clients see them.
#pragma once

#include <string>

#include "service/delivery/artifacts.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::http {

std::string to_json(const service::JobView& view);
std::string to_json(const service::ArtifactView& view);

}  // namespace tessera::http
