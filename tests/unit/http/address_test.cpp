#include "http/message/address.hpp"

#include <gtest/gtest.h>

namespace tessera::http {
namespace {

IpAddress ip(std::string_view text) {
    const auto address = IpAddress::parse(text);
    EXPECT_TRUE(address) << text;
    return address.value_or(IpAddress{});
}

NetworkList networks(std::vector<std::string> blocks) {
    auto list = NetworkList::parse(blocks);
    EXPECT_TRUE(list.ok());
    return *std::move(list);
}

TEST(IpAddress, KeepsBothFamiliesAlike) {
    EXPECT_EQ(ip("10.0.0.1"), ip("::ffff:10.0.0.1"));
    EXPECT_EQ(ip("10.0.0.1").to_string(), "10.0.0.1");
    EXPECT_EQ(ip("2001:db8::1").to_string(), "2001:db8::1");
    for (const char* bad : {"", "10.0.0", "10.0.0.256", "1.2.3.4:5", "[::1]", ":::", "localhost"}) {
        EXPECT_FALSE(IpAddress::parse(bad)) << bad;
    }
}

TEST(ListenAddress, ReadsHostsAndPorts) {
    EXPECT_EQ(ListenAddress::parse("127.0.0.1:8080")->host, "127.0.0.1");
    EXPECT_EQ(ListenAddress::parse("[::]:8080")->host, "::");
    EXPECT_EQ(ListenAddress::parse("localhost:0")->port, 0);
    EXPECT_EQ(ListenAddress::parse(":8080")->host, "::");
    for (const char* bad :
         {"", "8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:x", "127.0.0.1:70000", "::1:8080", "[1.2.3.4]:80"}) {
        EXPECT_FALSE(ListenAddress::parse(bad).ok()) << bad;
    }
}

TEST(NetworkList, MatchesPrefixesBitByBit) {
    const NetworkList list = networks({"10.0.0.0/8", "192.168.1.128/25", "2001:db8::/33", "1.2.3.4"});
    EXPECT_TRUE(list.contains(ip("10.255.0.1")));
    EXPECT_FALSE(list.contains(ip("11.0.0.1")));
    EXPECT_TRUE(list.contains(ip("192.168.1.200")));
    EXPECT_FALSE(list.contains(ip("192.168.1.127")));
    EXPECT_TRUE(list.contains(ip("2001:db8:7fff::1")));
    EXPECT_FALSE(list.contains(ip("2001:db8:8000::1")));
    EXPECT_TRUE(list.contains(ip("1.2.3.4")));
    EXPECT_FALSE(list.contains(ip("1.2.3.5")));
    EXPECT_TRUE(networks({"0.0.0.0/0"}).contains(ip("9.9.9.9")));
    EXPECT_FALSE(networks({"0.0.0.0/0"}).contains(ip("::1")));
    for (const char* bad : {"10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/a", "host/8", ""}) {
        EXPECT_FALSE(NetworkList::parse(std::vector<std::string>{bad}).ok()) << bad;
    }
}

TEST(NetworkList, IsWrittenAsItIsRead) {
    const NetworkList list = networks({"10.0.0.0/8", "2001:db8::/33", "1.2.3.4"});
    EXPECT_EQ(list.to_strings(), (std::vector<std::string>{"10.0.0.0/8", "2001:db8::/33", "1.2.3.4/32"}));
    EXPECT_EQ(networks(list.to_strings()), list);
}

TEST(Loopback, IsThisMachineAlone) {
    for (const char* text : {"127.0.0.1:1", "127.8.8.8:1", "[::1]:1", "localhost:1", "[::ffff:127.0.0.1]:1"}) {
        EXPECT_TRUE(ListenAddress::parse(text)->is_loopback()) << text;
    }
    for (const char* text : {"0.0.0.0:1", ":1", "[::]:1", "10.0.0.1:1", "example.org:1", "[::2]:1"}) {
        EXPECT_FALSE(ListenAddress::parse(text)->is_loopback()) << text;
    }
}

// The client when the header comes in these lines.
IpAddress client(const IpAddress& peer, std::vector<std::string_view> lines, const NetworkList& trusted) {
    std::vector<HeaderView> headers{{"Host", "x"}};
    for (const std::string_view line : lines) {
        headers.push_back({"x-forwarded-for", line});
        headers.push_back({"Accept", "*/*"});
    }
    return client_behind_proxies(peer, ListFromEnd(headers, "X-Forwarded-For"), trusted);
}

TEST(ClientBehindProxies, BelievesTrustedProxiesOnly) {
    const NetworkList trusted = networks({"10.0.0.0/8"});
    EXPECT_EQ(client(ip("9.9.9.9"), {"1.1.1.1"}, trusted), ip("9.9.9.9"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"1.1.1.1"}, trusted), ip("1.1.1.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"6.6.6.6, 1.1.1.1, 10.0.0.2"}, trusted), ip("1.1.1.1"))
        << "what a client wrote itself stands before its real address";
    EXPECT_EQ(client(ip("10.0.0.1"), {}, trusted), ip("10.0.0.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {""}, trusted), ip("10.0.0.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"1.1.1.1, nonsense"}, trusted), ip("10.0.0.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"1.1.1.1:4711"}, trusted), ip("1.1.1.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"[2001:db8::1]:4711"}, trusted), ip("2001:db8::1"));
}

TEST(ClientBehindProxies, SeveralLinesAreOneList) {
    const NetworkList trusted = networks({"10.0.0.0/8"});
    EXPECT_EQ(client(ip("10.0.0.1"), {"6.6.6.6", "1.1.1.1"}, trusted), ip("1.1.1.1"))
        << "the first line is the client's own, the second was added by the proxy";
    EXPECT_EQ(client(ip("10.0.0.1"), {"6.6.6.6, 1.1.1.1", "10.0.0.3,10.0.0.2"}, trusted), ip("1.1.1.1"));
    EXPECT_EQ(client(ip("10.0.0.1"), {"6.6.6.6", "1.1.1.1, ,", ""}, trusted), ip("1.1.1.1")) << "empty items are none";
    EXPECT_EQ(client(ip("10.0.0.1"), {"6.6.6.6", "nonsense"}, trusted), ip("10.0.0.1"));
}

TEST(ListFromEnd, GivesTheItemsOfAllLinesLastFirst) {
    const std::vector<HeaderView> headers{{"A", "1, 2"}, {"B", "x"}, {"a", "\t3 ,,4"}, {"C", "y"}};
    ListFromEnd list(headers, "a");
    std::vector<std::string_view> items;
    while (const auto item = list.next()) items.push_back(*item);
    EXPECT_EQ(items, (std::vector<std::string_view>{"4", "3", "2", "1"}));
}

}  // namespace
}  // namespace tessera::http
