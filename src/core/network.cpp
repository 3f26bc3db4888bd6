#include "core/network.hpp"

#include <arpa/inet.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace tessera {
namespace {

constexpr std::array<std::uint8_t, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

template <typename Number>
bool parse_number(std::string_view text, Number& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size();
}

Error invalid(std::string message) {
    return {ErrorCode::invalid_request, std::move(message), {}};
}

}  // namespace

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    char buffer[INET6_ADDRSTRLEN + 1];
    if (text.size() >= sizeof buffer) return std::nullopt;
    std::memcpy(buffer, text.data(), text.size());
    buffer[text.size()] = '\0';
    IpAddress address;
    if (inet_pton(AF_INET, buffer, address.bytes.data() + v4_prefix.size()) == 1) {
        std::copy(v4_prefix.begin(), v4_prefix.end(), address.bytes.begin());
        return address;
    }
    if (inet_pton(AF_INET6, buffer, address.bytes.data()) == 1) return address;
    return std::nullopt;
}

bool IpAddress::is_v4() const {
    return std::equal(v4_prefix.begin(), v4_prefix.end(), bytes.begin());
}

bool IpAddress::is_loopback() const {
    static constexpr std::array<std::uint8_t, 16> v6{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    return is_v4() ? bytes[12] == 127 : bytes == v6;
}

std::string IpAddress::to_string() const {
    char buffer[INET6_ADDRSTRLEN];
    const char* text = is_v4() ? inet_ntop(AF_INET, bytes.data() + v4_prefix.size(), buffer, sizeof buffer)
                               : inet_ntop(AF_INET6, bytes.data(), buffer, sizeof buffer);
    return text == nullptr ? std::string() : text;
}

Result<NetworkList> NetworkList::parse(std::span<const std::string> blocks) {
    NetworkList list;
    for (const std::string& text : blocks) {
        const std::string_view view = text;
        const std::size_t slash = std::min(view.find('/'), view.size());
        const auto network = IpAddress::parse(view.substr(0, slash));
        if (!network) return invalid("bad network \"" + text + "\": expected an address or CIDR block");
        const unsigned widest = network->is_v4() ? 32 : 128;
        unsigned prefix = widest;
        if (slash < view.size() && (!parse_number(view.substr(slash + 1), prefix) || prefix > widest)) {
            return invalid("bad network \"" + text + "\": the prefix must be 0 to " + std::to_string(widest));
        }
        list.blocks_.push_back({*network, prefix + (128 - widest)});
    }
    return list;
}

std::vector<std::string> NetworkList::to_strings() const {
    std::vector<std::string> texts;
    for (const Block& block : blocks_) {
        const unsigned outside = block.network.is_v4() ? 128 - 32 : 0;
        texts.push_back(block.network.to_string() + "/" + std::to_string(block.prefix - outside));
    }
    return texts;
}

bool NetworkList::contains(const IpAddress& address) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
        const std::size_t whole = block.prefix / 8;
        if (!std::equal(address.bytes.begin(), address.bytes.begin() + static_cast<std::ptrdiff_t>(whole),
                        block.network.bytes.begin())) {
            return false;
        }
        const unsigned rest = block.prefix % 8;
        if (rest == 0) return true;
        const auto mask = static_cast<std::uint8_t>(0xff << (8 - rest));
        return (address.bytes[whole] & mask) == (block.network.bytes[whole] & mask);
    });
}

}  // namespace tessera
