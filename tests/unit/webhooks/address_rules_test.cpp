#include "webhooks/address_rules.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

namespace tessera::webhooks {
namespace {

bool open(const char* text) {
    return is_public(IpAddress::parse(text).value());
}

TEST(AddressRules, TheOpenInternetIsOpen) {
    for (const char* text :
         {"1.1.1.1", "8.8.8.8", "100.63.255.255", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.169.0.1",
          "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::1", "64:ff9b::8.8.8.8"})
        EXPECT_TRUE(open(text)) << text;
}

TEST(AddressRules, OurOwnNetworkIsNot) {
    for (const char* text :
         {"0.0.0.0",         "0.1.2.3",         "10.0.0.1",       "10.255.255.255", "100.64.0.1",  "127.0.0.1",
          "127.8.8.8",       "169.254.169.254", "172.16.0.1",     "172.31.255.255", "192.0.0.8",   "192.0.2.1",
          "192.88.99.1",     "192.168.1.1",     "198.18.0.1",     "198.51.100.7",   "203.0.113.9", "224.0.0.1",
          "239.255.255.255", "240.0.0.1",       "255.255.255.255"})
        EXPECT_FALSE(open(text)) << text;
    for (const char* text : {"::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::127.0.0.1",
                             "::8.8.8.8",
                             "fe80::1",
                             "fec0::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "ff02::1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "2002:808:808::",
                             "3fff::1",
                             "64:ff9b::10.0.0.1",
                             "64:ff9b::127.0.0.1",
                             "64:ff9b:1::8.8.8.8",
                             "4000::1",
                             "5f00::1"})
        EXPECT_FALSE(open(text)) << text;
}

TEST(AddressRules, SocketAddressesAreRead) {
    sockaddr_in v4{};
    v4.sin_family = AF_INET;
    inet_pton(AF_INET, "192.0.2.7", &v4.sin_addr);
    EXPECT_EQ(address_in(reinterpret_cast<sockaddr&>(v4)), IpAddress::parse("192.0.2.7"));
    sockaddr_in6 v6{};
    v6.sin6_family = AF_INET6;
    inet_pton(AF_INET6, "2001:db8::5", &v6.sin6_addr);
    EXPECT_EQ(address_in(reinterpret_cast<sockaddr&>(v6)), IpAddress::parse("2001:db8::5"));
    sockaddr other{};
    other.sa_family = AF_UNIX;
    EXPECT_EQ(address_in(other), std::nullopt);
}

}  // namespace
}  // namespace tessera::webhooks
