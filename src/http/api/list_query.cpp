#include "http/api/list_query.hpp"

#include <algorithm>
#include <string>

#include "http/message/origin.hpp"

namespace tessera::http {
namespace {

constexpr std::size_t longest_quoted = 64;

Error refused(std::string_view name, std::string_view problem) {
    return {ErrorCode::invalid_request,
            std::string(problem) + " query parameter '" + std::string(name.substr(0, longest_quoted)) + "'",
            {}};
}

}  // namespace

Result<ListQuery> ListQuery::parse(const Request& request, const std::vector<std::string>& known) {
    return parse(request, known, false);
}

Result<ListQuery> ListQuery::parse_encoded(const Request& request, const std::vector<std::string>& known) {
    return parse(request, known, true);
}

Result<ListQuery> ListQuery::parse(const Request& request, const std::vector<std::string>& known, bool encoded) {
    std::string_view rest = request.query;
    while (!rest.empty()) {
        const std::string_view pair = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(rest.size(), pair.size() + 1));
        const std::string_view name = pair.substr(0, pair.find('='));
        if (std::ranges::find(known, name) == known.end()) {
            std::string names;
            for (const std::string& one : known) (names += names.empty() ? "" : ", ") += one;
            return refused(name, "unknown").with_hint("this list takes " + names);
        }
        if (encoded && pair.find('%') != std::string_view::npos && request.query_parameter(name)) continue;
        if (!plain_query_parameter(request.query, name)) {
            return refused(name, "invalid").with_hint("give each parameter once, and its value unencoded");
        }
    }
    return ListQuery(request.query);
}

std::optional<std::string_view> ListQuery::get(std::string_view name) const {
    return plain_query_parameter(query_, name);
}

}  // namespace tessera::http
