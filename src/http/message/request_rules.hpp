// Beast's tokenizer with our rules on top: what a request's head must not say, for RequestParser. Callbacks report
// through `failure`; the error code only stops Beast.
#pragma once

#include <boost/beast/http/basic_parser.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "http/message/parser.hpp"

namespace tessera::http {

using BeastError = boost::beast::error_code;
using BeastView = boost::beast::string_view;

Error bad_request(std::string_view message, std::string_view hint = {});
// What an error of Beast's means to the client.
Error explain(const BeastError& ec);

// What a target may hold: anything that is seen, and nothing else.
bool is_visible_ascii(std::string_view text);

class RequestRules final : public boost::beast::http::basic_parser<true> {
  public:
    RequestRules(const ParserLimits& limits, std::vector<HeaderView>& headers);

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

  private:
    using Field = boost::beast::http::field;

    void fail(Error error, BeastError& ec);
    [[nodiscard]] bool is_folded(std::string_view name, std::string_view value) const;
    void check_repetition(std::string_view name, std::string_view value, BeastError& ec);
    void check_framing(Field name, std::string_view value, BeastError& ec);
    std::size_t gather(BeastView body);

    void on_request_impl(boost::beast::http::verb verb, BeastView method_text, BeastView target_text, int http_version,
                         BeastError& ec) override;
    void on_field_impl(Field field, BeastView name_text, BeastView value_text, BeastError& ec) override;
    void on_header_impl(BeastError& ec) override;
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

}  // namespace tessera::http
