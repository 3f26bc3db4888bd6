// What nodes tell each other of jobs that changed, as payloads of NOTIFY: entries of one length, as many as fit.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metadata/store.hpp"

namespace tessera::metadata::postgres {

std::vector<std::string> job_messages(std::span<const JobChange> changes);
// None where it is not understood, such as one of a newer node: some were missed then.
std::vector<JobChange> parse_job_message(std::string_view payload);

}  // namespace tessera::metadata::postgres
