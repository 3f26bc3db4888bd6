#include <gtest/gtest.h>

#include "app/config/checks.hpp"
#include "app/config/values.hpp"

namespace tessera::app {
namespace {

using namespace std::chrono_literals;

TEST(ValuesTest, SizesAreReadWithTheirUnits) {
    EXPECT_EQ(parse_bytes("0"), 0);
    EXPECT_EQ(parse_bytes("512"), 512);
    EXPECT_EQ(parse_bytes("1_000"), 1000);
    EXPECT_EQ(parse_bytes("20MiB"), 20 * 1024 * 1024);
    EXPECT_EQ(parse_bytes("20 MiB"), 20 * 1024 * 1024);
    EXPECT_EQ(parse_bytes("1.5GiB"), std::int64_t{3} << 29);
    EXPECT_EQ(parse_bytes("2TB"), 2'000'000'000'000);
    EXPECT_EQ(parse_bytes("7kB"), 7000);
}

TEST(ValuesTest, WrongSizesAreRefused) {
    for (const char* wrong : {"", "MiB", "20mb", "20 Mi", "-1MiB", "1..5MiB", "1.MiB", ".5MiB", "1.0001B", "9999999TiB",
                              "20MiBs", "0x10", "1e3", "9223372036854775808", "_1", "1_", "1__0", "+5"}) {
        EXPECT_FALSE(parse_bytes(wrong)) << wrong;
    }
}

TEST(ValuesTest, TimesAreReadWithTheirUnitsAndSums) {
    EXPECT_EQ(parse_duration("0"), 0ms);
    EXPECT_EQ(parse_duration("250ms"), 250ms);
    EXPECT_EQ(parse_duration("15m"), 15min);
    EXPECT_EQ(parse_duration("1h30m"), 90min);
    EXPECT_EQ(parse_duration("7d"), 168h);
    EXPECT_EQ(parse_duration("1.5s"), 1500ms);
}

TEST(ValuesTest, WrongTimesAreRefused) {
    for (const char* wrong :
         {"", "15", "m", "15 m", "-5s", "5sec", "1m1h", "1s1s", "1.5ms", "99999999999999999d", "1h30", "five"}) {
        EXPECT_FALSE(parse_duration(wrong)) << wrong;
    }
}

TEST(ValuesTest, WhatIsWrittenReadsBackTheSame) {
    for (const std::int64_t size : {std::int64_t{0}, std::int64_t{1}, std::int64_t{1000}, std::int64_t{1024},
                                    std::int64_t{20} << 20, std::int64_t{3} << 29, std::int64_t{5} << 40}) {
        EXPECT_EQ(parse_bytes(format_bytes(size)), size);
    }
    for (const auto time : {0ms, 1ms, 1500ms, 60'000ms, 5'400'000ms, 604'800'000ms}) {
        EXPECT_EQ(parse_duration(format_duration(time)), time);
    }
    EXPECT_EQ(format_bytes(20 << 20), "20MiB");
    EXPECT_EQ(format_duration(900s), "15m");
}

TEST(ValuesTest, FlagsAreTrueOrFalseAndNothingElse) {
    EXPECT_EQ(parse_flag("true"), true);
    EXPECT_EQ(parse_flag("false"), false);
    for (const char* wrong : {"", "1", "yes", "True", "on", " true"}) EXPECT_FALSE(parse_flag(wrong)) << wrong;
}

TEST(ValuesTest, ListsAreSplitAtCommas) {
    EXPECT_EQ(split_list(""), std::vector<std::string>{});
    EXPECT_EQ(split_list("a"), std::vector<std::string>{"a"});
    EXPECT_EQ(split_list("a, b,c "), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(split_list("a,,b"), (std::vector<std::string>{"a", "", "b"}));
}

TEST(ValuesTest, ANearMissIsRecognisedAndNonsenseIsNot) {
    const std::vector<std::string_view> known{"server.listen", "log.level", "rate_limits.enabled"};
    EXPECT_EQ(closest("server.listn", known), "server.listen");
    EXPECT_EQ(closest("rate_limit.enabled", known), "rate_limits.enabled");
    EXPECT_FALSE(closest("completely.different.thing", known));
}

TEST(ChecksTest, ListenAddresses) {
    for (const char* good : {"127.0.0.1:8080", "0.0.0.0:0", "[::]:8080", "[::1]:65535"})
        EXPECT_TRUE(is_listen_address(good)) << good;
    for (const char* bad :
         {"", "8080", ":8080", "localhost:80", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1",
          "127.0.0.1:8_0", "::1:80", "[::1]", "[]:80", "[127.0.0.1]:80", "300.0.0.1:80"}) {
        EXPECT_FALSE(is_listen_address(bad)) << bad;
    }
}

TEST(ChecksTest, Networks) {
    for (const char* good : {"10.0.0.0/8", "192.0.2.1", "::1/128", "2001:db8::/32", "0.0.0.0/0"})
        EXPECT_TRUE(is_network(good)) << good;
    for (const char* bad :
         {"", "10.0.0.0/33", "10.0.0/8", "::1/129", "10.0.0.0/", "10.0.0.0/-1", "all", "10.0.0.0/8/8"}) {
        EXPECT_FALSE(is_network(bad)) << bad;
    }
}

TEST(ChecksTest, BaseUrls) {
    for (const char* good : {"", "https://a.example", "http://127.0.0.1:8080", "http://[::1]:80"})
        EXPECT_TRUE(is_base_url_or_empty(good)) << good;
    for (const char* bad : {"a.example", "ftp://a", "https://a/", "https://a/path", "https://a?b", "https://",
                            "https://u:p@a", "https://a b"}) {
        EXPECT_FALSE(is_base_url_or_empty(bad)) << bad;
    }
}

}  // namespace
}  // namespace tessera::app
