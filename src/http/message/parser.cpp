#include "http/message/parser.hpp"

#include <boost/asio/buffer.hpp>
#include <utility>
#include <vector>

#include "http/message/refusals.hpp"
#include "http/message/repeated_head.hpp"
#include "http/message/request_rules.hpp"

namespace tessera::http {
namespace {

using BeastStop = boost::beast::http::error;

// Longer than any chunk header or trailer that an honest client sends.
constexpr std::size_t max_chunk_framing = 4096;
// The shortest end of a chunked body, "0\r\n\r\n". Beast expects to be asked with no less.
constexpr std::size_t shortest_last_chunk = 5;

}  // namespace

class RequestParser::Impl {
  public:
    explicit Impl(const ParserLimits& limits) : limits_(limits) {
        headers_.reserve(16);
        rules_.emplace(limits_, headers_);
    }

    void reset() {
        headers_.clear();
        if (!repeated_) rules_.emplace(limits_, headers_);
        repeated_ = false;
        parsed_ = 0;
        base_ = nullptr;
    }

    Progress parse_head(std::string_view head) {
        if (head.empty()) return Progress::need_more;
        if (base_ == nullptr) {
            if (const auto found = last_.find(head, limits_, headers_)) return repeat(*found);
        }
        if (looks_like_tls(head))
            return fail(bad_request("this port speaks plain HTTP, not TLS",
                                    "use http:// here, or the address of the proxy that speaks https"));
        rebase(head.data());
        while (!rules_->is_header_done()) {
            const std::string_view rest = head.substr(parsed_);
            rules_->input_begin = rest.data();
            rules_->input_end = rest.data() + rest.size();
            BeastError ec;
            parsed_ += rules_->put(boost::asio::const_buffer(rest.data(), rest.size()), ec);
            if (ec == BeastStop::need_more) {
                return head.size() > limits_.max_head_bytes ? too_large(head) : Progress::need_more;
            }
            if (ec) return ec == BeastStop::header_limit ? too_large(head) : fail(explain(ec));
        }
        if (parsed_ > limits_.max_head_bytes) return too_large(head);
        if (is_plain()) last_.remember(head.substr(0, parsed_), headers_);
        return Progress::done;
    }

    BodyStep parse_body(std::span<std::uint8_t> raw) {
        BodyStep step;
        if (repeated_) {
            step.progress = Progress::done;
            return step;
        }
        char* const front = reinterpret_cast<char*>(raw.data());
        rules_->body_out = front;
        rules_->body_size = 0;
        while (!rules_->is_done()) {
            const std::size_t left = raw.size() - step.consumed;
            if (left == 0 || (rules_->chunked() && left < shortest_last_chunk)) break;
            BeastError ec;
            step.consumed += rules_->put(boost::asio::const_buffer(front + step.consumed, left), ec);
            if (ec == BeastStop::need_more) {
                if (left > max_chunk_framing) step.progress = fail(bad_request("malformed chunk"));
                break;
            }
            if (ec) {
                step.progress = fail(ec == BeastStop::header_limit ? head_too_large(limits_) : explain(ec));
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

    // The head is the last one, but for its target: Beast was not asked, and knows of no request.
    [[nodiscard]] bool repeated() const { return repeated_; }
    [[nodiscard]] const RequestRules& rules() const { return *rules_; }
    [[nodiscard]] const std::vector<HeaderView>& headers() const { return headers_; }
    [[nodiscard]] std::size_t parsed() const { return parsed_; }

  private:
    Progress repeat(const RepeatedHead::Found& found) {
        rules_->method = "GET";
        rules_->target = found.target;
        rules_->version = 11;
        parsed_ = found.size;
        repeated_ = true;
        return Progress::done;
    }

    [[nodiscard]] bool is_plain() const {
        return rules_->version == 11 && rules_->keep_alive() && rules_->is_done() && !rules_->content_length() &&
               !rules_->chunked() && !rules_->expects_continue && !rules_->upgrade();
    }

    static bool looks_like_tls(std::string_view head) {
        return head[0] == 0x16 && (head.size() == 1 || head[1] == 0x03);
    }

    Progress too_large(std::string_view head) {
        if (head.find('\n') == std::string_view::npos) return fail(target_too_long(limits_));
        return fail(head_too_large(limits_));
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
    std::optional<RequestRules> rules_;
    std::size_t parsed_ = 0;
    const char* base_ = nullptr;
    RepeatedHead last_;
    bool repeated_ = false;
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
    return impl_->repeated() || impl_->rules().got_some();
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
    return impl_->repeated() || impl_->rules().keep_alive();
}
bool RequestParser::chunked() const {
    return impl_->rules().chunked();
}
bool RequestParser::expects_continue() const {
    return impl_->rules().expects_continue;
}
std::optional<std::uint64_t> RequestParser::content_length() const {
    if (impl_->repeated()) return std::nullopt;
    const auto length = impl_->rules().content_length();
    return length ? std::optional<std::uint64_t>(*length) : std::nullopt;
}
RequestParser::BodyStep RequestParser::parse_body(std::span<std::uint8_t> raw) {
    return impl_->parse_body(raw);
}
bool RequestParser::body_done() const {
    return impl_->repeated() || impl_->rules().is_done();
}
std::optional<std::uint64_t> RequestParser::body_remaining() const {
    if (impl_->repeated() || !impl_->rules().is_header_done()) return std::nullopt;
    const auto remaining = impl_->rules().content_length_remaining();
    return remaining ? std::optional<std::uint64_t>(*remaining) : std::nullopt;
}
const Error& RequestParser::failure() const {
    static const Error none{};
    return impl_->rules().failure ? *impl_->rules().failure : none;
}

}  // namespace tessera::http
