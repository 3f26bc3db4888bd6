#include "webhooks/endpoint_url.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tessera::webhooks {
namespace {

using testing::HasSubstr;

std::string refusal(std::string_view text, const WebhooksConfig& config = {}) {
    const auto url = check_url(text, config);
    return url ? "" : url.error().message;
}

TEST(EndpointUrl, AddressesOfTheOpenInternetAreTaken) {
    EXPECT_EQ(check_url("https://example.org/hook?key=1", {}).value(), "https://example.org/hook?key=1");
    EXPECT_EQ(check_url("HTTPS://example.org:8443/a%20b", {}).value(), "https://example.org:8443/a%20b");
    EXPECT_EQ(refusal("http://[2606:4700::1111]/"), "");
    EXPECT_EQ(refusal("http://8.8.8.8"), "");
}

TEST(EndpointUrl, WhatIsNoAddressIsRefusedWithTheReason) {
    EXPECT_THAT(refusal(""), HasSubstr("characters"));
    EXPECT_THAT(refusal("https://example.org/a b"), HasSubstr("no blanks"));
    EXPECT_THAT(refusal("https://example.org/\r\nX-Evil: 1"), HasSubstr("no blanks"));
    EXPECT_THAT(refusal("https://example.org/" + std::string(2'000, 'a')), HasSubstr("2000"));
    EXPECT_THAT(refusal("example.org"), HasSubstr("no address"));
    EXPECT_THAT(refusal("ftp://example.org"), HasSubstr("https://"));
    EXPECT_THAT(refusal("file:///etc/passwd"), HasSubstr("https://"));
    EXPECT_THAT(refusal("https://user@example.org"), HasSubstr("no user"));
    EXPECT_THAT(refusal("https://:secret@example.org"), HasSubstr("no user"));
    EXPECT_THAT(refusal("https://example.org/#part"), HasSubstr("#"));
}

TEST(EndpointUrl, NumbersOfOurOwnNetworkAreRefusedUnlessAllowed) {
    for (const char* text : {"http://127.0.0.1/", "http://10.1.2.3:8080/", "http://[::1]/", "http://localhost/",
                             "http://[::ffff:169.254.169.254]/", "http://2130706433/", "http://0x7f.1/"}) {
        EXPECT_THAT(refusal(text), HasSubstr("allow_private_addresses")) << text;
        EXPECT_EQ(refusal(text, {.allow_private_addresses = true}), "") << text;
    }
}

TEST(EndpointUrl, HttpsMayBeRequired) {
    EXPECT_THAT(refusal("http://example.org/", {.require_https = true}), HasSubstr("require_https"));
    EXPECT_EQ(refusal("https://example.org/", {.require_https = true}), "");
}

TEST(EndpointUrl, ALogTellsNoQuery) {
    EXPECT_EQ(url_for_log("https://example.org/hook?token=secret"), "https://example.org/hook");
    EXPECT_EQ(url_for_log("not an address"), "");
}

}  // namespace
}  // namespace tessera::webhooks
