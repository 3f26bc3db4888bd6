#include "http/access_log.hpp"

#include <charconv>

#include "core/log.hpp"
#include "http/route.hpp"
#include "service/principal.hpp"

namespace tessera::http {
namespace {

void append_number(std::string& line, std::uint64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    line.append(digits, end);
}

// The values between quotes hold nothing that JSON would want escaped.
void append_plain(std::string& line, std::string_view name, std::string_view value) {
    line.append(",\"").append(name).append("\":\"").append(value).append("\"");
}

}  // namespace

void log_access(std::string& line, const Request& request, int status, std::uint64_t bytes,
                std::chrono::nanoseconds took) {
    line.clear();
    log::begin_line(line, log::Level::info, "request");
    append_plain(line, "request_id", request.request_id);
    append_plain(line, "method", to_string(request.method));
    append_plain(line, "route", request.route != nullptr ? std::string_view(request.route->pattern) : "-");
    line += ",\"status\":";
    append_number(line, static_cast<std::uint64_t>(status));
    line += ",\"duration_us\":";
    append_number(line, static_cast<std::uint64_t>(took.count() / 1000));
    line += ",\"bytes\":";
    append_number(line, bytes);
    append_plain(line, "client_ip", request.client_ip);
    if (request.principal) {
        char account[Uuid::text_length];
        request.principal->account.id.write(account);
        append_plain(line, "account", {account, sizeof account});
    }
    line += '}';
    log::write_line(log::Level::info, line);
}

}  // namespace tessera::http
