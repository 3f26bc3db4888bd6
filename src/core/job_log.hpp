// Log lines about a job. Every one names the request that made it, its trace, its account and the job, so that one
// search finds all that became of a request.
#pragma once

#include <initializer_list>
#include <string_view>

#include "core/job.hpp"
#include "core/log.hpp"
#include "core/trace.hpp"

namespace tessera {

struct JobNames {
    std::string_view request_id;  // empty: not known, and left out
    std::string_view trace_id;    // the same
    Uuid account_id;
    Uuid job_id;
};

inline JobNames names_of(const Job& job) {
    return {job.request_id, trace_id_in(job.trace), job.account_id, job.id};
}

void log_job(log::Level level, std::string_view event, const JobNames& names, std::initializer_list<log::Field> fields);

}  // namespace tessera
