// Reads request heads and bodies, strictly: what two parties could read differently is refused, so that no request
// can hide in another. Keeps views into the connection's buffer and is fed as bytes arrive, so that a client that
// dribbles costs no repeated work.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/error.hpp"
#include "http/message/request.hpp"

namespace tessera::http {

struct ParserLimits {
    std::size_t max_head_bytes = std::size_t{16} * 1024;
    std::size_t max_target_bytes = std::size_t{8} * 1024;
    std::size_t max_headers = 100;
};

class RequestParser {
  public:
    enum class Progress { need_more, done, failed };

    explicit RequestParser(const ParserLimits& limits);
    ~RequestParser();
    RequestParser(RequestParser&&) noexcept;
    RequestParser& operator=(RequestParser&&) noexcept;

    void reset();  // for the next request on the same connection

    // `head` is everything received from the first byte of the request on, more at each call; it may have moved in
    // memory since the last one. When done, head_size() bytes of it were the head.
    Progress parse_head(std::string_view head);
    [[nodiscard]] bool started() const;  // a byte of this request has been seen
    [[nodiscard]] std::size_t head_size() const;

    [[nodiscard]] std::string_view method() const;
    [[nodiscard]] std::string_view target() const;
    [[nodiscard]] std::span<const HeaderView> headers() const;
    [[nodiscard]] bool is_http_1_0() const;
    [[nodiscard]] bool keep_alive() const;
    [[nodiscard]] bool chunked() const;
    [[nodiscard]] bool expects_continue() const;
    [[nodiscard]] std::optional<std::uint64_t> content_length() const;

    struct BodyStep {
        Progress progress = Progress::need_more;
        std::size_t consumed = 0;                 // of the raw bytes given
        std::span<const std::uint8_t> data = {};  // decoded, at the front of the raw bytes
    };
    // Decodes in place. What was not consumed has to be given again, with more behind it.
    BodyStep parse_body(std::span<std::uint8_t> raw);
    [[nodiscard]] bool body_done() const;
    // For a body of known length, what is still to come, once the head is done.
    [[nodiscard]] std::optional<std::uint64_t> body_remaining() const;

    // What was wrong, once something has failed.
    [[nodiscard]] const Error& failure() const;

  private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::http
