// Jobs and artifacts as clients see them.
#pragma once

#include <string>

#include "service/delivery/artifacts.hpp"
#include "service/jobs/job_lists.hpp"
#include "service/jobs/jobs.hpp"

namespace tessera::http {

std::string to_json(const service::JobView& view);
std::string to_json(const service::ArtifactView& view);
// With what the interface's own routes do not tell: credits, progress, the tileset, when artifacts expire.
std::string to_json(const service::ListedJobs& listed);

}  // namespace tessera::http
