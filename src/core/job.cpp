#include "core/job.hpp"

namespace tessera {
namespace {

constexpr JobErrorKind kinds[] = {
    {JobErrorCode::operation_invalid, "operation_invalid", "the options do not fit this image or tileset",
     "correct the options, or use another image", false, false},
    {JobErrorCode::source_unavailable, "source_unavailable", "a source asset or tileset was gone when the job ran",
     "upload the source again and submit the job again", false, true},
    {JobErrorCode::decode_failed, "decode_failed", "the source image is damaged or not what it claims to be",
     "check the image; upload it again if it is whole", false, false},
    {JobErrorCode::source_too_large, "source_too_large", "the source image is over the limits for decoding",
     "use a smaller image; whoever runs the service can raise limits.max_input_megapixels", false, false},
    {JobErrorCode::output_too_large, "output_too_large", "the result would be over the output limits",
     "ask for a smaller result; whoever runs the service can raise limits.max_output_megapixels", false, false},
    {JobErrorCode::artifact_too_large, "artifact_too_large", "the files made are over the plan's byte limit",
     "ask for less, or use a plan with a larger max_artifact_bytes_per_job", false, false},
    {JobErrorCode::timeout, "timeout", "the work took longer than the service allows",
     "ask for less, or split the work; whoever runs the service can raise worker.job_deadline", false, false},
    {JobErrorCode::cancelled, "cancelled", "the job was cancelled before it ended",
     "submit the job again if it is wanted after all", false, false},
    {JobErrorCode::resource_exhausted, "resource_exhausted", "the work needed more memory than the service allows",
     "ask for less; whoever runs the service can raise engine.memory_limit_bytes", false, false},
    {JobErrorCode::engine_crashed, "engine_crashed", "the image engine stopped while it worked on this job",
     "submit the job again; if it stays, report the image", true, true},
    {JobErrorCode::storage_unavailable, "storage_unavailable", "files could not be read or written",
     "submit the job again later", true, true},
    {JobErrorCode::internal_error, "internal_error", "a fault of the service",
     "submit the job again later; if it stays, report its id", true, true},
};

}  // namespace

std::string_view to_string(JobStatus status) {
    switch (status) {
        case JobStatus::queued: return "queued";
        case JobStatus::running: return "running";
        case JobStatus::succeeded: return "succeeded";
        case JobStatus::failed: return "failed";
    }
    return "";
}

std::optional<JobStatus> job_status_from_string(std::string_view name) {
    for (const JobStatus status : {JobStatus::queued, JobStatus::running, JobStatus::succeeded, JobStatus::failed}) {
        if (to_string(status) == name) return status;
    }
    return std::nullopt;
}

std::span<const JobErrorKind> job_error_kinds() {
    return kinds;
}

const JobErrorKind& describe(JobErrorCode code) {
    for (const JobErrorKind& kind : kinds) {
        if (kind.code == code) return kind;
    }
    return kinds[std::size(kinds) - 1];
}

std::optional<JobErrorCode> job_error_code_from_string(std::string_view name) {
    for (const JobErrorKind& kind : kinds) {
        if (kind.name == name) return kind.code;
    }
    return std::nullopt;
}

}  // namespace tessera
