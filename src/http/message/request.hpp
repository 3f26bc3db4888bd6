// A request as handlers see it: views into the connection's buffer, valid until the response has been made (and, for
// a streamed body, as long as its sink lives).
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::service {
struct OperatorSession;
struct Principal;
}  // namespace tessera::service

namespace tessera::http {

struct Route;
class Arrival;

enum class Method : std::uint8_t { get, head, post, put, patch, delete_, options, other };

std::string_view to_string(Method method);
Method method_from_string(std::string_view name);

struct HeaderView {
    std::string_view name;
    std::string_view value;
};

struct PathParameter {
    std::string_view name;   // as in the route's pattern
    std::string_view value;  // as sent: not percent-decoded
};

inline constexpr std::size_t max_path_parameters = 8;

struct Request {
    Method method = Method::other;
    std::string_view target;  // as sent
    std::string_view path;    // up to the first '?'
    std::string_view query;   // after it
    std::span<const HeaderView> headers;
    std::string_view request_id;
    std::string_view client_ip;                     // of the client, not of a trusted proxy before us
    std::array<std::uint8_t, 16> client_address{};  // the same; IPv4 as ::ffff:a.b.c.d
    const Arrival* arrival = nullptr;               // where it came to
    bool vouched_for = false;                       // a trusted proxy sent it
    std::string_view body;                          // empty for streamed bodies
    const Route* route = nullptr;
    std::shared_ptr<const service::Principal> principal;      // set where the route asks for an API key
    std::shared_ptr<const service::OperatorSession> session;  // set where the route asks for an operator

    std::array<PathParameter, max_path_parameters> path_parameters{};
    std::size_t path_parameter_count = 0;

    // The first line of that name, any case. Of a header that is a list, or that others may have added to, see
    // http/message/header_lines.hpp.
    [[nodiscard]] std::optional<std::string_view> header(std::string_view name) const;
    // A path parameter of the route's pattern; empty when it has none of that name.
    [[nodiscard]] std::string_view parameter(std::string_view name) const;
    // The first query parameter of that name, percent-decoded; nothing when absent or badly encoded.
    [[nodiscard]] std::optional<std::string> query_parameter(std::string_view name) const;
};

// Names of headers compare without regard to case.
bool equal_ignoring_case(std::string_view a, std::string_view b);

// Decodes %xx and '+'; nothing when an escape is cut short or not hexadecimal.
std::optional<std::string> percent_decoded(std::string_view text);

}  // namespace tessera::http
