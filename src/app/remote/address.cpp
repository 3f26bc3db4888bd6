#include "app/remote/address.hpp"

#include <boost/url/parse.hpp>

#include "core/text.hpp"

namespace tessera::remote {
namespace {

Error no_address(std::string_view text, const std::string& why) {
    return {ErrorCode::invalid_request, std::string(text) + ": " + why, {}};
}

bool names_this_machine(std::string_view host) {
    return host == "localhost" || host.starts_with("127.") || host == "[::1]";
}

}  // namespace

Result<Address> Address::parse(std::string_view text) {
    std::string whole(trimmed(text));
    while (whole.ends_with('/') && !whole.ends_with("://")) whole.pop_back();
    if (whole.find("://") == std::string::npos)
        whole.insert(0, names_this_machine(whole.substr(0, whole.find_first_of(":/"))) ? "http://" : "https://");
    const auto url = boost::urls::parse_uri(whole);
    if (!url) return no_address(text, "no address of a service; it looks like https://images.example.com");
    const std::string scheme = lower_case(std::string_view(url->scheme()));
    if (scheme != "http" && scheme != "https") return no_address(text, "an address starts with https:// or http://");
    const std::string host = lower_case(std::string_view(url->encoded_host()));
    if (host.empty()) return no_address(text, "the address names no host");
    if (url->has_userinfo()) return no_address("the address", "a key or a password is no part of it");
    if (url->has_query() || url->has_fragment()) return no_address(text, "the address ends with the path");
    Address address;
    address.plain_ = scheme == "http";
    address.this_machine_ = names_this_machine(host);
    address.text_ = scheme + "://" + host;
    if (url->has_port() && !url->port().empty()) address.text_ += ":" + std::string(url->port());
    address.text_ += std::string(url->encoded_path());
    return address;
}

}  // namespace tessera::remote
