#include "core/error.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

namespace tessera {
namespace {

// A database or store that went away is back in seconds, or somebody is at work on it.
constexpr int retry_storage_after_s = 2;

}  // namespace

constinit const ErrorKind ErrorCode::invalid_request{
    "invalid_request", "the request is malformed, or could be read in two ways",
    "correct what the error names; /openapi.json describes every request"};
constinit const ErrorKind ErrorCode::unsupported_operation{"unsupported_operation",
                                                           "`operation` is missing, or names none that there is",
                                                           "name one of the operations that there are"};
constinit const ErrorKind ErrorCode::options_required{"options_required", "`options` is missing, or is no object",
                                                      "send options as a JSON object: {} where every default will do"};
constinit const ErrorKind ErrorCode::invalid_option{
    "invalid_option", "an option is unknown, missing, or has a value that it can't have",
    "correct the option that the error names; /openapi.json has the options of every operation"};
constinit const ErrorKind ErrorCode::invalid_id{"invalid_id", "an id is no UUID",
                                                "ids are UUIDs: use them as the service gave them"};
constinit const ErrorKind ErrorCode::invalid_idempotency_key{
    "invalid_idempotency_key", "the `Idempotency-Key` header is not as it must be",
    "use 8 to 128 characters, each a letter, a digit, '.', '_', ':' or '-'"};
constinit const ErrorKind ErrorCode::invalid_multipart_upload{
    "invalid_multipart_upload", "the body of an upload is no well-formed form",
    "send multipart/form-data with the image in a part called file, as curl -F file=@picture.jpg does"};
constinit const ErrorKind ErrorCode::file_required{
    "file_required", "the form of an upload has no part called `file`, or an empty one",
    "send the image in a part called file, as curl -F file=@picture.jpg does"};
constinit const ErrorKind ErrorCode::upload_too_large{
    "upload_too_large", "the file is larger than the plan or the service takes",
    "make the file smaller, or use a plan with a larger max_upload_bytes"};
constinit const ErrorKind ErrorCode::image_too_large{
    "image_too_large", "the image has more pixels than the plan takes, or than are shown in parts",
    "make the picture smaller, or use a plan with a larger max_input_edge_pixels and max_input_megapixels; to show an "
    "asset, tile it"};
constinit const ErrorKind ErrorCode::unsupported_media_type{
    "unsupported_media_type", "the file is no image of a supported format, or a damaged one",
    "send a whole jpeg, png, webp, gif, avif, heif or jxl file"};
constinit const ErrorKind ErrorCode::missing_api_key{
    "missing_api_key", "the request brings no key",
    "send the key as 'Authorization: Bearer KEY' or as 'X-API-Key: KEY'"};
constinit const ErrorKind ErrorCode::invalid_api_key{
    "invalid_api_key", "the key is unknown, revoked, expired, or not for use from this address",
    "check that the key is complete, and ask whoever issued it whether it is still good and where it may be used"};
constinit const ErrorKind ErrorCode::account_suspended{"account_suspended",
                                                       "the key is good, but its account is suspended",
                                                       "ask whoever runs the service to resume the account"};
constinit const ErrorKind ErrorCode::permission_denied{"permission_denied",
                                                       "the role of the key does not allow it, or the account "
                                                       "lacks the feature",
                                                       "use a key whose role allows it"};
constinit const ErrorKind ErrorCode::invalid_signature{
    "invalid_signature", "the signed address has expired, or is not as it was given",
    "read the artifact or the job again for a new address, and use it unchanged"};
constinit const ErrorKind ErrorCode::upload_rejected{"upload_rejected", "the scanner flagged the file",
                                                     "do not send this file again"};
constinit const ErrorKind ErrorCode::not_found{"not_found", "there is no such route",
                                               "check the path; /openapi.json lists all routes"};
constinit const ErrorKind ErrorCode::asset_not_found{"asset_not_found",
                                                     "the account has no such asset, or it has expired",
                                                     "check the id and the key's account, or upload the image again"};
constinit const ErrorKind ErrorCode::job_not_found{
    "job_not_found", "the account has no such job, or it was removed long after it ended",
    "check the id, and that the key is one of the account that submitted the job"};
constinit const ErrorKind ErrorCode::artifact_not_found{"artifact_not_found",
                                                        "the account has no such artifact, or it has expired",
                                                        "check the id and the key's account, or run the job again"};
constinit const ErrorKind ErrorCode::tileset_not_found{
    "tileset_not_found", "the account has no such tileset, or it has expired or was deleted",
    "check the id and the key's account, or make the tileset again with a tile job"};
constinit const ErrorKind ErrorCode::tile_not_found{
    "tile_not_found", "the tileset has no tile there",
    "ask for tiles inside the picture, up to its max_zoom, with the extension of the tileset's format"};
constinit const ErrorKind ErrorCode::conflict{"conflict", "it is there already, or somebody else changes it",
                                              "look at what is there"};
constinit const ErrorKind ErrorCode::idempotency_conflict{
    "idempotency_conflict", "the `Idempotency-Key` was used for other work",
    "use a new key for new work, and the same one only to repeat the same request"};
constinit const ErrorKind ErrorCode::rate_limited{"rate_limited", "too many requests within a span of time",
                                                  "wait as long as Retry-After says"};
constinit const ErrorKind ErrorCode::credits_exhausted{"credits_exhausted",
                                                       "the job costs more credits than the period has left",
                                                       "wait for the next period, or use a plan with more credits"};
constinit const ErrorKind ErrorCode::plan_limit_exceeded{"plan_limit_exceeded", "the job is over a limit of the plan",
                                                         "ask for less, or use a plan with a larger limit"};
constinit const ErrorKind ErrorCode::in_flight_limit_exceeded{
    "in_flight_limit_exceeded", "the account has as many unfinished jobs as its plan allows",
    "wait for one of the account's jobs to end, then submit this one again"};
constinit const ErrorKind ErrorCode::event_streams_exceeded{
    "event_streams_exceeded", "the account has as many event streams open as it may",
    "close a stream, or read the one that is open from several places"};
constinit const ErrorKind ErrorCode::worker_capacity_exceeded{
    "worker_capacity_exceeded", "the job is over what the workers of this service take on, whatever the plan allows",
    "ask for less; whoever runs the service can raise the setting that is named"};
constinit const ErrorKind ErrorCode::storage_limit_exceeded{
    "storage_limit_exceeded", "the account would keep more than it may",
    "wait for files to expire, or use a plan with a larger max_storage_bytes and max_assets"};
constinit const ErrorKind ErrorCode::internal_error{
    "internal_error", "a fault of the service",
    "try again later; if it stays, tell the request_id to whoever runs the service"};
constinit const ErrorKind ErrorCode::artifact_unavailable{"artifact_unavailable",
                                                          "the bytes of the artifact can't be had",
                                                          "try again later; if it stays, run the job again"};
constinit const ErrorKind ErrorCode::scanning_unavailable{"scanning_unavailable", "the upload could not be scanned",
                                                          "try again later"};
constinit const ErrorKind ErrorCode::storage_unavailable{
    "storage_unavailable", "the database or the store of files is away", "try again as soon as Retry-After says"};
constinit const ErrorKind ErrorCode::overloaded{"overloaded",
                                                "there are more connections or requests than the service has room for",
                                                "try again as soon as Retry-After says"};

Error Error::with_hint(std::string text) && {
    hint = std::move(text);
    return std::move(*this);
}

Error Error::with_limit(LimitMet met) && {
    limit = std::move(met);
    return std::move(*this);
}

Error internal_error(std::string detail) {
    return {ErrorCode::internal_error, "internal error", std::move(detail)};
}

Error storage_unavailable(std::string detail) {
    return {ErrorCode::storage_unavailable, "storage is unavailable, try again later", std::move(detail),
            retry_storage_after_s};
}

Error reworded(const Error& cause, ErrorCode code, std::string message, std::string_view where) {
    return {code, std::move(message), std::string(where) + cause.detail, cause.retry_after_s};
}

Error from_errno(std::string_view what) {
    const int number = errno;
    return storage_unavailable(std::string(what) + ": " + std::generic_category().message(number));
}

}  // namespace tessera
