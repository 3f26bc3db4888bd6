// Writes the head of a response by hand: what every response carries, then the handler's own headers.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>
#include <string_view>

#include "http/message/response.hpp"

namespace tessera::http {

// The Date header's value, made once a second. One per loop.
class DateCache {
  public:
    std::string_view now();
    std::string_view at(std::time_t second);

  private:
    std::time_t second_ = -1;
    char text_[30] = {};
};

struct HeadOptions {
    std::string_view request_id{};
    std::string_view date{};
    std::string_view gate_headers{};  // each "Name: value\r\n"
    bool http_1_0 = false;
    bool keep_alive = true;
    bool cors = false;
};

// A 204 or 304 has no body, and a length must not be claimed for it unless it is the length of what is not sent.
bool may_have_body(int status);

// Appends the whole head, blank line included. The response must no longer hold an error.
void append_head(std::string& out, const Response& response, const HeadOptions& options);

}  // namespace tessera::http
