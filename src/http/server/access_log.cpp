#include "http/server/access_log.hpp"

#include <charconv>
#include <span>

#include "core/hex.hpp"
#include "core/log.hpp"
#include "http/routing/route.hpp"
#include "service/access/principal.hpp"

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

void append_id(std::string& line, std::string_view name, const Uuid& id) {
    char text[Uuid::text_length];
    id.write(text);
    append_plain(line, name, {text, sizeof text});
}

void append_hex(std::string& line, std::string_view name, std::span<const std::uint8_t> bytes) {
    char text[2 * sizeof(TraceId)];
    write_hex(bytes, text);
    append_plain(line, name, {text, 2 * bytes.size()});
}

constexpr std::size_t enough_to_hand_over = 16 << 10;

}  // namespace

void AccessLog::add(const Request& request, const Answered& answered) {
    if (!log::enabled(log::Level::info)) return;
    log::begin_line(lines_, log::Level::info, "request");
    append_plain(lines_, "request_id", request.request_id);
    const TraceContext& trace = request.trace.context;
    append_hex(lines_, "trace_id", trace.trace_id);
    if (trace.recorded) append_hex(lines_, "span_id", trace.span_id);
    append_plain(lines_, "method", to_string(request.method));
    append_plain(lines_, "route", request.route != nullptr ? std::string_view(request.route->pattern) : "-");
    lines_ += ",\"status\":";
    append_number(lines_, static_cast<std::uint64_t>(answered.status));
    lines_ += ",\"duration_us\":";
    append_number(lines_, static_cast<std::uint64_t>(answered.took.count() / 1000));
    lines_ += ",\"bytes\":";
    append_number(lines_, answered.bytes);
    append_plain(lines_, "client_ip", request.client_ip);
    if (request.principal) append_id(lines_, "account", request.principal->account.id);
    if (answered.job) append_id(lines_, "job", *answered.job);
    if (answered.error_code) append_plain(lines_, "code", to_string(*answered.error_code));
    lines_ += "}\n";
    if (lines_.size() >= enough_to_hand_over) hand_over();
}

void AccessLog::hand_over() {
    if (lines_.empty()) return;
    lines_.pop_back();  // the writer ends the last line itself
    log::write_line(log::Level::info, lines_);
    lines_.clear();
}

}  // namespace tessera::http
