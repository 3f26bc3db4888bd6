// Conditional and partial requests: ETags, 304, and Range of one part.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "http/message/request.hpp"
#include "http/message/response.hpp"

namespace tessera::http {

// "…" around a value that has no quotes of its own.
std::string strong_etag(std::string_view value);

// Whether a line of an If-None-Match header (a list, or *) names this entity tag; compared weakly, as that header
// wants.
bool if_none_match_names(std::string_view line, std::string_view etag);
// Whether any of the request's does: what the client has is what we have.
bool is_known_to(const Request& request, std::string_view etag);

struct ByteRange {
    std::uint64_t first = 0;
    std::uint64_t length = 0;
    bool operator==(const ByteRange&) const = default;
};
struct WholeBody {
    bool operator==(const WholeBody&) const = default;
};
struct Unsatisfiable {
    bool operator==(const Unsatisfiable&) const = default;
};
using RangeChoice = std::variant<WholeBody, ByteRange, Unsatisfiable>;

// What a Range header asks of a body of `size` bytes. Several ranges, other units and nonsense mean the whole body,
// as a server may choose.
RangeChoice choose_range(std::string_view header, std::uint64_t size);

// Turns a complete 200 answer with this entity tag into what the request's conditions ask for: 304, 206, 416, or as
// it was. Adds ETag and, with `ranges`, Accept-Ranges.
Response apply_conditions(const Request& request, Response whole, std::string_view etag, bool ranges);

}  // namespace tessera::http
