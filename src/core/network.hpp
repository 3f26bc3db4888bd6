// IP addresses and the networks that they lie in.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.hpp"

namespace tessera {

// An IP address in sixteen bytes; IPv4 ones are kept as ::ffff:a.b.c.d, so that both families compare alike.
struct IpAddress {
    std::array<std::uint8_t, 16> bytes{};

    static std::optional<IpAddress> parse(std::string_view text);
    [[nodiscard]] bool is_v4() const;
    [[nodiscard]] bool is_loopback() const;  // 127.0.0.0/8 and ::1
    [[nodiscard]] std::string to_string() const;
    bool operator==(const IpAddress&) const = default;
};

// A set of networks in CIDR notation.
class NetworkList {
  public:
    static Result<NetworkList> parse(std::span<const std::string> blocks);
    [[nodiscard]] bool contains(const IpAddress& address) const;
    [[nodiscard]] bool empty() const { return blocks_.empty(); }
    [[nodiscard]] std::vector<std::string> to_strings() const;  // each with its prefix: 10.0.0.0/8
    bool operator==(const NetworkList&) const = default;

  private:
    struct Block {
        IpAddress network;
        unsigned prefix = 0;  // bits, counted in sixteen bytes
        bool operator==(const Block&) const = default;
    };
    std::vector<Block> blocks_;
};

}  // namespace tessera
