// A small blocking HTTP/1.1 client on one kept connection: enough to load the service from many threads cheaply.
#pragma once

#include <string>
#include <string_view>

#include "core/file.hpp"

namespace tessera::bench {

struct HttpAnswer {
    int status = 0;
    std::string body;
};

class HttpClient {
  public:
    HttpClient(int port, const std::string& api_key);
    void use_key(const std::string& api_key);

    // Throws std::runtime_error when the server can't be reached or closes in the middle.
    HttpAnswer get(const std::string& path);
    HttpAnswer post(const std::string& path, const std::string& body);
    HttpAnswer upload(const std::string& path, const std::string& picture);

  private:
    HttpAnswer send(const std::string& path, const std::string& type, const std::string& body);
    HttpAnswer exchange(const std::string& request);
    void connect();

    int port_;
    std::string headers_;
    UniqueFd socket_;
    std::string buffer_;
};

// The text value of a field in a JSON object that we made ourselves.
std::string_view text_field(std::string_view json, std::string_view name);

}  // namespace tessera::bench
