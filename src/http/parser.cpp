#include "http/parser.hpp"

#include <algorithm>
#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <cstring>
#include <string>
#include <vector>

namespace tessera::http {
namespace {

namespace beast = boost::beast;
using BeastError = beast::error_code;
using BeastView = beast::string_view;

// Longer than any chunk header or trailer that an honest client sends.
constexpr std::size_t max_chunk_framing = 4096;
// The shortest end of a chunked body, "0\r\n\r\n". Beast expects to be asked with no less.
constexpr std::size_t shortest_last_chunk = 5;

std::string_view std_view(BeastView view) {
    return {view.data(), view.size()};
}

bool is_visible_ascii(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

bool is_host(std::string_view host) {
    return std::all_of(host.begin(), host.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
               std::string_view(".-_~:[]%!$&'()*+,;=").find(c) != std::string_view::npos;
    });
}

Error bad_request(std::string_view message) {
    return {ErrorCode::invalid_request, std::string(message), {}};
}

// Beast's tokenizer with our rules on top. Callbacks report through `failure`; the error code only stops Beast.
class Rules final : public beast::http::basic_parser<true> {
  public:
    Rules(const ParserLimits& limits, std::vector<HeaderView>& headers) : limits_(limits), headers_(headers) {
        header_limit(static_cast<std::uint32_t>(limits.max_head_bytes + 1));
        body_limit(boost::none);  // routes have their own
    }

    // Where the bytes given to put() are, so that a folded value, which Beast copies, is recognised.
    const char* input_begin = nullptr;
    const char* input_end = nullptr;

    std::string_view method;
    std::string_view target;
    int version = 11;
    bool expects_continue = false;
    std::optional<Error> failure;

    char* body_out = nullptr;  // where decoded bytes are gathered
    std::size_t body_size = 0;

    void fail(Error error, BeastError& ec) {
        if (!failure) failure = std::move(error);
        ec = beast::http::error::bad_value;
    }

  private:
    // Beast joins folded lines: in a buffer of its own, or by skipping lines that are blank.
    [[nodiscard]] bool is_folded(std::string_view name, std::string_view value) const {
        if (value.data() < input_begin || value.data() > input_end) return true;
        const char* const name_end = name.data() + name.size();
        return std::find(name_end, value.data(), '\r') != value.data();
    }

    void on_request_impl(beast::http::verb, BeastView method_text, BeastView target_text, int http_version,
                         BeastError& ec) override {
        method = std_view(method_text);
        target = std_view(target_text);
        version = http_version;
        if (target.size() > limits_.max_target_bytes) {
            return fail({ErrorCode::target_too_long, "request target is too long", {}}, ec);
        }
        if (!is_visible_ascii(target)) fail(bad_request("request target has a character that must be encoded"), ec);
    }

    void on_field_impl(beast::http::field field, BeastView name_text, BeastView value_text, BeastError& ec) override {
        if (is_header_done()) return;  // a trailer: framing was decided by the head, and nothing else is read from here
        const std::string_view name = std_view(name_text);
        const std::string_view value = std_view(value_text);
        if (is_folded(name, value)) return fail(bad_request("folded header lines are not accepted"), ec);
        if (headers_.size() >= limits_.max_headers) {
            return fail({ErrorCode::head_too_large, "too many request headers", {}}, ec);
        }
        headers_.push_back({name, value});
        check_framing(field, value, ec);
    }

    void check_framing(beast::http::field name, std::string_view value, BeastError& ec) {
        using beast::http::field;
        switch (name) {
            case field::transfer_encoding:
                if (has_transfer_encoding_) return fail(bad_request("more than one Transfer-Encoding"), ec);
                has_transfer_encoding_ = true;
                if (!equal_ignoring_case(value, "chunked")) {
                    fail(bad_request("the only Transfer-Encoding accepted is chunked"), ec);
                }
                return;
            case field::content_length:
                if (has_content_length_) return fail(bad_request("more than one Content-Length"), ec);
                has_content_length_ = true;
                if (value.empty() ||
                    !std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; })) {
                    fail(bad_request("bad Content-Length"), ec);
                }
                return;
            case field::host:
                ++hosts_;
                if (!is_host(value)) fail(bad_request("bad Host header"), ec);
                return;
            case field::expect:
                if (!equal_ignoring_case(value, "100-continue")) {
                    return fail({ErrorCode::expectation_failed, "unknown expectation", {}}, ec);
                }
                expects_continue = true;
                return;
            default: return;
        }
    }

    void on_header_impl(BeastError& ec) override {
        if (has_transfer_encoding_ && has_content_length_) {
            return fail(bad_request("both Transfer-Encoding and Content-Length"), ec);
        }
        if (has_transfer_encoding_ && version < 11) return fail(bad_request("Transfer-Encoding in HTTP/1.0"), ec);
        if (hosts_ > 1) return fail(bad_request("more than one Host header"), ec);
        if (hosts_ == 0 && version >= 11) fail(bad_request("missing Host header"), ec);
    }

    std::size_t gather(BeastView body) {
        if (!body.empty()) std::memmove(body_out + body_size, body.data(), body.size());
        body_size += body.size();
        return body.size();
    }

    void on_response_impl(int, BeastView, int, BeastError&) override {}
    void on_body_init_impl(const boost::optional<std::uint64_t>&, BeastError&) override {}
    std::size_t on_body_impl(BeastView body, BeastError&) override { return gather(body); }
    void on_chunk_header_impl(std::uint64_t, BeastView, BeastError&) override {}
    std::size_t on_chunk_body_impl(std::uint64_t, BeastView body, BeastError&) override { return gather(body); }
    void on_finish_impl(BeastError&) override {}

    const ParserLimits& limits_;
    std::vector<HeaderView>& headers_;
    bool has_transfer_encoding_ = false;
    bool has_content_length_ = false;
    int hosts_ = 0;
};

Error explain(const BeastError& ec) {
    using beast::http::error;
    if (ec == error::header_limit) return {ErrorCode::head_too_large, "request head is too large", {}};
    if (ec == error::bad_version) return bad_request("only HTTP/1.0 and HTTP/1.1 are spoken here");
    if (ec == error::bad_method) return bad_request("malformed request line");
    if (ec == error::bad_target) return bad_request("malformed request target");
    if (ec == error::bad_field) return bad_request("malformed header name");
    if (ec == error::bad_value) return bad_request("malformed header value");
    if (ec == error::bad_line_ending) return bad_request("malformed line ending");
    if (ec == error::bad_content_length || ec == error::multiple_content_length)
        return bad_request("bad Content-Length");
    if (ec == error::bad_transfer_encoding) return bad_request("bad Transfer-Encoding");
    if (ec == error::bad_chunk || ec == error::bad_chunk_extension) return bad_request("malformed chunk");
    return bad_request("malformed request");
}

}  // namespace

class RequestParser::Impl {
  public:
    explicit Impl(const ParserLimits& limits) : limits_(limits) {
        headers_.reserve(16);
        rules_.emplace(limits_, headers_);
    }

    void reset() {
        headers_.clear();
        rules_.emplace(limits_, headers_);
        parsed_ = 0;
        base_ = nullptr;
    }

    Progress parse_head(std::string_view head) {
        if (head.empty()) return Progress::need_more;
        if (looks_like_tls(head)) return fail(bad_request("this port speaks plain HTTP, not TLS"));
        rebase(head.data());
        while (!rules_->is_header_done()) {
            const std::string_view rest = head.substr(parsed_);
            rules_->input_begin = rest.data();
            rules_->input_end = rest.data() + rest.size();
            BeastError ec;
            parsed_ += rules_->put(boost::asio::const_buffer(rest.data(), rest.size()), ec);
            if (ec == beast::http::error::need_more) {
                return head.size() > limits_.max_head_bytes ? too_large(head) : Progress::need_more;
            }
            if (ec) return ec == beast::http::error::header_limit ? too_large(head) : fail(explain(ec));
        }
        return parsed_ > limits_.max_head_bytes ? too_large(head) : Progress::done;
    }

    BodyStep parse_body(std::span<std::uint8_t> raw) {
        BodyStep step;
        char* const front = reinterpret_cast<char*>(raw.data());
        rules_->body_out = front;
        rules_->body_size = 0;
        while (!rules_->is_done()) {
            const std::size_t left = raw.size() - step.consumed;
            if (left == 0 || (rules_->chunked() && left < shortest_last_chunk)) break;
            BeastError ec;
            step.consumed += rules_->put(boost::asio::const_buffer(front + step.consumed, left), ec);
            if (ec == beast::http::error::need_more) {
                if (left > max_chunk_framing) step.progress = fail(bad_request("malformed chunk"));
                break;
            }
            if (ec) {
                step.progress = fail(explain(ec));
                break;
            }
        }
        if (rules_->is_done()) step.progress = Progress::done;
        step.data = raw.first(rules_->body_size);
        return step;
    }

    Progress fail(Error error) {
        if (!rules_->failure) rules_->failure = std::move(error);
        return Progress::failed;
    }

    [[nodiscard]] const Rules& rules() const { return *rules_; }
    [[nodiscard]] const std::vector<HeaderView>& headers() const { return headers_; }
    [[nodiscard]] std::size_t parsed() const { return parsed_; }

  private:
    static bool looks_like_tls(std::string_view head) {
        return head[0] == 0x16 && (head.size() == 1 || head[1] == 0x03);
    }

    Progress too_large(std::string_view head) {
        if (head.find('\n') == std::string_view::npos)
            return fail({ErrorCode::target_too_long, "request target is too long", {}});
        return fail({ErrorCode::head_too_large, "request head is too large", {}});
    }

    // The buffer may have moved between two reads: the views move along.
    void rebase(const char* base) {
        if (base_ != nullptr && base != base_) {
            const auto moved = [&](std::string_view view) -> std::string_view {
                return view.data() == nullptr ? view : std::string_view(base + (view.data() - base_), view.size());
            };
            rules_->method = moved(rules_->method);
            rules_->target = moved(rules_->target);
            for (HeaderView& header : headers_) header = {moved(header.name), moved(header.value)};
        }
        base_ = base;
    }

    const ParserLimits limits_;
    std::vector<HeaderView> headers_;
    std::optional<Rules> rules_;
    std::size_t parsed_ = 0;
    const char* base_ = nullptr;
};

RequestParser::RequestParser(const ParserLimits& limits) : impl_(std::make_unique<Impl>(limits)) {}
RequestParser::~RequestParser() = default;
RequestParser::RequestParser(RequestParser&&) noexcept = default;
RequestParser& RequestParser::operator=(RequestParser&&) noexcept = default;

void RequestParser::reset() {
    impl_->reset();
}
RequestParser::Progress RequestParser::parse_head(std::string_view head) {
    return impl_->parse_head(head);
}
bool RequestParser::started() const {
    return impl_->rules().got_some();
}
std::size_t RequestParser::head_size() const {
    return impl_->parsed();
}
std::string_view RequestParser::method() const {
    return impl_->rules().method;
}
std::string_view RequestParser::target() const {
    return impl_->rules().target;
}
std::span<const HeaderView> RequestParser::headers() const {
    return impl_->headers();
}
bool RequestParser::is_http_1_0() const {
    return impl_->rules().version == 10;
}
bool RequestParser::keep_alive() const {
    return impl_->rules().keep_alive();
}
bool RequestParser::chunked() const {
    return impl_->rules().chunked();
}
bool RequestParser::expects_continue() const {
    return impl_->rules().expects_continue;
}
std::optional<std::uint64_t> RequestParser::content_length() const {
    const auto length = impl_->rules().content_length();
    return length ? std::optional<std::uint64_t>(*length) : std::nullopt;
}
RequestParser::BodyStep RequestParser::parse_body(std::span<std::uint8_t> raw) {
    return impl_->parse_body(raw);
}
bool RequestParser::body_done() const {
    return impl_->rules().is_done();
}
std::optional<std::uint64_t> RequestParser::body_remaining() const {
    const auto remaining = impl_->rules().content_length_remaining();
    return remaining ? std::optional<std::uint64_t>(*remaining) : std::nullopt;
}
const Error& RequestParser::failure() const {
    static const Error none{};
    return impl_->rules().failure ? *impl_->rules().failure : none;
}

}  // namespace tessera::http
