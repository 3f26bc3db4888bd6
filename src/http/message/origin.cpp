#include "http/message/origin.hpp"

#include <algorithm>
#include <cctype>

#include "http/message/arrival.hpp"
#include "http/message/header_lines.hpp"

namespace tessera::http {
namespace {

bool is_host_character(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '-' || c == ':' || c == '[' || c == ']';
}

}  // namespace

std::string origin_of(const Request& request) {
    if (request.vouched_for) {
        const auto host = request.header("Host");
        if (host && !host->empty() && std::all_of(host->begin(), host->end(), is_host_character)) {
            const auto scheme = ListFromEnd(request.headers, "X-Forwarded-Proto").next();
            return (scheme && equal_ignoring_case(*scheme, "https") ? "https://" : "http://") + std::string(*host);
        }
    }
    return "http://" + (request.arrival == nullptr ? "localhost" : request.arrival->address());
}

std::optional<std::string_view> plain_query_parameter(std::string_view query, std::string_view name) {
    std::optional<std::string_view> found;
    while (!query.empty()) {
        const std::string_view pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (!pair.starts_with(name)) continue;
        const std::string_view rest = pair.substr(name.size());
        if (!rest.empty() && rest.front() != '=') continue;  // a longer name
        if (found || rest.empty()) return std::nullopt;
        found = rest.substr(1);
    }
    if (found && found->find('%') != std::string_view::npos) return std::nullopt;
    return found;
}

}  // namespace tessera::http
