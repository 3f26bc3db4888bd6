// Error: what went wrong, in parts that never mix. `code` is stable and for programs, `message` says to the caller what
// happened, `hint` what the rule is and what to do, `detail` is for our own logs. Nothing here knows of HTTP.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/clock.hpp"

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

inline constexpr std::size_t error_code_count = static_cast<std::size_t>(ErrorCode::overloaded) + 1;  // the last

// One row for each code. Error bodies, the OpenAPI document and docs/errors.md are made from them.
struct ErrorKind {
    ErrorCode code;
    std::string_view name;     // what clients see as `code`
    std::string_view meaning;  // what happened, for the page of errors
    std::string_view remedy;   // what to do about it
};
std::span<const ErrorKind> error_kinds();
const ErrorKind& describe(ErrorCode code);
inline std::string_view to_string(ErrorCode code) {
    return describe(code).name;
}

// A limit that a request met, in numbers: what programs read instead of the sentence.
struct LimitMet {
    std::string name;       // as the plan or the configuration calls it
    std::string_view unit;  // a literal: "bytes", "megapixels"
    std::int64_t allowed = 0;
    std::optional<std::int64_t> asked{};   // what the request needs
    std::optional<std::int64_t> left{};    // of what is allowed
    std::optional<Timestamp> resets_at{};  // when all of it is there again
};

struct Error {
    ErrorCode code = ErrorCode::internal_error;
    std::string message;                 // public: what happened; the interface's own words where it has some
    std::string detail;                  // internal: logged, never sent
    std::optional<int> retry_after_s{};  // set only where waiting helps
    std::string hint{};                  // public: the rule, and what to do; empty: the remedy of the code's row
    std::optional<LimitMet> limit{};     // public: set where a limit was met

    [[nodiscard]] Error with_hint(std::string text) &&;
    [[nodiscard]] Error with_limit(LimitMet met) &&;
};

// An error of our own making, whose cause must not leave the house.
Error internal_error(std::string detail);
// A part we depend on (disk, database, store) did not answer or refused.
Error storage_unavailable(std::string detail);
// The same failure in the words that a route has for it. Where waiting helps, it goes on saying so.
Error reworded(const Error& cause, ErrorCode code, std::string message, std::string_view where = {});
// `what` plus the text of the current errno.
Error from_errno(std::string_view what);

}  // namespace tessera
