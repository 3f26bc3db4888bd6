#include "http/message/multipart.hpp"

#include <algorithm>
#include <cstring>

#include "core/text.hpp"
#include "http/message/header_parameters.hpp"
#include "http/message/request.hpp"

namespace tessera::http {

namespace {

constexpr std::size_t max_boundary = 70;           // RFC 2046
constexpr std::size_t max_boundary_padding = 128;  // blanks that may follow a boundary on its line

// Clients that send the picture itself, or a form of the other kind, learn what their request said it was.
Error not_a_form(std::string_view content_type) {
    if (content_type.empty()) return invalid_multipart("the request has no Content-Type");
    return invalid_multipart("the Content-Type is '" + std::string(content_type.substr(0, 64)) +
                             "' and not multipart/form-data");
}

bool is_boundary_char(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("'()+_,-./:=? ").find(c) != std::string_view::npos;
}

// Browsers escape the three characters that would break the header, and nothing else.
std::string unescape_form_name(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const auto escape = text.substr(0, 3);
        if (escape == "%22") {
            out += '"';
        } else if (equal_ignoring_case(escape, "%0d")) {
            out += '\r';
        } else if (equal_ignoring_case(escape, "%0a")) {
            out += '\n';
        } else {
            out += text.front();
            text.remove_prefix(1);
            continue;
        }
        text.remove_prefix(3);
    }
    return out;
}

std::optional<std::string> filename_of(const ParameterisedValue& disposition) {
    if (const auto* extended = disposition.find("filename*")) {
        if (auto decoded = decode_extended_value(*extended)) return decoded;
    }
    if (const auto* plain = disposition.find("filename")) return unescape_form_name(*plain);
    return std::nullopt;
}

bool is_plain_encoding(std::string_view encoding) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"binary", "8bit", "7bit"},
                               [&](auto plain) { return equal_ignoring_case(encoding, plain); });
}

// `lines`: header lines, each with its line break.
Result<PartHeader> parse_part_header(std::string_view lines) {
    std::optional<ParameterisedValue> disposition;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find("\r\n"));
        lines.remove_prefix(line.size() + 2);
        const auto colon = line.find(':');
        if (colon == 0 || colon == std::string_view::npos) return invalid_multipart("a part's header line has no name");
        const auto name = line.substr(0, colon);
        const auto value = trimmed(line.substr(colon + 1));
        if (std::ranges::any_of(name, [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == 0x7f; }))
            return invalid_multipart("a part's header has a blank in its name");
        if (std::ranges::any_of(value,
                                [](char c) { return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == 0x7f; }))
            return invalid_multipart("a part's header has a control character");

        if (equal_ignoring_case(name, "Content-Disposition")) {
            if (disposition) return invalid_multipart("a part has two Content-Disposition headers");
            disposition = parse_parameterised(value);
            if (!disposition || disposition->token != "form-data") return invalid_multipart("a part is no form-data");
        } else if (equal_ignoring_case(name, "Content-Transfer-Encoding") && !is_plain_encoding(value)) {
            return invalid_multipart("a part has a transfer encoding");
        }
    }
    if (!disposition) return invalid_multipart("a part has no Content-Disposition");
    const auto* name = disposition->find("name");
    if (name == nullptr) return invalid_multipart("a part has no name");
    return PartHeader{unescape_form_name(*name), filename_of(*disposition)};
}

}  // namespace

Error invalid_multipart(const std::string& why) {
    return Error{ErrorCode::invalid_multipart_upload, "invalid multipart upload", {}}.with_hint(
        why + "; " + std::string(describe(ErrorCode::invalid_multipart_upload).remedy));
}

Result<std::string> MultipartParser::boundary_of(std::string_view content_type) {
    const auto parsed = parse_parameterised(content_type);
    if (!parsed || parsed->token != "multipart/form-data") return not_a_form(content_type);
    const auto* boundary = parsed->find("boundary");
    if (boundary == nullptr || boundary->empty() || boundary->size() > max_boundary || boundary->back() == ' ' ||
        !std::ranges::all_of(*boundary, is_boundary_char))
        return invalid_multipart(
            "the Content-Type has no boundary, or a malformed one; HTTP clients set it when they make the form");
    return *boundary;
}

MultipartParser::MultipartParser(std::string_view boundary, MultipartEvents& events, MultipartLimits limits)
    : events_(events), limits_(limits), delimiter_("\r\n--" + std::string(boundary)) {}

Result<void> MultipartParser::feed(std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        Result<void> step;
        switch (state_) {
            case State::preamble:
            case State::content: step = scan(bytes); break;
            case State::after_boundary:
                step = after_boundary(bytes.front());
                bytes = bytes.subspan(1);
                break;
            case State::headers:
                step = header_byte(bytes.front());
                bytes = bytes.subspan(1);
                break;
            case State::epilogue:
                step = ignore(bytes.size());
                bytes = {};
                break;
        }
        if (!step) return step;
    }
    return {};
}

Result<void> MultipartParser::finish() const {
    if (state_ != State::epilogue) return invalid_multipart("the body ends before its last boundary");
    return {};
}

// Goes on with a delimiter that began in the piece before. Only how much of it was seen has to be kept, for its bytes
// are known. Its first byte, a carriage return, occurs nowhere else in it, so that a match that fails can only begin
// anew at the byte where it failed.
Result<void> MultipartParser::resume(std::span<const std::uint8_t>& bytes) {
    const std::size_t carried = matched_;
    const std::size_t more = common_prefix(bytes, carried);
    matched_ += more;
    bytes = bytes.subspan(more);
    if (matched_ == delimiter_.size()) return end_part();
    if (bytes.empty()) return {};
    const auto* seen = reinterpret_cast<const std::uint8_t*>(delimiter_.data());
    const auto false_alarm = std::span(seen, matched_).subspan(assumed_);
    matched_ = 0;
    assumed_ = 0;
    return give(false_alarm);
}

// Gives away what comes before the next delimiter, whole or begun, and stops after it.
Result<void> MultipartParser::scan(std::span<const std::uint8_t>& bytes) {
    if (matched_ > 0) return resume(bytes);
    for (std::size_t at = 0; at < bytes.size();) {
        const void* found = std::memchr(bytes.data() + at, '\r', bytes.size() - at);
        if (found == nullptr) break;
        at = static_cast<std::size_t>(static_cast<const std::uint8_t*>(found) - bytes.data());
        const std::size_t length = common_prefix(bytes.subspan(at), 0);
        if (length < delimiter_.size() && at + length < bytes.size()) {
            at += length;
            continue;
        }
        const auto before = bytes.first(at);
        bytes = bytes.subspan(at + length);
        matched_ = length;
        auto step = give(before);
        if (!step || length < delimiter_.size()) return step;
        return end_part();
    }
    const auto all = bytes;
    bytes = {};
    return give(all);
}

// How many of `bytes` go on with the delimiter from `from`.
std::size_t MultipartParser::common_prefix(std::span<const std::uint8_t> bytes, std::size_t from) const {
    const std::size_t most = std::min(bytes.size(), delimiter_.size() - from);
    std::size_t length = 0;
    while (length < most && bytes[length] == static_cast<std::uint8_t>(delimiter_[from + length])) ++length;
    return length;
}

Result<void> MultipartParser::give(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return {};
    if (state_ == State::content && wanted_) return events_.on_data(bytes);
    return ignore(bytes.size());
}

Result<void> MultipartParser::ignore(std::size_t count) {
    ignored_ += count;
    if (ignored_ > limits_.max_ignored_bytes)
        return invalid_multipart("more than " + std::to_string(limits_.max_ignored_bytes) +
                                 " bytes are not of the file");
    return {};
}

Result<void> MultipartParser::end_part() {
    const bool ended = state_ == State::content && wanted_;
    state_ = State::after_boundary;
    matched_ = 0;
    assumed_ = 0;
    line_.clear();
    return ended ? events_.on_part_end() : Result<void>();
}

// "--" closes the body; otherwise blanks and a line break lead to the next part.
Result<void> MultipartParser::after_boundary(std::uint8_t byte) {
    const char c = static_cast<char>(byte);
    line_ += c;
    if (line_ == "--") {
        state_ = State::epilogue;
        return {};
    }
    if (line_ == "-") return {};
    if (line_.ends_with("\r\n")) {
        state_ = State::headers;
        line_.clear();
        return {};
    }
    const bool after_return = line_.size() >= 2 && line_[line_.size() - 2] == '\r';
    if (line_.front() == '-' || after_return || (c != ' ' && c != '\t' && c != '\r') ||
        line_.size() > max_boundary_padding)
        return invalid_multipart("a boundary is not alone on its line");
    return {};
}

Result<void> MultipartParser::header_byte(std::uint8_t byte) {
    line_ += static_cast<char>(byte);
    if (line_.size() > limits_.max_header_bytes)
        return invalid_multipart("a part's headers have more than " + std::to_string(limits_.max_header_bytes) +
                                 " bytes");
    if (line_ == "\r\n") return invalid_multipart("a part has no headers");
    if (!line_.ends_with("\r\n\r\n")) return {};
    return begin_part();
}

Result<void> MultipartParser::begin_part() {
    if (++parts_ > limits_.max_parts)
        return invalid_multipart("there are more than " + std::to_string(limits_.max_parts) + " parts");
    line_.resize(line_.size() - 2);
    const auto header = parse_part_header(line_);
    if (!header) return header.error();
    state_ = State::content;
    // The line break that ends the headers may be the one before the boundary: a part may have no content at all.
    matched_ = 2;
    assumed_ = 2;
    const auto wanted = events_.on_part(*header);
    if (!wanted) return wanted.error();
    wanted_ = *wanted;
    return {};
}

}  // namespace tessera::http
