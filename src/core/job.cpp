#include "core/job.hpp"

namespace tessera {
namespace {

constexpr JobErrorKind error_kinds[] = {
    {JobErrorCode::operation_invalid, "operation_invalid", "the options do not fit this image or tileset", false,
     false},
    {JobErrorCode::source_unavailable, "source_unavailable", "a source asset or tileset was gone when the job ran",
     false, true},
    {JobErrorCode::decode_failed, "decode_failed", "the source image is damaged or not what it claims to be", false,
     false},
    {JobErrorCode::source_too_large, "source_too_large", "the source image is over the limits for decoding", false,
     false},
    {JobErrorCode::output_too_large, "output_too_large", "the result would be over the output limits", false, false},
    {JobErrorCode::artifact_too_large, "artifact_too_large", "the files made are over the plan's byte limit", false,
     false},
    {JobErrorCode::timeout, "timeout", "the work took longer than the service allows", false, false},
    {JobErrorCode::resource_exhausted, "resource_exhausted", "the work needed more memory than the service allows",
     false, false},
    {JobErrorCode::engine_crashed, "engine_crashed", "the image engine stopped while it worked on this job", true,
     true},
    {JobErrorCode::storage_unavailable, "storage_unavailable", "files could not be read or written", true, true},
    {JobErrorCode::internal_error, "internal_error", "a fault of the service", true, true},
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
    return error_kinds;
}

const JobErrorKind& describe(JobErrorCode code) {
    for (const JobErrorKind& kind : error_kinds) {
        if (kind.code == code) return kind;
    }
    return error_kinds[std::size(error_kinds) - 1];
}

std::optional<JobErrorCode> job_error_code_from_string(std::string_view name) {
    for (const JobErrorKind& kind : error_kinds) {
        if (kind.name == name) return kind.code;
    }
    return std::nullopt;
}

}  // namespace tessera
