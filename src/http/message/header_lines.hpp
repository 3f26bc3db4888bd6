// Headers that come in more than one line. Lines of a list are one list, in the order in which they came (RFC
// 9110, 5.3); a header that has a single value may be said twice, but not in two ways.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "http/message/request.hpp"

namespace tessera::http {

// The items of a list header over all its lines, the last first: every proxy adds its own behind what it was given.
class ListFromEnd {
  public:
    ListFromEnd(std::span<const HeaderView> headers, std::string_view name) : lines_(headers), name_(name) {}

    // Without the blanks around it; empty items are none.
    std::optional<std::string_view> next();

  private:
    std::span<const HeaderView> lines_;  // not yet looked at
    std::string_view name_;
    std::string_view rest_;  // of the line at hand
};

// Headers with a single value by which a request is understood: two values would be two requests. Those that frame it
// (Host, Content-Length, Transfer-Encoding) must not come twice at all; RequestRules sees to them.
bool has_single_value(std::string_view name);

}  // namespace tessera::http
