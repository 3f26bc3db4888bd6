// Error: what went wrong, in parts that never mix. `code` is stable and for programs, `message` says to the caller what
// happened, `hint` what the rule is and what to do, `detail` is for our own logs. Nothing here knows of HTTP.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/clock.hpp"

namespace tessera {

// A row of the table of errors. Error bodies, the OpenAPI document and docs/errors.md are made from them. A code is the
// place of its row, so that a copy would be another code: there are none.
struct ErrorKind {
    constexpr ErrorKind(std::string_view called, std::string_view meant, std::string_view what_to_do)
        : name(called), meaning(meant), remedy(what_to_do) {}
    ErrorKind(const ErrorKind&) = delete;
    ErrorKind& operator=(const ErrorKind&) = delete;
    ErrorKind(ErrorKind&&) = delete;
    ErrorKind& operator=(ErrorKind&&) = delete;
    ~ErrorKind() = default;

    std::string_view name;     // what clients see as `code`
    std::string_view meaning;  // what happened, for the page of errors
    std::string_view remedy;   // what to do about it
};

// Which row it is. Rows of the service are named here; a protocol that clients speak to us may have rows of its own.
class ErrorCode {
  public:
    constexpr ErrorCode(const ErrorKind& kind) : kind_(&kind) {}  // NOLINT(google-explicit-constructor): is the row
    constexpr ErrorCode(const ErrorKind&&) = delete;

    [[nodiscard]] constexpr const ErrorKind& kind() const { return *kind_; }
    friend constexpr bool operator==(ErrorCode, ErrorCode) = default;

    // The request itself.
    static const ErrorKind invalid_request;
    static const ErrorKind unsupported_operation;
    static const ErrorKind options_required;
    static const ErrorKind invalid_option;
    static const ErrorKind invalid_id;
    static const ErrorKind invalid_idempotency_key;
    static const ErrorKind invalid_multipart_upload;
    static const ErrorKind file_required;
    static const ErrorKind upload_too_large;
    static const ErrorKind image_too_large;
    static const ErrorKind unsupported_media_type;
    // Who asks.
    static const ErrorKind missing_api_key;
    static const ErrorKind invalid_api_key;
    static const ErrorKind account_suspended;
    static const ErrorKind permission_denied;
    static const ErrorKind invalid_signature;
    static const ErrorKind upload_rejected;
    // What is asked for.
    static const ErrorKind not_found;
    static const ErrorKind asset_not_found;
    static const ErrorKind job_not_found;
    static const ErrorKind artifact_not_found;
    static const ErrorKind tileset_not_found;
    static const ErrorKind tile_not_found;
    // State and policy.
    static const ErrorKind conflict;
    static const ErrorKind idempotency_conflict;
    static const ErrorKind rate_limited;
    static const ErrorKind credits_exhausted;
    static const ErrorKind plan_limit_exceeded;
    static const ErrorKind in_flight_limit_exceeded;
    static const ErrorKind event_streams_exceeded;
    static const ErrorKind worker_capacity_exceeded;
    static const ErrorKind storage_limit_exceeded;
    // Our side.
    static const ErrorKind internal_error;
    static const ErrorKind artifact_unavailable;
    static const ErrorKind scanning_unavailable;
    static const ErrorKind storage_unavailable;
    static const ErrorKind overloaded;

  private:
    const ErrorKind* kind_;
};

inline const ErrorKind& describe(ErrorCode code) {
    return code.kind();
}
inline std::string_view to_string(ErrorCode code) {
    return code.kind().name;
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
