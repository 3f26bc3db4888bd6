// One signed HTTP exchange after another over libcurl, with connections that are kept for the next. Knows nothing of S3
// but its signatures; safe from any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tessera::blobs {

// A part of an open file, sent as a request's body.
struct FileSlice {
    int fd = -1;
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

struct HttpRequest {
    std::string method = "GET";
    std::string url;
    std::vector<std::string> headers;  // "name: value"
    std::string body;                  // or, when `file` is open, the slice
    FileSlice file;
    std::span<std::uint8_t> out;  // where the body of a success goes; without it, into HttpResponse::body
};

struct HttpResponse {
    int status = 0;
    std::map<std::string, std::string> headers;  // names in lower case
    std::string body;
    std::size_t received = 0;  // bytes of `out` that were filled

    [[nodiscard]] std::string header(const std::string& name) const;
    [[nodiscard]] bool ok() const { return status >= 200 && status < 300; }
};

struct HttpSigning {
    std::string region;
    std::string access_key_id;
    std::string secret_access_key;
};

class HttpExchanger {
  public:
    HttpExchanger(HttpSigning signing, std::chrono::milliseconds connect_timeout,
                  std::chrono::milliseconds stall_timeout);
    ~HttpExchanger();
    HttpExchanger(const HttpExchanger&) = delete;
    HttpExchanger& operator=(const HttpExchanger&) = delete;

    // An error is a failure to exchange at all: no connection, a time-out, an answer cut short. Any status is a
    // success.
    Result<HttpResponse> exchange(const HttpRequest& request);

  private:
    class Handles;
    const HttpSigning signing_;
    const std::chrono::milliseconds connect_timeout_;
    const std::chrono::milliseconds stall_timeout_;
    const std::unique_ptr<Handles> handles_;
};

}  // namespace tessera::blobs
