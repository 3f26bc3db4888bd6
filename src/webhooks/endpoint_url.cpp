#include "webhooks/endpoint_url.hpp"

#include <curl/curl.h>

#include <algorithm>

#include "core/owned.hpp"
#include "webhooks/address_rules.hpp"

namespace tessera::webhooks {
namespace {

constexpr std::size_t longest_url = 2'000;

using Url = Owned<CURLU, curl_url_cleanup>;
using UrlPart = Owned<char, curl_free>;

Url parse(const std::string& text) {
    Url url(curl_url());
    if (url && curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK) url.reset();
    return url;
}

std::string part_of(const Url& url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return {};
    const UrlPart owned(text);
    return text;
}

Error wrong(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

// An IPv6 address is in brackets.
std::optional<IpAddress> number_in(std::string host) {
    if (host.size() > 2 && host.front() == '[') host = host.substr(1, host.size() - 2);
    return IpAddress::parse(host);
}

}  // namespace

Result<std::string> check_url(std::string_view given, const WebhooksConfig& config) {
    const std::string text(given);
    const bool plain = std::ranges::all_of(text, [](char c) { return c > 0x20 && c < 0x7f; });
    if (text.empty() || text.size() > longest_url || !plain) {
        return wrong("an address has 1 to " + std::to_string(longest_url) +
                     " characters of ASCII and no blanks; others are written as %20");
    }
    const Url url = parse(text);
    if (!url) return wrong("that is no address such as https://example.org/hook");
    const std::string scheme = part_of(url, CURLUPART_SCHEME);
    if (scheme != "https" && scheme != "http") return wrong("an address begins with https:// or http://");
    if (scheme == "http" && config.require_https)
        return wrong("webhooks.require_https is set: the address has to begin with https://");
    if (!part_of(url, CURLUPART_USER).empty() || !part_of(url, CURLUPART_PASSWORD).empty())
        return wrong("an address holds no user and no password: the signature says who sends");
    if (!part_of(url, CURLUPART_FRAGMENT).empty()) return wrong("an address has no # part: it is never sent");
    const std::string host = part_of(url, CURLUPART_HOST);
    const auto number = number_in(host);
    const bool ours = number ? !is_public(*number) : host == "localhost" || host.ends_with(".localhost");
    if (ours && !config.allow_private_addresses) {
        return wrong(host + " is not on the open internet; webhooks.allow_private_addresses allows such addresses");
    }
    return part_of(url, CURLUPART_URL);
}

std::string url_for_log(std::string_view text) {
    const Url url = parse(std::string(text));
    if (!url) return {};
    curl_url_set(url.get(), CURLUPART_QUERY, nullptr, 0);
    curl_url_set(url.get(), CURLUPART_FRAGMENT, nullptr, 0);
    curl_url_set(url.get(), CURLUPART_USER, nullptr, 0);
    curl_url_set(url.get(), CURLUPART_PASSWORD, nullptr, 0);
    return part_of(url, CURLUPART_URL);
}

}  // namespace tessera::webhooks
