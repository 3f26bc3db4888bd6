#include "http/message/address.hpp"

#include <charconv>
#include <system_error>

namespace tessera::http {
namespace {

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

// Proxies write "1.2.3.4", "1.2.3.4:5678", "2001:db8::1" and "[2001:db8::1]:5678".
std::optional<IpAddress> parse_forwarded(std::string_view text) {
    if (const auto plain = IpAddress::parse(text)) return plain;
    if (!text.empty() && text.front() == '[') {
        const std::size_t end = text.find(']');
        return end == std::string_view::npos ? std::nullopt : IpAddress::parse(text.substr(1, end - 1));
    }
    const std::size_t colon = text.find(':');
    return colon == std::string_view::npos ? std::nullopt : IpAddress::parse(text.substr(0, colon));
}

Error invalid(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

}  // namespace

Result<ListenAddress> ListenAddress::parse(std::string_view text) {
    const auto refused = [&] {
        return invalid("bad listen address \"" + std::string(text) + "\": expected HOST:PORT or [IPV6]:PORT");
    };
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return refused();
    ListenAddress address;
    if (!parse_number(text.substr(colon + 1), address.port)) return refused();
    std::string_view host = text.substr(0, colon);
    if (host.empty()) {
        address.host = "::";
        return address;
    }
    const bool bracketed = host.size() > 2 && host.front() == '[' && host.back() == ']';
    if (bracketed) host = host.substr(1, host.size() - 2);
    const bool has_colon = host.find(':') != std::string_view::npos;
    if (bracketed != has_colon) return refused();
    address.host = host;
    return address;
}

bool ListenAddress::is_loopback() const {
    const auto address = IpAddress::parse(host);
    return address ? address->is_loopback() : host == "localhost";
}

IpAddress client_behind_proxies(const IpAddress& peer, ListFromEnd forwarded_for, const NetworkList& trusted) {
    IpAddress client = peer;
    while (trusted.contains(client)) {
        const auto last = forwarded_for.next();
        const auto address = last ? parse_forwarded(*last) : std::nullopt;
        if (!address) break;  // what stands before it was written by nobody we trust
        client = *address;
    }
    return client;
}

}  // namespace tessera::http
