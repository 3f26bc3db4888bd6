#include "http/message/request_rules.hpp"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "http/message/header_lines.hpp"
#include "http/message/problems.hpp"
#include "http/message/refusals.hpp"

namespace tessera::http {
namespace {

std::string_view std_view(BeastView view) {
    return {view.data(), view.size()};
}

bool is_visible(unsigned char c) {
    return c > 0x20 && c < 0x7f;
}

// Whether all eight are visible: none has its highest bit, is 0x7f (the addition carries into that bit) or less than
// 0x21 (the subtraction borrows it).
bool are_visible(std::uint64_t eight) {
    constexpr std::uint64_t each = 0x0101010101010101;
    constexpr std::uint64_t high = 0x80 * each;
    return ((eight | (eight + each) | (((eight | high) - 0x21 * each) ^ high)) & high) == 0;
}

bool is_host(std::string_view host) {
    return std::all_of(host.begin(), host.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view(".-_~:[]%!$&'()*+,;=").find(c) != std::string_view::npos;
    });
}

bool is_decimal(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

}  // namespace

bool is_visible_ascii(std::string_view text) {
    std::size_t at = 0;
    for (; at + 8 <= text.size(); at += 8) {
        std::uint64_t eight = 0;
        std::memcpy(&eight, text.data() + at, 8);
        if (!are_visible(eight)) return false;
    }
    return std::all_of(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(),
                       [](char c) { return is_visible(static_cast<unsigned char>(c)); });
}

Error bad_request(std::string_view message, std::string_view hint) {
    return Error{ErrorCode::invalid_request, std::string(message), {}}.with_hint(std::string(hint));
}

Error explain(const BeastError& ec) {
    using boost::beast::http::error;
    if (ec == error::bad_version) return bad_request("only HTTP/1.0 and HTTP/1.1 are spoken here");
    if (ec == error::bad_method) return bad_request("malformed request line");
    if (ec == error::bad_target) return bad_request("malformed request target");
    if (ec == error::bad_field) return bad_request("malformed header name");
    if (ec == error::bad_value) return bad_request("malformed header value");
    if (ec == error::bad_line_ending) return bad_request("malformed line ending", "lines end with CR LF");
    if (ec == error::bad_content_length || ec == error::multiple_content_length)
        return bad_request("bad Content-Length", "it must be a decimal number of bytes");
    if (ec == error::bad_transfer_encoding) return bad_request("bad Transfer-Encoding");
    if (ec == error::bad_chunk || ec == error::bad_chunk_extension) return bad_request("malformed chunk");
    return bad_request("malformed request");
}

RequestRules::RequestRules(const ParserLimits& limits, std::vector<HeaderView>& headers)
    : limits_(limits), headers_(headers) {
    header_limit(static_cast<std::uint32_t>(limits.max_head_bytes + 1));
    body_limit(boost::none);  // routes have their own
}

void RequestRules::fail(Error error, BeastError& ec) {
    if (!failure) failure = std::move(error);
    ec = boost::beast::http::error::bad_value;
}

// Beast joins folded lines: in a buffer of its own, or by skipping lines that are blank.
bool RequestRules::is_folded(std::string_view name, std::string_view value) const {
    if (value.data() < input_begin || value.data() > input_end) return true;
    const char* const name_end = name.data() + name.size();
    return std::find(name_end, value.data(), '\r') != value.data();
}

void RequestRules::on_request_impl(boost::beast::http::verb, BeastView method_text, BeastView target_text,
                                   int http_version, BeastError& ec) {
    method = std_view(method_text);
    target = std_view(target_text);
    version = http_version;
    if (target.size() > limits_.max_target_bytes) {
        return fail(target_too_long(limits_), ec);
    }
    if (!is_visible_ascii(target)) {
        fail(bad_request("request target has a character that must be encoded",
                         "percent-encode everything that is not visible ASCII"),
             ec);
    };
}

void RequestRules::on_field_impl(Field field, BeastView name_text, BeastView value_text, BeastError& ec) {
    if (is_header_done()) return;  // a trailer: framing was decided by the head, and nothing else is read from here
    const std::string_view name = std_view(name_text);
    const std::string_view value = std_view(value_text);
    if (is_folded(name, value))
        return fail(bad_request("folded header lines are not accepted", "write every header on one line"), ec);
    if (headers_.size() >= limits_.max_headers) {
        return fail(too_many_headers(limits_), ec);
    }
    check_repetition(name, value, ec);
    headers_.push_back({name, value});
    check_framing(field, value, ec);
}

// A handful of short lines: each is compared with those before it, and few have the same name.
void RequestRules::check_repetition(std::string_view name, std::string_view value, BeastError& ec) {
    const auto says_otherwise = [&](const HeaderView& earlier) {
        return equal_ignoring_case(earlier.name, name) && earlier.value != value;
    };
    if (std::any_of(headers_.begin(), headers_.end(), says_otherwise) && has_single_value(name)) {
        fail(bad_request("more than one " + std::string(name) + " header, with different values"), ec);
    }
}

void RequestRules::check_framing(Field name, std::string_view value, BeastError& ec) {
    switch (name) {
        case Field::transfer_encoding:
            if (std::exchange(has_transfer_encoding_, true)) {
                return fail(bad_request("more than one Transfer-Encoding"), ec);
            }
            if (!equal_ignoring_case(value, "chunked")) {
                fail(bad_request("the only Transfer-Encoding accepted is chunked"), ec);
            }
            return;
        case Field::content_length:
            if (std::exchange(has_content_length_, true)) return fail(bad_request("more than one Content-Length"), ec);
            if (!is_decimal(value)) fail(bad_request("bad Content-Length", "it must be a decimal number of bytes"), ec);
            return;
        case Field::host:
            ++hosts_;
            if (!is_host(value))
                fail(bad_request("bad Host header", "it must be a host name or address, and a port if there is one"),
                     ec);
            return;
        case Field::expect:
            if (!equal_ignoring_case(value, "100-continue")) {
                return fail({ProtocolError::expectation_failed, "unknown expectation", {}}, ec);
            }
            expects_continue = true;
            return;
        default: return;
    }
}

void RequestRules::on_header_impl(BeastError& ec) {
    if (has_transfer_encoding_ && has_content_length_) {
        return fail(bad_request("both Transfer-Encoding and Content-Length"), ec);
    }
    if (has_transfer_encoding_ && version < 11) return fail(bad_request("Transfer-Encoding in HTTP/1.0"), ec);
    if (hosts_ > 1) return fail(bad_request("more than one Host header"), ec);
    if (hosts_ == 0 && version >= 11) fail(bad_request("missing Host header"), ec);
}

std::size_t RequestRules::gather(BeastView body) {
    if (!body.empty()) std::memmove(body_out + body_size, body.data(), body.size());
    body_size += body.size();
    return body.size();
}

}  // namespace tessera::http
