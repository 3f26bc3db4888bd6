#include "http/message/problems.hpp"

#include <algorithm>
#include <iterator>

#include "core/picture_error.hpp"

namespace tessera::http {
namespace {

constexpr Problem table[] = {
    // The request itself.
    {ErrorCode::invalid_request, 400},
    {ErrorCode::unsupported_operation, 400},
    {ErrorCode::options_required, 400},
    {ErrorCode::invalid_option, 400},
    {ErrorCode::invalid_id, 400},
    {ErrorCode::invalid_idempotency_key, 400},
    {ErrorCode::invalid_multipart_upload, 400},
    {ErrorCode::file_required, 400},
    {ErrorCode::upload_too_large, 400},
    {ErrorCode::image_too_large, 400},
    {ErrorCode::unsupported_media_type, 415},
    {PictureError::not_implemented, 501},
    {ProtocolError::head_too_large, 431},
    {ProtocolError::target_too_long, 414},
    {ProtocolError::body_too_large, 413},
    {ProtocolError::request_timeout, 408},
    {ProtocolError::expectation_failed, 417},
    {ProtocolError::range_not_satisfiable, 416},
    // Who asks.
    {ErrorCode::missing_api_key, 401},
    {ErrorCode::invalid_api_key, 401},
    {ErrorCode::account_suspended, 401},
    {ConsoleError::invalid_credentials, 401},
    {ConsoleError::not_signed_in, 401},
    {ErrorCode::permission_denied, 403},
    {ErrorCode::invalid_signature, 403},
    {ErrorCode::upload_rejected, 403},
    {ConsoleError::cross_site_request, 403},
    // What is asked for.
    {ErrorCode::not_found, 404},
    {ProtocolError::method_not_allowed, 405},
    {ErrorCode::asset_not_found, 404},
    {ErrorCode::job_not_found, 404},
    {ErrorCode::artifact_not_found, 404},
    {ErrorCode::tileset_not_found, 404},
    {ErrorCode::tile_not_found, 404},
    // State and policy.
    {ErrorCode::conflict, 409},
    {ErrorCode::idempotency_conflict, 409},
    {ErrorCode::rate_limited, 429},
    {ErrorCode::credits_exhausted, 429},
    {ErrorCode::plan_limit_exceeded, 429},
    {ErrorCode::in_flight_limit_exceeded, 429},
    {ErrorCode::event_streams_exceeded, 429},
    {ErrorCode::worker_capacity_exceeded, 429},
    {ErrorCode::storage_limit_exceeded, 429},
    // Our side.
    {ErrorCode::internal_error, 500},
    {ErrorCode::artifact_unavailable, 500},
    {ErrorCode::scanning_unavailable, 503},
    {ErrorCode::storage_unavailable, 503},
    {ErrorCode::overloaded, 503},
};
static_assert(std::size(table) == problem_count);

const Problem* find(ErrorCode code) {
    return std::ranges::find(table, code, &Problem::code);
}

}  // namespace

constinit const ErrorKind ProtocolError::head_too_large{
    "head_too_large", "the headers of the request are too long, or too many", "send fewer or shorter headers"};
constinit const ErrorKind ProtocolError::target_too_long{
    "target_too_long", "the path and query of the request are too long", "use addresses as the service gives them"};
constinit const ErrorKind ProtocolError::body_too_large{"body_too_large", "the body is larger than this route takes",
                                                        "send a smaller body; files go to POST /v1/assets"};
constinit const ErrorKind ProtocolError::request_timeout{"request_timeout", "the request came too slowly",
                                                         "send it again, without pauses"};
constinit const ErrorKind ProtocolError::expectation_failed{
    "expectation_failed", "the `Expect` header asks for something other than `100-continue`",
    "leave the Expect header out"};
constinit const ErrorKind ProtocolError::range_not_satisfiable{
    "range_not_satisfiable", "the `Range` header asks for bytes beyond the end",
    "ask for bytes within the size that Content-Range tells"};
constinit const ErrorKind ProtocolError::method_not_allowed{"method_not_allowed", "the route does not take this method",
                                                            "use a method that the Allow header names"};

constinit const ErrorKind ConsoleError::invalid_credentials{
    "invalid_credentials", "there is no such operator, or that is not the password",
    "check the name and the password; whoever runs the service can set a new one with tessera admin operator password"};
constinit const ErrorKind ConsoleError::not_signed_in{
    "not_signed_in", "the request brings no session of an operator, or one that is over", "sign in again"};
constinit const ErrorKind ConsoleError::cross_site_request{
    "cross_site_request", "the request does not come from the console's own pages",
    "send the header X-Tessera-Console: 1, from a page of the same origin"};

std::span<const Problem> problems() {
    return table;
}

std::size_t place_of(ErrorCode code) {
    const Problem* found = find(code);
    if (found == std::end(table)) found = find(ErrorCode::internal_error);
    return static_cast<std::size_t>(found - std::begin(table));
}

int status_of(ErrorCode code) {
    return table[place_of(code)].status;
}

}  // namespace tessera::http
