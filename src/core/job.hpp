// Jobs and the artifacts that they yield.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/clock.hpp"
#include "core/result.hpp"
#include "core/uuid.hpp"

namespace tessera {

enum class JobStatus { queued, running, succeeded, failed };

std::string_view to_string(JobStatus status);
// It stays as it is: no attempt will follow.
constexpr bool has_ended(JobStatus status) {
    return status == JobStatus::succeeded || status == JobStatus::failed;
}
std::optional<JobStatus> job_status_from_string(std::string_view name);

// Why an accepted job failed. This is the one list: the docs and the OpenAPI document are made from it.
enum class JobErrorCode {
    operation_invalid,
    source_unavailable,
    decode_failed,
    source_too_large,
    output_too_large,
    artifact_too_large,
    timeout,
    cancelled,
    resource_exhausted,
    engine_crashed,
    storage_unavailable,
    internal_error,
};

struct JobErrorKind {
    JobErrorCode code;
    std::string_view name;
    std::string_view meaning;
    std::string_view remedy;  // what the job's owner can do
    bool may_pass;            // worth another attempt
    bool service_fault;       // the credits are given back when the job ends with it
};
std::span<const JobErrorKind> job_error_kinds();
const JobErrorKind& describe(JobErrorCode code);
std::optional<JobErrorCode> job_error_code_from_string(std::string_view name);

struct JobError {
    JobErrorCode code = JobErrorCode::internal_error;
    std::string message;  // public
    std::string detail;   // for our logs
};
template <typename T>
using JobResult = Result<T, JobError>;

inline constexpr int default_max_attempts = 3;

struct Artifact {
    Uuid id;
    Uuid account_id;
    Uuid job_id;
    std::string kind = "primary";
    std::string content_type;
    std::int64_t byte_size = 0;
    std::int64_t width = 0;
    std::int64_t height = 0;
    std::string checksum_sha256;
    std::string metadata_json = "{}";
    std::string storage_key;
    std::string filename;  // what a browser saves it as
    Timestamp created_at;
    std::optional<Timestamp> expires_at;
};

struct Job {
    Uuid id;
    Uuid account_id;
    std::optional<Uuid> asset_id;
    std::optional<Uuid> tileset_id;  // jobs that name the same tileset run one at a time, in order
    std::string operation;
    JobStatus status = JobStatus::queued;
    std::string options_json = "{}";  // as accepted, defaults filled in
    std::string result_json = "{}";
    double progress = 0;
    bool heavy = false;  // kept out of the lane for light jobs
    std::int64_t credits = 0;
    Timestamp queued_at;
    std::optional<Timestamp> started_at;
    std::optional<Timestamp> completed_at;
    Timestamp updated_at;
    int attempt_count = 0;
    int max_attempts = default_max_attempts;
    std::optional<JobErrorCode> error_code;
    std::string error_message;
    std::string request_id;  // of the request that made it, for the log; empty where it was made before that was kept
    std::string trace;       // where in a trace that request is, as core/trace.hpp stores it; empty likewise
    std::vector<Artifact> artifacts;
};

}  // namespace tessera
