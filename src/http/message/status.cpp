#include "http/message/status.hpp"

#include "core/log.hpp"

namespace tessera::http {
namespace {

void append(std::string& text, const LimitMet& limit) {
    text += ",\"limit\":{\"name\":";
    log::append_json_string(text, limit.name);
    text += ",\"unit\":";
    log::append_json_string(text, limit.unit);
    text.append(",\"allowed\":").append(std::to_string(limit.allowed));
    if (limit.asked) text.append(",\"asked\":").append(std::to_string(*limit.asked));
    if (limit.left) text.append(",\"left\":").append(std::to_string(*limit.left));
    if (limit.resets_at) text.append(",\"resets_at\":\"").append(to_iso8601(*limit.resets_at)).append("\"");
    text += '}';
}

}  // namespace

int status_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::invalid_request:
        case ErrorCode::unsupported_operation:
        case ErrorCode::options_required:
        case ErrorCode::invalid_option:
        case ErrorCode::invalid_id:
        case ErrorCode::invalid_idempotency_key:
        case ErrorCode::invalid_multipart_upload:
        case ErrorCode::file_required:
        case ErrorCode::upload_too_large:
        case ErrorCode::image_too_large: return 400;
        case ErrorCode::missing_api_key:
        case ErrorCode::invalid_api_key:
        case ErrorCode::account_suspended: return 401;
        case ErrorCode::permission_denied:
        case ErrorCode::invalid_signature:
        case ErrorCode::upload_rejected: return 403;
        case ErrorCode::not_found:
        case ErrorCode::asset_not_found:
        case ErrorCode::job_not_found:
        case ErrorCode::artifact_not_found:
        case ErrorCode::tileset_not_found:
        case ErrorCode::tile_not_found: return 404;
        case ErrorCode::method_not_allowed: return 405;
        case ErrorCode::request_timeout: return 408;
        case ErrorCode::conflict:
        case ErrorCode::idempotency_conflict: return 409;
        case ErrorCode::body_too_large: return 413;
        case ErrorCode::target_too_long: return 414;
        case ErrorCode::unsupported_media_type: return 415;
        case ErrorCode::range_not_satisfiable: return 416;
        case ErrorCode::expectation_failed: return 417;
        case ErrorCode::rate_limited:
        case ErrorCode::credits_exhausted:
        case ErrorCode::plan_limit_exceeded:
        case ErrorCode::in_flight_limit_exceeded:
        case ErrorCode::worker_capacity_exceeded:
        case ErrorCode::storage_limit_exceeded: return 429;
        case ErrorCode::head_too_large: return 431;
        case ErrorCode::internal_error:
        case ErrorCode::artifact_unavailable: return 500;
        case ErrorCode::scanning_unavailable:
        case ErrorCode::storage_unavailable:
        case ErrorCode::overloaded: return 503;
    }
    return 500;
}

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 204: return "No Content";
        case 206: return "Partial Content";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 304: return "Not Modified";
        case 307: return "Temporary Redirect";
        case 308: return "Permanent Redirect";
        case 400: return "Bad Request";
        case 401: return "Unauthorized";
        case 403: return "Forbidden";
        case 404: return "Not Found";
        case 405: return "Method Not Allowed";
        case 408: return "Request Timeout";
        case 409: return "Conflict";
        case 413: return "Content Too Large";
        case 414: return "URI Too Long";
        case 415: return "Unsupported Media Type";
        case 416: return "Range Not Satisfiable";
        case 417: return "Expectation Failed";
        case 429: return "Too Many Requests";
        case 431: return "Request Header Fields Too Large";
        case 500: return "Internal Server Error";
        case 503: return "Service Unavailable";
        default: return "Status";
    }
}

std::string error_json(const Error& error, std::string_view request_id) {
    std::string text = "{\"error\":";
    log::append_json_string(text, error.message);
    text += ",\"code\":";
    log::append_json_string(text, to_string(error.code));
    text += ",\"request_id\":";
    log::append_json_string(text, request_id);
    text += ",\"hint\":";
    log::append_json_string(text, error.hint.empty() ? describe(error.code).remedy : error.hint);
    if (error.limit) append(text, *error.limit);
    text += '}';
    return text;
}

}  // namespace tessera::http
