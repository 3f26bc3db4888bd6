#include "http/console/cookie.hpp"

#include <algorithm>

#include "core/text.hpp"
#include "http/message/origin.hpp"

namespace tessera::http {
namespace {

std::string cookie(const Request& request, std::string_view token, std::chrono::seconds lifetime) {
    std::string text(session_cookie_name);
    text.append("=").append(token).append("; Max-Age=").append(std::to_string(lifetime.count()));
    text.append("; HttpOnly; SameSite=Strict");
    if (origin_of(request).starts_with("https://")) text.append("; Secure");
    return text;
}

}  // namespace

std::string_view session_token(const Request& request) {
    for (const HeaderView& header : request.headers) {
        if (!equal_ignoring_case(header.name, "Cookie")) continue;
        std::string_view rest = header.value;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find(';'), rest.size());
            const std::string_view pair = trimmed(rest.substr(0, end));
            rest.remove_prefix(std::min(rest.size(), end + 1));
            const std::size_t equals = pair.find('=');
            if (pair.substr(0, equals) == session_cookie_name && equals != std::string_view::npos)
                return pair.substr(equals + 1);
        }
    }
    return {};
}

std::string set_session_cookie(const Request& request, std::string_view token, std::chrono::seconds lifetime) {
    return cookie(request, token, lifetime);
}

std::string drop_session_cookie(const Request& request) {
    return cookie(request, "", std::chrono::seconds(0));
}

}  // namespace tessera::http
