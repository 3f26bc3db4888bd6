#include "http/message/response_head.hpp"

#include <charconv>

#include "http/message/status.hpp"

namespace tessera::http {
namespace {

// Answers are data, never pages: a browser that is led here must not guess types, run, frame or tell where it was.
constexpr std::string_view page_headers =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n";
constexpr std::string_view data_headers =
    "X-Content-Type-Options: nosniff\r\n"
    "Referrer-Policy: no-referrer\r\n"
    "Content-Security-Policy: default-src 'none'; frame-ancestors 'none'\r\n";
// Of pixels alone: it can't run, link or lead anywhere, so that a browser needs to be told no more than not to guess.
constexpr std::string_view picture_headers = "X-Content-Type-Options: nosniff\r\n";
constexpr std::string_view cors_headers =
    "Access-Control-Allow-Origin: *\r\n"
    "Cross-Origin-Resource-Policy: cross-origin\r\n"
    "Access-Control-Expose-Headers: ETag, Content-Length, Content-Range, X-Request-ID\r\n";

void append_number(std::string& out, std::uint64_t number) {
    char digits[20];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

void append_status_line(std::string& out, int status) {
    if (status == 200) {
        out += "HTTP/1.1 200 OK\r\n";
        return;
    }
    out += "HTTP/1.1 ";
    append_number(out, static_cast<std::uint64_t>(status));
    out += ' ';
    out += reason_phrase(status);
    out += "\r\n";
}

bool is_of_pixels(std::string_view content_type) {
    return content_type.starts_with("image/") && !content_type.starts_with("image/svg");
}

std::string_view security_headers(const Response& response) {
    if (response.has_own_policy) return page_headers;
    return is_of_pixels(response.content_type) ? picture_headers : data_headers;
}

}  // namespace

bool may_have_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

std::string_view DateCache::now() {
    timespec time{};
    clock_gettime(CLOCK_REALTIME_COARSE, &time);
    return at(time.tv_sec);
}

std::string_view DateCache::at(std::time_t second) {
    if (second != second_) {
        // Not strftime: names of days and months must not follow the locale.
        static constexpr const char* days[] = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
        static constexpr const char* months[] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                 "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
        std::tm parts{};
        gmtime_r(&second, &parts);
        const auto two = [](char* out, int number) {
            out[0] = static_cast<char>('0' + number / 10 % 10);
            out[1] = static_cast<char>('0' + number % 10);
        };
        std::string_view("Thu, 01 Jan 1970 00:00:00 GMT").copy(text_, 29);
        std::string_view(days[parts.tm_wday]).copy(text_, 3);
        two(text_ + 5, parts.tm_mday);
        std::string_view(months[parts.tm_mon]).copy(text_ + 8, 3);
        two(text_ + 12, (parts.tm_year + 1900) / 100);
        two(text_ + 14, (parts.tm_year + 1900) % 100);
        two(text_ + 17, parts.tm_hour);
        two(text_ + 20, parts.tm_min);
        two(text_ + 23, parts.tm_sec);
        second_ = second;
    }
    return {text_, 29};
}

void append_head(std::string& out, const Response& response, const HeadOptions& options) {
    append_status_line(out, response.status);
    out += "Date: ";
    out += options.date;
    out += "\r\n";
    if (!response.content_type.empty() && may_be_header("Content-Type", response.content_type)) {
        out += "Content-Type: ";
        out += response.content_type;
        out += "\r\n";
    }
    if (response.is_streamed) {
        // HTTP/1.0 knows no chunks: the body ends with the connection.
        if (response.source && !options.http_1_0) out += "Transfer-Encoding: chunked\r\n";
    } else if (response.declared_length || may_have_body(response.status)) {
        out += "Content-Length: ";
        append_number(out, response.declared_length.value_or(size_of(response.body)));
        out += "\r\n";
    }
    out += "X-Request-ID: ";
    out += options.request_id;
    out += "\r\n";
    out += security_headers(response);
    if (options.cors) out += cors_headers;
    out += options.gate_headers;
    out += response.headers;
    if (!options.keep_alive) {
        out += "Connection: close\r\n";
    } else if (options.http_1_0) {
        out += "Connection: keep-alive\r\n";
    }
    out += "\r\n";
}

}  // namespace tessera::http
