// One attempt at one message, as libcurl carries it out: POST, no redirects, no proxy, checked addresses, bounded in
// time and in what is read of the answer.
#pragma once

#include <curl/curl.h>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/clock.hpp"
#include "core/owned.hpp"

namespace tessera::webhooks {

struct Outgoing {
    std::string url;
    std::vector<std::string> headers;  // "name: value"
    std::string body;
};

// Why an attempt failed, in words that stay the same: in the log of deliveries, in metrics and in the docs.
namespace failure {
inline constexpr std::string_view http_status = "http_status";
inline constexpr std::string_view redirect = "redirect";
inline constexpr std::string_view timeout = "timeout";
inline constexpr std::string_view address_refused = "address_refused";
inline constexpr std::string_view name_not_resolved = "name_not_resolved";
inline constexpr std::string_view connection_failed = "connection_failed";
inline constexpr std::string_view tls_failed = "tls_failed";
inline constexpr std::string_view bad_response = "bad_response";
}  // namespace failure

struct Outcome {
    std::optional<int> status;    // of the answer, if there was one
    std::string_view error = {};  // one of `failure`; empty: delivered
    std::string detail;           // for the log
    std::string response;         // how the answer's body began, in printable characters
    std::string retry_after;      // the header, as it came
    Millis duration{0};
};

struct TransferRules {
    Millis timeout{15'000};
    bool allow_private_addresses = false;
    bool require_https = false;
    std::string user_agent;
};

class Transfer {
  public:
    using Done = std::function<void(Outcome)>;

    // `rules` must outlive it.
    Transfer(Outgoing message, const TransferRules& rules, Done done);
    Transfer(const Transfer&) = delete;
    Transfer& operator=(const Transfer&) = delete;

    [[nodiscard]] CURL* handle() const { return handle_.get(); }
    // Says how it went to whoever wanted it sent.
    void end(CURLcode result);

  private:
    static curl_socket_t open_socket(void* self, curlsocktype purpose, curl_sockaddr* address);
    static std::size_t on_header(char* data, std::size_t, std::size_t size, void* self);
    static std::size_t on_body(char* data, std::size_t, std::size_t size, void* self);
    void set_options();
    [[nodiscard]] std::string_view why(CURLcode result, std::optional<int> status) const;

    using Handle = Owned<CURL, curl_easy_cleanup>;
    using HeaderList = Owned<curl_slist, curl_slist_free_all>;

    const Outgoing message_;
    const TransferRules& rules_;
    Done done_;
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    bool refused_ = false;  // an address that it resolved to
    std::size_t head_bytes_ = 0;
    std::size_t body_bytes_ = 0;
    std::string response_;
    std::string retry_after_;
    char error_text_[CURL_ERROR_SIZE] = "";
    HeaderList headers_;
    Handle handle_;
};

}  // namespace tessera::webhooks
