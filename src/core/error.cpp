#include "core/error.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

// A database or store that went away is back in seconds, or somebody is at work on it.
constexpr int retry_storage_after_s = 2;

}  // namespace

std::string_view to_string(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_request: return "invalid_request";
        case ErrorCode::unsupported_operation: return "unsupported_operation";
        case ErrorCode::options_required: return "options_required";
        case ErrorCode::invalid_option: return "invalid_option";
        case ErrorCode::invalid_id: return "invalid_id";
        case ErrorCode::invalid_idempotency_key: return "invalid_idempotency_key";
        case ErrorCode::invalid_multipart_upload: return "invalid_multipart_upload";
        case ErrorCode::file_required: return "file_required";
        case ErrorCode::upload_too_large: return "upload_too_large";
        case ErrorCode::image_too_large: return "image_too_large";
        case ErrorCode::unsupported_media_type: return "unsupported_media_type";
        case ErrorCode::head_too_large: return "head_too_large";
        case ErrorCode::target_too_long: return "target_too_long";
        case ErrorCode::body_too_large: return "body_too_large";
        case ErrorCode::request_timeout: return "request_timeout";
        case ErrorCode::expectation_failed: return "expectation_failed";
        case ErrorCode::range_not_satisfiable: return "range_not_satisfiable";
        case ErrorCode::precondition_failed: return "precondition_failed";
        case ErrorCode::missing_api_key: return "missing_api_key";
        case ErrorCode::invalid_api_key: return "invalid_api_key";
        case ErrorCode::account_suspended: return "account_suspended";
        case ErrorCode::permission_denied: return "permission_denied";
        case ErrorCode::invalid_signature: return "invalid_signature";
        case ErrorCode::upload_rejected: return "upload_rejected";
        case ErrorCode::not_found: return "not_found";
        case ErrorCode::method_not_allowed: return "method_not_allowed";
        case ErrorCode::asset_not_found: return "asset_not_found";
        case ErrorCode::job_not_found: return "job_not_found";
        case ErrorCode::artifact_not_found: return "artifact_not_found";
        case ErrorCode::tileset_not_found: return "tileset_not_found";
        case ErrorCode::tile_not_found: return "tile_not_found";
        case ErrorCode::conflict: return "conflict";
        case ErrorCode::idempotency_conflict: return "idempotency_conflict";
        case ErrorCode::rate_limited: return "rate_limited";
        case ErrorCode::credits_exhausted: return "credits_exhausted";
        case ErrorCode::plan_limit_exceeded: return "plan_limit_exceeded";
        case ErrorCode::in_flight_limit_exceeded: return "in_flight_limit_exceeded";
        case ErrorCode::worker_capacity_exceeded: return "worker_capacity_exceeded";
        case ErrorCode::storage_limit_exceeded: return "storage_limit_exceeded";
        case ErrorCode::internal_error: return "internal_error";
        case ErrorCode::artifact_unavailable: return "artifact_unavailable";
        case ErrorCode::scanning_unavailable: return "scanning_unavailable";
        case ErrorCode::storage_unavailable: return "storage_unavailable";
        case ErrorCode::overloaded: return "overloaded";
    }
    return "internal_error";
}

Error internal_error(std::string detail) {
    return {ErrorCode::internal_error, "internal error", std::move(detail)};
}

Error storage_unavailable(std::string detail) {
    return {ErrorCode::storage_unavailable, "storage is unavailable, try again later", std::move(detail),
            retry_storage_after_s};
}

Error from_errno(std::string_view what) {
    const int number = errno;
    return storage_unavailable(std::string(what) + ": " + std::generic_category().message(number));
}

}  // namespace tessera
