#include "app/config/checks.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>
#include <cctype>
#include <string>

#include "app/config/values.hpp"

namespace tessera::app {
namespace {

bool is_ip(int family, std::string_view text) {
    in6_addr address{};
    return inet_pton(family, std::string(text).c_str(), &address) == 1;
}

bool is_number_up_to(std::string_view text, std::int64_t most) {
    const auto value = parse_count(text);
    return value && *value >= 0 && *value <= most && text.find('_') == std::string_view::npos;
}

}  // namespace

bool is_anything(std::string_view) {
    return true;
}

bool is_not_empty(std::string_view text) {
    return !text.empty();
}

bool is_listen_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || !is_number_up_to(text.substr(colon + 1), 65535)) return false;
    const std::string_view host = text.substr(0, colon);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        return is_ip(AF_INET6, host.substr(1, host.size() - 2));
    return is_ip(AF_INET, host);
}

bool is_network(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::string_view address = text.substr(0, slash);
    const bool v4 = is_ip(AF_INET, address);
    if (!v4 && !is_ip(AF_INET6, address)) return false;
    return slash == std::string_view::npos || is_number_up_to(text.substr(slash + 1), v4 ? 32 : 128);
}

bool is_base_url_or_empty(std::string_view text) {
    if (text.empty()) return true;
    const auto url = boost::urls::parse_uri(text);
    return url.has_value() && (url->scheme() == "http" || url->scheme() == "https") && !url->host().empty() &&
           !url->has_query() && !url->has_fragment() && !url->has_userinfo() && url->encoded_path().empty();
}

bool is_receiver_url_or_empty(std::string_view text) {
    if (text.empty()) return true;
    const auto url = boost::urls::parse_uri(text);
    return url.has_value() && (url->scheme() == "http" || url->scheme() == "https") && !url->host().empty() &&
           !url->has_query() && !url->has_fragment() && !url->has_userinfo();
}

bool is_header_assignment(std::string_view text) {
    constexpr std::string_view of_names = "!#$%&'*+-.^_`|~";
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) return false;
    return std::ranges::all_of(text.substr(0, equals),
                               [&](unsigned char c) {
                                   return std::isalnum(c) != 0 ||
                                          of_names.find(static_cast<char>(c)) != std::string_view::npos;
                               }) &&
           std::ranges::all_of(text.substr(equals + 1), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool is_metadata_url(std::string_view text) {
    return text == "sqlite" || (text.starts_with("sqlite:") && text.size() > 7) || text.starts_with("postgresql://") ||
           text.starts_with("postgres://");
}

bool is_blobs_url(std::string_view text) {
    return text == "file" || (text.starts_with("file:") && text.size() > 5) ||
           (text.starts_with("s3://") && text.size() > 5);
}

}  // namespace tessera::app
