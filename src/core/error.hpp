// Error: what went wrong, in three parts that never mix. `code` is stable and for programs, `message` is
// for the caller, `detail` is for our own logs. Nothing here knows of HTTP.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tessera {

enum class ErrorCode {
    // The request itself.
    invalid_request,
    unsupported_operation,
    options_required,
    invalid_option,
    invalid_id,
    invalid_idempotency_key,
    invalid_multipart_upload,
    file_required,
    upload_too_large,
    image_too_large,
    unsupported_media_type,
    head_too_large,
    target_too_long,
    body_too_large,
    request_timeout,
    expectation_failed,
    range_not_satisfiable,
    precondition_failed,
    // Who asks.
    missing_api_key,
    invalid_api_key,
    account_suspended,
    permission_denied,
    invalid_signature,
    upload_rejected,
    // What is asked for.
    not_found,
    method_not_allowed,
    asset_not_found,
    job_not_found,
    artifact_not_found,
    tileset_not_found,
    tile_not_found,
    // State and policy.
    conflict,
    idempotency_conflict,
    rate_limited,
    credits_exhausted,
    plan_limit_exceeded,
    in_flight_limit_exceeded,
    worker_capacity_exceeded,
    storage_limit_exceeded,
    // Our side.
    internal_error,
    artifact_unavailable,
    scanning_unavailable,
    storage_unavailable,
    overloaded,
};

// The stable name that clients see as `code`.
std::string_view to_string(ErrorCode code);

struct Error {
    ErrorCode code = ErrorCode::internal_error;
    std::string message;                 // public: shown to the caller
    std::string detail;                  // internal: logged, never sent
    std::optional<int> retry_after_s{};  // set only where waiting helps
};

// An error of our own making, whose cause must not leave the house.
Error internal_error(std::string detail);
// A part we depend on (disk, database, store) did not answer or refused.
Error storage_unavailable(std::string detail);
// `what` plus the text of the current errno.
Error from_errno(std::string_view what);

}  // namespace tessera
