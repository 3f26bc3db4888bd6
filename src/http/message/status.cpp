#include "http/message/status.hpp"

#include "core/log.hpp"
#include "http/message/problems.hpp"

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

// What both kinds of body have, up to their end.
void append_particulars(std::string& text, const Error& error, std::string_view request_id) {
    text += ",\"code\":";
    log::append_json_string(text, to_string(error.code));
    text += ",\"request_id\":";
    log::append_json_string(text, request_id);
    text += ",\"hint\":";
    log::append_json_string(text, error.hint.empty() ? describe(error.code).remedy : error.hint);
    if (error.limit) append(text, *error.limit);
    text += '}';
}

}  // namespace

std::string_view reason_phrase(int status) {
    switch (status) {
        case 200: return "OK";
        case 201: return "Created";
        case 204: return "No Content";
        case 206: return "Partial Content";
        case 301: return "Moved Permanently";
        case 302: return "Found";
        case 303: return "See Other";
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
        case 501: return "Not Implemented";
        case 503: return "Service Unavailable";
        default: return "Status";
    }
}

std::string error_json(const Error& error, std::string_view request_id) {
    std::string text = "{\"error\":";
    log::append_json_string(text, error.message);
    append_particulars(text, error, request_id);
    return text;
}

std::string problem_json(const Error& error, std::string_view request_id) {
    std::string text = "{\"type\":";
    log::append_json_string(text, "/problems/" + std::string(to_string(error.code)));
    text += ",\"title\":";
    log::append_json_string(text, describe(error.code).meaning);
    text.append(",\"status\":").append(std::to_string(status_of(error.code))).append(",\"detail\":");
    log::append_json_string(text, error.message);
    append_particulars(text, error, request_id);
    return text;
}

}  // namespace tessera::http
