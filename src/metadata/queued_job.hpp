// A job as its account sees it the moment it is accepted: what the submission gave, and nothing that only work brings.
#pragma once

#include "core/job.hpp"

namespace tessera::metadata {

inline Job as_queued(const Job& wanted, Timestamp now) {
    Job job;
    job.id = wanted.id;
    job.account_id = wanted.account_id;
    job.asset_id = wanted.asset_id;
    job.tileset_id = wanted.tileset_id;
    job.operation = wanted.operation;
    job.options_json = wanted.options_json;
    job.heavy = wanted.heavy;
    job.credits = wanted.credits;
    job.max_attempts = wanted.max_attempts;
    job.request_id = wanted.request_id;
    job.trace = wanted.trace;
    job.queued_at = now;
    job.updated_at = now;
    return job;
}

}  // namespace tessera::metadata
